/** For the command `recheck`: compares the animals that an earlier run left (`footprint.json`) with what the target serves. Pure. */
import schema from '../../../schemas/suite/footprint.schema.json' with { type: 'json' };
import type { Answer } from '../../../fixtures/exchange/exchange.ts';
import { parseBody } from '../../../fixtures/exchange/read-body.ts';
import { makeSchemaCheck, readChecked } from '../../document/checked-json.ts';
import type { Report } from '../../document/report-document.ts';

/** The content of `footprint.json`, as a run writes it. */
export interface FootprintFile {
  run: string;
  target: string;
  embedded?: boolean;
  at?: string;
  adoptedBefore?: string[];
  animals: Report['footprint'];
}

/** An animal of a footprint. */
export type FootprintAnimal = FootprintFile['animals'][number];

/** The state of one animal. `undecided`: the answer does not show whether the animal exists. */
export type State = { kind: 'same' } | { kind: 'gone' } | { kind: 'changed' | 'undecided'; text: string };

const check = makeSchemaCheck(schema, 'first');

/** Reads a footprint. Returns the footprint, or the mistakes in the text. */
export function readFootprint(
  text: string | Uint8Array,
): { footprint: FootprintFile } | { mistakes: string[] } {
  const read = readChecked<FootprintFile>(text, check);
  return 'mistakes' in read ? read : { footprint: read.value };
}

/** Compares an answer of getPet with the answer of createPet. Members that the footprint lacks are not compared. */
export function compareAnimal({ id, name, categoryId, status }: FootprintAnimal, answer: Answer): State {
  if (answer.status === 404 || answer.status === 410) return { kind: 'gone' };
  if (answer.status !== 200)
    return { kind: 'undecided', text: `${id}: answered ${answer.status} ${answer.statusText}`.trim() };
  const body = parseBody(answer);
  if (body === undefined || body === null || typeof body !== 'object' || Array.isArray(body))
    return { kind: 'changed', text: `${id}: answered 200, but not with a Pet` };
  const shown: Record<string, unknown> = body;
  const differences = [
    describeMemberChange('id', id, shown.id),
    describeMemberChange('name', name, shown.name),
    ...(categoryId == null ? [] : [describeMemberChange('categoryId', categoryId, shown.categoryId)]),
    ...(status == null ? [] : [describeMemberChange('status', status, shown.status)]),
  ].filter((each) => each !== null);
  return differences.length === 0
    ? { kind: 'same' }
    : { kind: 'changed', text: `${id}: ${differences.join(', ')}` };
}

function describeMemberChange(member: string, before: string, now: unknown): string | null {
  const text = writeComparable(now);
  // The footprint holds only the beginning of a very long name.
  if (text === before || (before.length >= 10_000 && text?.startsWith(before) === true)) return null;
  const shown = text === null ? 'none' : JSON.stringify(text.slice(0, 100));
  return `${member} was ${JSON.stringify(before.slice(0, 100))} and is ${shown}`;
}

/** Returns a text or a number as text, so that int64 is compared by all its digits. Null if the value is something else. */
function writeComparable(value: unknown): string | null {
  // The footprint was written as UTF-8, which has no half surrogate pairs: they are replaced here too.
  if (typeof value === 'string') return Buffer.from(value).toString();
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : null;
}
