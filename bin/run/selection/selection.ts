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
  /** True if no test was left out. */
  isWhole: boolean;
  /** Ids that the selected tests verify. */
  ids: readonly string[];
}

/** A selection without tests that leaves nothing out. */
export const NOTHING: Selection = { tests: [], isWhole: true, ids: [] };

/** Returns the tests that the settings ask for. */
export function selectTests(settings: Settings, all: readonly ReadTest[]): Selection {
  const ids = selectIds(settings);
  const tests = ids.length === 0 ? all : all.filter((test) => isAsked(test, ids));
  return {
    tests: tests.map(selected),
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
