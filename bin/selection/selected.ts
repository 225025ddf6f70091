import { readToken } from '../../fixtures/properties/replay-token.ts';
import { REQUIREMENTS, SILENCES } from '../../fixtures/interface/requirements.ts';
import type { ReadTest } from '../../fixtures/lanes/collection.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';

/** The ids that --only asks for, and the property that --replay does; empty: all. Stems become their ids, open questions among them. */
export function selectedIds({ only, replay }: Pick<Settings, 'only' | 'replay'>): string[] {
  if (replay !== null) return [`property.${readToken(replay)?.id}`];
  const all = [...Object.keys(REQUIREMENTS), ...Object.keys(SILENCES)];
  return only.flatMap((each) =>
    each.includes('.') ? [each] : all.filter((id) => id.startsWith(`${each}.`)),
  );
}

/** What the tags of a test must match so that it is asked: the whole of a tag, not only its beginning. */
export function taggedWith(ids: readonly string[]): RegExp {
  return new RegExp(`@(${ids.map((id) => id.replaceAll('.', '\\.')).join('|')})(?!\\S)`);
}

/** Whether a test is about one of these, or searches by the property of a replay. */
export function isAsked({ tags, declared }: ReadTest, ids: readonly string[]): boolean {
  return taggedWith(ids).test(tags.join(' ')) || ids.includes(`property.${declared.property}`);
}

/** The tag of one requirement or open question that the runner's own command was asked to select (`--grep @list-pets.limit`), or null. */
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
