/** Services that close connections in lawful ways, over real sockets: what both sides send can meet there. */
import { expect, test } from '@playwright/test';
import { requireUniqueNames } from '../../../fixtures/implementations/freedoms/create-pet.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { delayReads } from '../../../fixtures/implementations/freedoms/stores-moving.ts';
import { combineVaries } from '../../../fixtures/implementations/operators.ts';
import type { JudgedVariant } from '../../../fixtures/implementations/judge-variant.ts';
import { judgeOn } from '../samples/run-on.ts';

const findOpen = ({ findings }: JudgedVariant) =>
  findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive');

for (const { id, vary } of FREEDOMS.filter((each) =>
  /^http\.(clos|connection-close|chunks-of)/.test(each.id),
))
  test(`${id}: nothing fails, and nothing stays open`, async () => {
    expect(findOpen(await judgeOn({ vary }, 'authentication.get', 'create-pet.answers-201'))).toEqual([]);
    if (/idle$|close$/.test(id))
      expect(findOpen(await judgeOn({ vary, settings: { profile: 'quick' } }))).toEqual([]);
  });

test('an animal whose answer is lost with a kept connection is asked for again by another name: the first one may be there', async () => {
  const closing = FREEDOMS.find(({ id }) => id === 'http.closes-under-added')!;
  const vary = combineVaries(
    closing.vary,
    delayReads(() => 60, ['list']),
    requireUniqueNames(409),
  );
  expect(findOpen(await judgeOn({ vary }, 'create-pet.answers-201'))).toEqual([]);
});
