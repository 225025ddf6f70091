/** Services that close connections in lawful ways, over real sockets: what both sides send can meet there. */
import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { requireUniqueNames } from '../../../fixtures/implementations/freedoms/create-pet.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { delayReads } from '../../../fixtures/implementations/freedoms/stores-moving.ts';
import { combineVaries } from '../../../fixtures/implementations/operators.ts';
import type { JudgedVariant } from '../../../fixtures/implementations/judge-variant.ts';
import { runOn, verifying } from '../samples/run-on.ts';

const findOpen = ({ findings }: JudgedVariant) =>
  findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive');

for (const { id, vary } of FREEDOMS.filter((each) =>
  /^http\.(clos|connection-close|chunks-of)/.test(each.id),
))
  test(`${id}: nothing fails, and nothing stays open`, async () => {
    const tests = (await collectSuite()).filter(verifying('authentication.get', 'create-pet.answers-201'));
    expect(findOpen(await runOn({ vary }, tests))).toEqual([]);
    expect(findOpen(await runOn({ vary, settings: { profile: 'quick' } }, await collectSuite()))).toEqual([]);
  });

test('an animal whose answer is lost with a kept connection is asked for again by another name: the first one may be there', async () => {
  const closing = FREEDOMS.find(({ id }) => id === 'http.closes-under-added')!;
  const vary = combineVaries(
    closing.vary,
    delayReads(() => 60, ['list']),
    requireUniqueNames(409),
  );
  const tests = (await collectSuite()).filter(verifying('create-pet.answers-201'));
  expect(findOpen(await runOn({ vary }, tests))).toEqual([]);
});
