/**
 * Divides the budgets of a run between machines (`--shard 2/3`). Each machine gets a part in proportion to the need of
 * its tests.
 */
import type { CollectedTest } from '../../fixtures/asking/lanes/collection.ts';
import { runInProcess } from '../../fixtures/asking/lanes/in-process.ts';
import { ANIMALS_OF_LAST_PHASE } from '../../fixtures/session/dispatch/budget.ts';
import type { Share } from '../../fixtures/session/run-limits.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';
import { divideTests } from './selection/selection.ts';
import { openRun } from './run.ts';

/**
 * Needs are rounded up to multiples of these numbers. Dry runs of the same tests differ a little, and all machines must
 * compute the same parts.
 */
const STEP: Omit<Share, 'wrongKeys'> = { animals: 10, requests: 50 };
/** The need of a machine is higher than the result of its dry run by these numbers. */
const SPARE: typeof STEP = { animals: ANIMALS_OF_LAST_PHASE, requests: 1 };

/**
 * Computes a machine's part of each budget: 0.5 is one half. A dry run on the embedded reference shows the need of each
 * machine's tests.
 * @param share the tests of the machine; they may differ from its part of `all`
 * @param all every test of the suite
 */
export async function computeShare(
  { index, count }: { index: number; count: number },
  share: readonly CollectedTest[],
  all: readonly CollectedTest[],
  settings: Settings,
): Promise<Share> {
  // `index` counts from 1.
  const at = index - 1;
  const needs: Share[] = [];
  for (const [machine, tests] of divideTests(all, count).entries())
    needs.push(await measureNeed(machine === at ? share : tests, settings));
  const own = needs[at];
  const part = (budget: keyof Share) =>
    (own?.[budget] ?? 0) / needs.reduce((sum, need) => sum + need[budget], 0);
  return { animals: part('animals'), requests: part('requests'), wrongKeys: part('wrongKeys') };
}

/** Only the machine that sent a refused createPet can check that the refusal added nothing. */
const OF_EVERY_SHARD: readonly string[] = ['create-pet.refusal-adds-nothing', 'authentication.no-effect'];

/** True if every machine runs the test in addition to its share. */
export function isForEveryShard({ declared }: Pick<CollectedTest, 'declared'>): boolean {
  return declared.phase === 'last' && declared.verifies.some((id) => OF_EVERY_SHARD.includes(id));
}

/**
 * True if this machine sends the names that cannot carry the mark of the run, e.g. `null`. Only the machine with the
 * first test of such names sends them, so each name is stored once.
 */
export function maySendUnmarked(own: readonly CollectedTest[], all: readonly CollectedTest[]): boolean {
  const [first] = all
    .filter(({ declared }) => declared.verifies.includes('create-pet.any-name'))
    .map(({ place }) => place.file)
    .sort();
  return own.some(({ place }) => place.file === first);
}

/** Runs the tests on the embedded reference. Returns their need of each budget in absolute numbers. */
async function measureNeed(tests: readonly CollectedTest[], settings: Settings): Promise<Share> {
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
    await run.findObstacle();
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
