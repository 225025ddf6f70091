/** Selects the tests of a run, in the form in which Playwright's reporter gives its selection. */
import type { CollectedTest, ReadTest } from '../../fixtures/lanes/collection.ts';
import { keyTest } from '../../fixtures/lanes/added-tests.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';
import { isAsked, selectIds } from './selected.ts';

/** A test that will run. */
export interface SelectedTest extends CollectedTest {
  /** The id of Playwright; without Playwright, a key of the test's place. */
  id: string;
  /** The titles of the describe blocks around the test. */
  about: string;
}

/** The selected tests. */
export interface Selection {
  /** Null if tests run in the workers. */
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
    id: keyTest(place),
    about: titles.slice(0, -1).join(' › '),
    place: { ...place, title: titles.at(-1) ?? place.title },
  };
}

/** Divides tests into shares of about equal size. A file is never divided; Playwright's `--shard` does the same. */
export function divideTests<Test extends CollectedTest>(all: readonly Test[], count: number): Test[][] {
  const files = [...new Set(all.map(({ place }) => place.file))].sort();
  const shares: Test[][] = Array.from({ length: count }, () => []);
  let before = 0;
  for (const file of files) {
    const tests = all.filter(({ place }) => place.file === file);
    const ends = (index: number) =>
      Math.floor(all.length / count) * (index + 1) + Math.min(all.length % count, index + 1);
    shares[shares.findIndex((_, index) => before < ends(index))]?.push(...tests);
    before += tests.length;
  }
  return shares;
}
