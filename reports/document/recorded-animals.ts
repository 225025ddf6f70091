/** Lists the animals of a run, and the rows of its lists, as cases of a broken promise. Pure. */
import type { Ask, Exchange } from '../../fixtures/exchange/exchange.ts';
import { type readMembers, writeJson } from '../../fixtures/exchange/json.ts';
import { readSpan } from '../../fixtures/exchange/span.ts';
import { nameId } from '../../fixtures/exchange/value-traits.ts';
import { isAddition, readRows } from './describe-requests.ts';
import type { Describe, Exchanges, RecordedCase } from './describe-requests.ts';
import type { Wrong, Wrongs } from './wrong-answers.ts';

/**
 * Lists the animals of the run as cases, in the order of their identifiers, with the circumstances of their createPets. An animal is wrong
 * if a flaw is about it, or if a read shows another value of it than its 201. It is also wrong if no answer of the failing kind shows it.
 * Left out:
 * - animals that neither flaws nor answers name;
 * - an animal that some lists show and others lack, because the circumstances of the lists decide about it.
 */
export function listAnimals(wrong: Wrongs, record: Exchanges, describe: Describe): RecordedCase[] {
  const [first] = wrong;
  if (first === undefined) return [];
  // The animals of the flaws, each by its path, `/pets/7`, or by the id of the exchange that added it, `x12`.
  const ofFlaws = new Set(
    wrong.flatMap(({ exchange, creation, rowPointer }) => {
      const row = creation ? readRows(creation)[0] : findListRow(exchange, rowPointer);
      return exchange.ask.operation === 'getPet'
        ? [exchange.ask.path]
        : [creation?.id, `/pets/${String(row?.['id'])}`];
    }),
  );
  const rows = record.filter(({ ask }) => isReadOfKind(ask, first)).flatMap(readRows);
  const shown = new Set(rows.map(({ id }) => String(id)));
  // A flaw about lost animals has only the createPets of a few (`create-pet.kept`). Then each animal that no read shows counts as lost.
  const isLoss = first.requirement === 'create-pet.kept' && isAddition(first.exchange);
  const additions = record.filter(isAddition).map((creation): Addition => {
    const [pet = {}] = readRows(creation);
    return { creation, pet, id: String(pet['id'] ?? creation.id) };
  });
  // Of two animals with one identifier, only the later one is wrong.
  const latest = new Map(additions.map(({ id, creation }) => [id, creation]));
  const changed = findChanged(first, additions, rows);
  return sortAdditions(additions).flatMap(({ creation, id, pet }, index): RecordedCase[] => {
    const isTwice = latest.get(id) !== creation;
    const isOfFlaw = !isTwice && (ofFlaws.has(`/pets/${id}`) || ofFlaws.has(creation.id) || changed.has(id));
    const isShown = shown.has(id);
    const isOfLists = isShown && isOfFlaw && first.lacks !== undefined;
    const isUnread = !isShown && !isOfFlaw && !isLoss;
    if (isOfLists || isUnread) return [];
    const isTwin = additions.filter((each) => each.pet['name'] === pet['name']).length > 1;
    const names = [...(isTwin ? ['added with the name of another animal'] : []), ...nameId(id)];
    return [{ isWrong: isOfFlaw || !isShown, has: describeAnimal(index + 1, describe(creation), names) }];
  });
}

/** True for a read of the kind that fails: only these reads show if an animal is right. */
function isReadOfKind({ operation, path, method }: Ask, { exchange, lacks }: Wrong): boolean {
  const { ask: failed } = exchange;
  if (method !== 'GET') return false;
  // A list lacks an animal: lists count, with a filter by status if that list had one, else without.
  if (lacks !== undefined)
    return operation === failed.operation && path.includes('status=') === failed.path.includes('status=');
  // Only for a failure of getPet, lists do not count.
  return failed.operation !== 'getPet' || operation === 'getPet';
}

type Row = ReturnType<typeof readMembers>;
/** An animal of the run: its createPet, and its members in the 201 (`pet`). */
type Addition = Readonly<{ creation: Exchange; pet: Row; id: string }>;

/**
 * Returns the ids of animals whose member differs from the 201 in a read. The member is the one of the flaw, e.g. `name` of `/3/name`: the
 * flaw names only a few animals, so all are compared. Without a member the `id` is compared: it differs only in its type, e.g. "7" and 7.
 */
function findChanged(flaw: Wrong, additions: readonly Addition[], rows: readonly Row[]): Set<string> {
  // False e.g. for `/code` of an Error: such a flaw names no createPet, and one place of one answer.
  const isOfAnimal = flaw.creation !== undefined || flaw.rowPointer === null;
  const [, member = 'id'] = /\/(\w+)$/.exec((isOfAnimal && flaw.flawPointer) || '') ?? [];
  const writeMember = (row: Row) => writeJson(row[member] ?? null);
  const memberIn201 = new Map(additions.map(({ id, pet }) => [id, writeMember(pet)]));
  const changed = rows.filter((row) => writeMember(row) !== memberIn201.get(String(row['id'])));
  return new Set(changed.map(({ id }) => String(id)));
}

/** Sorts by the ids, if these count up: they order also animals that were added at the same time. Else sorts by the times of the 201. */
function sortAdditions(additions: readonly Addition[]): Addition[] {
  // A few ids may be out of order, e.g. 1, 2, 4, 3, 5.
  const outOfOrder = additions.filter(({ id }, index) => Number(id) < Number(additions[index - 1]?.id));
  if (outOfOrder.length < additions.length / 4)
    return additions.toSorted((one, other) => Number(one.id) - Number(other.id));
  return additions.toSorted((one, other) => readSpan(one.creation).end - readSpan(other.creation).end);
}

/**
 * Returns the circumstances of an animal.
 * @param place its number among the animals of the run, from 1 on
 * @param has the circumstances of its createPet: `with no status` becomes `added with no status`
 * @param names other names that the animal has, e.g. `with an id divisible by 7`
 */
function describeAnimal(
  place: number,
  { connection, beside = [], before = [], ...has }: RecordedCase['has'],
  names: readonly string[],
): RecordedCase['has'] {
  const isText = (each: string | number) => typeof each === 'string';
  const first = connection?.[0] === 1 ? ['as the first request of a connection'] : [];
  const added = [...first, ...Object.values(has).flat().filter(isText)].map((each) => `added ${each}`);
  // No other request under way changes the new animal.
  const others = beside.flatMap((each) => (/^while a createPet /.test(`${each}`) ? `added ${each}` : []));
  const addedBehind = before.map((each) => `added ${each}`);
  return { animal: [place], added: [...added, ...names], addedBehind, beside: others };
}

/**
 * Lists rows of lists as cases: the rows about animals of which a flaw names a wrong row, in all lists with two rows or more. A row is
 * wrong if a flaw names an equal row, or if it differs from the answer to the createPet that the flaw names.
 */
export function listRows(wrong: Wrongs, record: Exchanges): RecordedCase[] {
  // By the id of an animal of a wrong row: the answer of its createPet; undefined if the flaw does not name it.
  const added = new Map<string, string | undefined>();
  const wrongRows = new Set<string>();
  for (const { exchange, rowPointer, creation } of wrong) {
    const row = findListRow(exchange, rowPointer);
    if (row === undefined) continue;
    wrongRows.add(writeJson(row));
    added.set(String(row['id']), creation && writeJson(readRows(creation)[0]));
  }
  const lists = record.filter(({ ask }) => ask.operation === 'listPets' && wrongRows.size > 0).map(readRows);
  return lists.flatMap((rows) =>
    rows.flatMap((row, index): RecordedCase[] => {
      const id = String(row['id']);
      if (!added.has(id) || rows.length === 1) return [];
      const text = writeJson(row);
      const isWrong = wrongRows.has(text) || text !== (added.get(id) ?? text);
      const names = index + 1 === rows.length ? ['as the last row of a list'] : [];
      return [{ isWrong, has: { row: [index + 1, ...names] } }];
    }),
  );
}

/** Returns the row of a list that a pointer is about, e.g. the fourth for `/3/name`; undefined if it is about none, e.g. `/name`. */
function findListRow(list: Exchange, pointer: string | null) {
  return readRows(list)[Number(/^\/(\d+)\//.exec(pointer ?? '')?.[1])];
}
