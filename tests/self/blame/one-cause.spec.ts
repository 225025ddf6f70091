/** One cause, one failure, under its true name: whole runs on services with one thing wrong, and all that they are told. */
import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/selection/collect-suite.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import type { Variant } from '../../../fixtures/implementations/judge-variant.ts';
import { REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';
import { runOn } from '../samples/run-on.ts';

const suite = collectSuite();

/** Returns the promises that a run on the variant calls broken, and its warnings. */
async function toldOf(variant: Variant): Promise<{ failed: string[]; warned: string[] }> {
  const results = makeResults((await runOn(variant, await suite)).findings);
  const ids = (verdict: string) => results.filter((each) => each.verdict === verdict).map(({ id }) => id);
  return { failed: ids('fail'), warned: ids('warn') };
}

/** Faults that are told by their own requirement and by nothing else; those marked show what another shows already. */
const ONE_CAUSE: readonly (readonly [id: string, tag?: '@long'])[] = [
  ['list-pets.fails-with-a-page', '@long'],
  ['list-pets.limit-of-1-refused'],
  ['list-pets.limit-of-5-fails', '@long'],
  ['list-pets.sold-fails', '@long'],
  ['get-pet.fails-with-a-page', '@long'],
  ['get-pet.not-allowed', '@long'],
  ['create-pet.not-there-page', '@long'],
  ['create-pet.not-allowed', '@long'],
  ['create-pet.fails-before-the-key', '@long'],
  ['authentication.malformed-400-page', '@long'],
  ['authentication.malformed-400-empty', '@long'],
];

for (const [id, tag] of ONE_CAUSE) {
  test(`one cause, one name: ${id}`, { tag: tag ?? [] }, async () => {
    const fault = FAULTS.find((each) => each.id === id);
    if (fault === undefined) throw new Error(`there is no fault ${id}`);
    const { failed, warned } = await toldOf(fault);
    const isMust = REQUIREMENTS[fault.breaks]?.level === 'must';
    expect({ failed, warned }).toEqual({
      failed: isMust ? [fault.breaks] : [],
      warned: isMust ? [] : [fault.breaks],
    });
  });
}

test('orders that are as unknown as any unknown path are no departure', { tag: '@long' }, async () => {
  const freedom = FREEDOMS.find(({ id }) => id === 'errors.orders-unknown');
  if (freedom === undefined) throw new Error('there is no such freedom');
  const { failed, warned } = await toldOf(freedom);
  expect({ failed, warned }).toEqual({ failed: [], warned: [] });
});
