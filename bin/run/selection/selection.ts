/** Selects the tests of a run. Playwright's reporter makes a `Selection` of its own, from the tests that Playwright chose. */
import type { CollectedTest, ReadTest } from '../../../fixtures/asking/lanes/collection.ts';
import { nameTest } from '../../../fixtures/asking/lanes/added-tests.ts';
import type { Settings } from '../../../fixtures/settings/settings.ts';
import { isAsked, selectIds } from './selected.ts';

/** A test that will run. */
export interface SelectedTest extends CollectedTest {
  /** Playwright's id of the test; without Playwright, its file and title. */
  id: string;
  /** The titles of the describe blocks around the test. */
  about: string;
}

/** The selected tests. */
export interface Selection {
  /** The tests that run in this process; null if Playwright's workers run them. */
  tests: readonly SelectedTest[] | null;
  /** Every test of the suite. */
  all: readonly CollectedTest[];
  /** True if no test was left out. */
  isWhole: boolean;
  /** Ids that the selected tests verify. */
  ids: readonly string[];
}

/** A selection without tests that leaves nothing out. */
export const NOTHING: Selection = { tests: [], all: [], isWhole: true, ids: [] };

/** Returns the tests that the settings ask for; with a shard, only the share of this machine. */
export function selectTests(settings: Settings, all: readonly ReadTest[]): Selection {
  const { shard } = settings;
  const ids = selectIds(settings);
  const asked = ids.length === 0 ? all : all.filter((test) => isAsked(test, ids));
  const tests = shard === null ? asked : (divideTests(asked, shard.count)[shard.index - 1] ?? []);
  return {
    tests: tests.map(selected),
    all,
    isWhole: tests.length === all.length,
    ids: [...new Set(tests.flatMap(({ declared }) => declared.verifies))],
  };
}

function selected(test: ReadTest): SelectedTest {
  const { place, titles } = test;
  return {
    ...test,
    id: nameTest(place),
    about: titles.slice(0, -1).join(' › '),
    place: { ...place, title: titles.at(-1) ?? place.title },
  };
}

/**
 * Divides tests into `count` shares of about equal size. All tests of a file are in one share, as with Playwright's
 * `--shard`.
 */
export function divideTests<Test extends CollectedTest>(all: readonly Test[], count: number): Test[][] {
  const files = [...new Set(all.map(({ place }) => place.file))].sort();
  const shares: Test[][] = Array.from({ length: count }, () => []);
  // Share i ends at the test with this number. If 7 tests have 3 shares, the shares end at 3, 5 and 7.
  const endOf = (index: number) =>
    Math.floor(all.length / count) * (index + 1) + Math.min(all.length % count, index + 1);
  let before = 0;
  for (const file of files) {
    const tests = all.filter(({ place }) => place.file === file);
    // The number of the file's first test decides.
    shares[shares.findIndex((_, index) => before < endOf(index))]?.push(...tests);
    before += tests.length;
  }
  return shares;
}
