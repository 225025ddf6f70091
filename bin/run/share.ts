/** What of the budgets a machine gets that runs a share of the tests: as much as they need, of what all shares need together. */
import type { CollectedTest } from '../../fixtures/lanes/collection.ts';
import { runInProcess } from '../../fixtures/lanes/in-process.ts';
import type { Share } from '../../fixtures/session/run-limits.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';
import { sharesOf } from '../selection/selection.ts';
import { openRun } from './run.ts';

/** Needs are rounded up to these, so that every machine comes to the same parts although no two dry runs are equal. */
const STEP: Omit<Share, 'wrongKeys'> = { animals: 10, requests: 50 };

/** @param share its part of all tests @param all every test of the suite. A dry run on the embedded reference says what each share needs */
export async function shareOf(
  { index, count }: { index: number; count: number },
  share: readonly CollectedTest[],
  all: readonly CollectedTest[],
  settings: Settings,
): Promise<Share> {
  const needs: Share[] = [];
  for (const [at, tests] of sharesOf(all, count).entries())
    needs.push(await needOf(at === index - 1 ? share : tests, settings));
  const own = needs[index - 1];
  const part = (budget: keyof Share) =>
    (own?.[budget] ?? 0) / needs.reduce((sum, each) => sum + each[budget], 0);
  return { animals: part('animals'), requests: part('requests'), wrongKeys: part('wrongKeys') };
}

/** What a machine has been refused only that machine knows: so each looks whether refusals of its own have added anything. */
const OF_EVERY_SHARD: readonly string[] = ['create-pet.refusal-adds-nothing', 'authentication.no-effect'];

/** Whether a test is run by every machine, besides its share. */
export function ofEveryShard({ declared }: Pick<CollectedTest, 'declared'>): boolean {
  return declared.phase === 'last' && declared.verifies.some((id) => OF_EVERY_SHARD.includes(id));
}

/** Whether this machine sends the names without a mark: the one that has the first test of them, so that each stays at the target once. */
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
      STEP[budget] * Math.ceil((spent[budget] + 1) / STEP[budget]);
    // all dry runs present the same wrong keys
    return {
      animals: rounded('animals'),
      requests: rounded('requests'),
      wrongKeys: Math.max(1, spent.wrongKeys),
    };
  } finally {
    await run.close();
  }
}
