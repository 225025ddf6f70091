/** Selects the tests of a run by --only, --failed or --replay. If Playwright was started, `runner/reporter.ts` makes the `Selection`. */
import type { CollectedTest, ReadTest } from '../../../fixtures/asking/lanes/collection.ts';
import type { Settings } from '../../../fixtures/settings/settings.ts';
import { readReplayToken } from '../../../fixtures/asking/properties/replay-token.ts';
import { REQUIREMENTS, SILENCES } from '../../../fixtures/interface/requirements.ts';

export interface SelectedTest extends CollectedTest {
  /** Playwright's id of the test; without Playwright, its titles: `GET /pets › shows 20 animals`. */
  id: string;
  /** The titles of the describe blocks around the test; `place.title` is its own title alone. */
  about: string;
}

export interface Selection {
  /** The tests that run in this process; null if Playwright's workers run them. */
  tests: readonly SelectedTest[] | null;
  /** True if no test was left out. */
  isWhole: boolean;
  /** Ids that the selected tests verify. */
  ids: readonly string[];
}

/** Ids of requirements and open questions. */
const IDS = [...Object.keys(REQUIREMENTS), ...Object.keys(SILENCES)];

/** Returns the tests that the settings ask for. */
export function selectTests(settings: Settings, all: readonly ReadTest[]) {
  const ids = selectIds(settings);
  const tests = ids.length === 0 ? all : all.filter((test) => isAsked(test, ids));
  return {
    tests: tests.map(makeSelectedTest),
    isWhole: tests.length === all.length,
    ids: [...new Set(tests.flatMap(({ declared }) => declared.verifies))],
  };
}

/** Returns the test as it will run. `place.title` of a ReadTest has all its titles; `place.title` of a SelectedTest has only the last one. */
function makeSelectedTest(test: ReadTest): SelectedTest {
  const { place, titles } = test;
  return {
    ...test,
    id: place.title,
    about: titles.slice(0, -1).join(' › '),
    place: { file: place.file, title: titles.at(-1) ?? place.title },
  };
}

/**
 * Returns the ids that --only or --replay asks for; empty if everything is asked. `--only list-pets` (a stem) becomes
 * every requirement and every open question whose id begins with `list-pets.`.
 */
export function selectIds({ only, replay }: Pick<Settings, 'only' | 'replay'>): string[] {
  if (replay !== null) return [`property.${readReplayToken(replay)?.id}`];
  return only.flatMap((each) =>
    each.includes('.') ? [each] : IDS.filter((id) => id.startsWith(`${each}.`)),
  );
}

/** Returns a pattern for the tags of tests about these ids. It matches whole tags only: `@list-pets.limit`, not `@list-pets.limit-zero`. */
export function filterByTag(ids: readonly string[]): RegExp {
  return new RegExp(`@(${ids.map((id) => id.replaceAll('.', '\\.')).join('|')})(?!\\S)`);
}

/** True if a tag of the test names one of `ids`, or if --replay asks for its property (`property.<id>`). */
export function isAsked({ tags, declared }: ReadTest, ids: readonly string[]): boolean {
  return filterByTag(ids).test(tags.join(' ')) || ids.includes(`property.${declared.property}`);
}

/** Returns the id that Playwright's own command selects (`--grep @list-pets.limit`), or null. playwright.config.ts calls it. */
export function findSelectedTag(argv: readonly string[]): string | null {
  let pattern = '';
  for (const [index, word] of argv.entries()) {
    // The last of several counts. `--grep=x` has its value in the word, `--grep x` in the next word.
    const [, flag, value] = /^(--grep|-g)(?:=(.*))?$/.exec(word) ?? [];
    if (flag !== undefined) pattern = value ?? argv[index + 1] ?? pattern;
  }
  const id = pattern.replace(/^@/, '').replaceAll('\\.', '.');
  return pattern.startsWith('@') && IDS.includes(id) ? id : null;
}
