/** Divides the budgets between machines: each gets a part in proportion to the need of its tests. */
import type { CollectedTest } from '../../fixtures/lanes/collection.ts';
import { runInProcess } from '../../fixtures/lanes/in-process.ts';
import { KEPT_ANIMALS } from '../../fixtures/session/dispatch/budget.ts';
import type { Share } from '../../fixtures/session/run-limits.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';
import { divideTests } from '../selection/selection.ts';
import { openRun } from './run.ts';

/**
 * Needs are rounded up to multiples of these, so that all machines compute equal parts although dry runs
 * differ.
 */
const STEP: Omit<Share, 'wrongKeys'> = { animals: 10, requests: 50 };
/** A machine must have these left, although its dry run does not spend them. */
const SPARE: typeof STEP = { animals: KEPT_ANIMALS, requests: 1 };

/**
 * Computes a machine's part of the budgets. Dry runs on the embedded reference show the need of each share.
 * @param share the tests of the machine
 * @param all every test of the suite
 */
export async function computeShare(
  { index, count }: { index: number; count: number },
  share: readonly CollectedTest[],
  all: readonly CollectedTest[],
  settings: Settings,
): Promise<Share> {
  const needs: Share[] = [];
  for (const [at, tests] of divideTests(all, count).entries())
    needs.push(await needOf(at === index - 1 ? share : tests, settings));
  const own = needs[index - 1];
  const part = (budget: keyof Share) =>
    (own?.[budget] ?? 0) / needs.reduce((sum, each) => sum + each[budget], 0);
  return { animals: part('animals'), requests: part('requests'), wrongKeys: part('wrongKeys') };
}

/** Requirements about refusals: only the machine that was refused can check that its refusals added nothing. */
const OF_EVERY_SHARD: readonly string[] = ['create-pet.refusal-adds-nothing', 'authentication.no-effect'];

/** True if every machine runs the test in addition to its share. */
export function isForEveryShard({ declared }: Pick<CollectedTest, 'declared'>): boolean {
  return declared.phase === 'last' && declared.verifies.some((id) => OF_EVERY_SHARD.includes(id));
}

/**
 * True if this machine sends the names without a mark, so that each name is stored once. It is the machine with
 * the first test of such names.
 */
export function sendsUnmarked(own: readonly CollectedTest[], all: readonly CollectedTest[]): boolean {
  const [first] = all
    .filter(({ declared }) => declared.verifies.includes('create-pet.any-name'))
    .map(({ place }) => place.file)
    .sort();
  return own.some(({ place }) => place.file === first);
}

async function needOf(tests: readonly CollectedTest[], settings: Settings): Promise<Share> {
  const embedded = {
    ...settings,
    embedded: true,
    shard: null,
    categoryIds: null,
    maxRps: null,
    network: { ...settings.network, headers: {}, proxy: null },
  };
  const run = await openRun(embedded, () => undefined);
  try {
    await run.obstacle();
    await runInProcess(tests, run.engine);
    await run.engine.conclude();
    const { spent } = run.engine;
    const rounded = (budget: keyof typeof STEP) =>
      STEP[budget] * Math.ceil((spent[budget] + SPARE[budget]) / STEP[budget]);
    // All dry runs send equal wrong keys, so this number is not rounded.
    return {
      animals: rounded('animals'),
      requests: rounded('requests'),
      wrongKeys: Math.max(1, spent.wrongKeys),
    };
  } finally {
    await run.close();
  }
}
