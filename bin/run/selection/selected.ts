import { readReplayToken } from '../../../fixtures/asking/properties/replay-token.ts';
import { REQUIREMENTS, SILENCES } from '../../../fixtures/interface/requirements.ts';
import type { ReadTest } from '../../../fixtures/asking/lanes/collection.ts';
import type { Settings } from '../../../fixtures/settings/settings.ts';

/**
 * Returns the ids that --only or --replay asks for; empty if everything is asked. `--only list-pets` (a stem) becomes
 * every requirement and every open question whose id begins with `list-pets.`.
 */
export function selectIds({ only, replay }: Pick<Settings, 'only' | 'replay'>): string[] {
  if (replay !== null) return [`property.${readReplayToken(replay)?.id}`];
  const all = [...Object.keys(REQUIREMENTS), ...Object.keys(SILENCES)];
  return only.flatMap((each) =>
    each.includes('.') ? [each] : all.filter((id) => id.startsWith(`${each}.`)),
  );
}

/** Returns a pattern for the tags of tests about these ids. It matches whole tags only. */
export function filterByTag(ids: readonly string[]): RegExp {
  return new RegExp(`@(${ids.map((id) => id.replaceAll('.', '\\.')).join('|')})(?!\\S)`);
}

/** True if a tag of the test names one of `ids`, or if the test searches the property of a replay (`property.<id>`). */
export function isAsked({ tags, declared }: ReadTest, ids: readonly string[]): boolean {
  return filterByTag(ids).test(tags.join(' ')) || ids.includes(`property.${declared.property}`);
}

/** Returns the id that Playwright's own command selects (`--grep @list-pets.limit`), or null. */
export function tagSelected(argv: readonly string[]): string | null {
  const known = new Set([...Object.keys(REQUIREMENTS), ...Object.keys(SILENCES)]);
  const values = argv.flatMap((word, index) =>
    word === '--grep' || word === '-g'
      ? (argv[index + 1] ?? [])
      : (/^(?:--grep|-g)=(.*)$/.exec(word)?.[1] ?? []),
  );
  const id = values.at(-1)?.replace(/^@/, '').replaceAll('\\.', '.') ?? '';
  return values.at(-1)?.startsWith('@') && known.has(id) ? id : null;
}
