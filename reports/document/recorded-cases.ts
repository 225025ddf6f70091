/**
 * Lists the cases of a broken promise in the record of a run. A case is an answer, an animal, or a row of a list. It is right or wrong, and
 * has circumstances. Example: `{ isWrong: true, has: { connection: [5], trait: ['with a limit'] } }` is a wrong answer to the 5th request
 * of its connection, which had a limit. `circumstances.ts` then finds the circumstance that the wrong cases share.
 */
import { isSuccess, type Ask, type Exchange } from '../../fixtures/exchange/exchange.ts';
import { readMembers, writeJson } from '../../fixtures/exchange/json.ts';
import { memoizeByObject, parseText } from '../../fixtures/exchange/memoize.ts';
import { parseBody } from '../../fixtures/exchange/read-body.ts';
import { readSpan } from '../../fixtures/exchange/span.ts';
import { nameId } from '../../fixtures/exchange/value-traits.ts';
import { readListQuery } from '../../fixtures/interface/list-query.ts';
import { explainInvalidBody } from '../../fixtures/interface/request-oracle.ts';
import { TRACE } from '../../fixtures/judgement/experiment.ts';
import type { Flaw } from '../../fixtures/judgement/finding.ts';
import { isKey, isWrongToken } from '../../fixtures/situations/credentials/credentials.ts';
import { nameTraits } from '../../fixtures/situations/request-traits.ts';

/** Statuses of errors that are right for some requests. */
const DOCUMENTED = [400, 401, 404];
/** Seconds without a request after which a service, or a database behind it, may end a connection. */
const QUIET_SECONDS = [0.3, 0.5, 1, 2, 5, 10];

/**
 * The kind of a circumstance:
 * - `connection`, `run`: the place of the request on its connection, or in the run. `animal`, `row`: the place of the animal among the
 *   animals of the run, or of the row in its list.
 * - `quiet`: nothing was sent on the connection for some time before, e.g. for more than 2 s.
 * - `before`: a request before this one. `beside`: a request that was under way at the same time.
 * - `trait`: a header, a parameter or a member of the request.
 * - `added`: a circumstance of the createPet that added the animal, or a trait of its id. `addedBehind`: a request before this createPet.
 */
export type Kind =
  | ('connection' | 'run' | 'animal' | 'row')
  | ('quiet' | 'before' | 'beside' | 'trait' | 'added' | 'addedBehind');

export interface RecordedCase {
  isWrong: boolean;
  /** Equal for requests that differ only in their headers, or in an ordinary name. */
  request?: string;
  /** Its circumstances by kind. A number is a place, from 1 on, and comes first; a text is a name, e.g. `as the last row of a list`. */
  has: Readonly<Partial<Record<Kind, readonly (string | number)[]>>>;
}

/** A wrong answer (`exchange`). `promised`: the status that had to come. */
interface Wrong extends Pick<Flaw, 'requirement' | 'promised'> {
  exchange: Exchange;
  /** The createPet that added the animal of the flaw; undefined if the flaw does not name it. */
  creation?: Exchange | undefined;
  /** The pointer of the flaw, e.g. `/3/name`; null if it has none. */
  flawPointer: string | null;
  /** The same, but null if no single place in `exchange` is wrong: if a list lacks an animal, or three answers are compared. */
  rowPointer: string | null;
  /** Only of a list that lacks this animal: the id of the animal. */
  lacks?: string;
}

type Wrongs = readonly Wrong[];
type Exchanges = readonly Exchange[];

/** An answer that is compared with others. */
interface Compared {
  exchange: Exchange;
  isWrong: boolean;
  /** Circumstances that only a list which has to show animals can have, e.g. `about the animal that was added last`. */
  names?: readonly string[];
}

const isCreation = ({ ask }: Exchange) => ask.method === 'POST';
const isAddition = (each: Exchange) => isCreation(each) && each.response?.status === 201;

/**
 * Returns the wrong answers of each flaw. The first exchange of its evidence is wrong, with three exceptions:
 * - if a list shows the animal of a createPet that was refused, this createPet is wrong;
 * - if all are createPets, those that failed are wrong (`listFailed`);
 * - if a list lacks an animal, the list is wrong, and no single row of it.
 */
export function listWrong(flaws: readonly Flaw[], record: Exchanges): Wrong[] {
  const byId = new Map(record.map((each) => [each.id, each]));
  return flaws.flatMap(({ evidence, pointer, ...rest }): Wrong[] => {
    const flaw = { ...rest, flawPointer: pointer, rowPointer: pointer };
    const all = evidence.flatMap((id) => byId.get(id) ?? []);
    const isRefused = (each: Exchange) => isCreation(each) && (each.response?.status ?? 0) >= 400;
    const exchange = all.find(isRefused) ?? all[0];
    // The flaw of an experiment is left out: its exchange is not in the record.
    if (exchange === undefined || all.length < evidence.length) return [];
    // Example: the animal of a createPet is lost, or got the identifier of another one.
    if (all.every(isCreation))
      return listFailed(all).map((each) => ({ ...flaw, exchange: each, creation: each }));
    const creation = all.find(isCreation);
    const [lacks] = creation !== undefined && isAddition(creation) ? listIds(creation) : [];
    if (lacks !== undefined && exchange.ask.operation === 'listPets' && !listIds(exchange).has(lacks))
      return [{ ...flaw, exchange, rowPointer: null, creation, lacks }];
    // With three exchanges, the flaw compares createPet, getPet and a list: no single row is wrong.
    return [{ ...flaw, exchange, rowPointer: all.length > 2 ? null : pointer, creation }];
  });
}

/**
 * Returns the createPets of a flaw that have failed. If one came after the others, it got the identifier of an earlier animal. Of createPets
 * that were under way together, each may be at fault.
 */
function listFailed(creations: Exchanges): Exchanges {
  const last = creations.at(-1);
  const isInTurn = creations.every((each) => each === last || readSpan(each).end < (last?.begun ?? 0));
  return isInTurn ? creations.slice(-1) : creations;
}

/** Lists the wrong answers, and the right answers to the same operation with the same kind of key. */
export function compareAnswers(wrong: Wrongs, record: Exchanges): Compared[] {
  const [first] = wrong;
  if (first === undefined) return [];
  if (first.lacks !== undefined) return compareLists(wrong, record);
  // createPets that had to be refused are compared only with others that had to be refused.
  const ofFlaws = new Set(wrong.map(({ exchange }) => exchange));
  const nameSource = ({ ask }: Exchange) => `${ask.operation} ${ask.method} ${nameKey(ask)}`;
  const sources = new Set([...ofFlaws].map(nameSource));
  const hadToBeRefused = hasInvalidBody(first.exchange);
  const isCompared = (each: Exchange) =>
    sources.has(nameSource(each)) && hasInvalidBody(each) === hadToBeRefused;
  // Wrong are the answers of the flaws, and those with the same wrong status, whatever promise they break: each other 500, or 202 in place
  // of 201. A 400, 401 or 404 is wrong only if an equal request once succeeded. Without `promised`, the body is wrong and the status right.
  const came = first.exchange.response?.status ?? 0;
  const isWrongStatus = came >= 300 || (first.promised ?? came) !== came;
  const successes = record.filter(({ response }) => isSuccess(response));
  const served = new Set(successes.map(({ ask }) => writeRequest(ask)));
  const mayBeRight = ({ ask }: Exchange) => DOCUMENTED.includes(came) && !served.has(writeRequest(ask));
  const isWrong = (each: Exchange) =>
    ofFlaws.has(each) || (isWrongStatus && each.response?.status === came && !mayBeRight(each));
  return record
    .filter((each) => isCompared(each) && (isWrong(each) || isRightAnswer(each, first)))
    .map((exchange) => ({ exchange, isWrong: isWrong(exchange) }));
}

/** True for an answer that is right to compare with: answers that are neither right nor wrong in the same way are left out. */
function isRightAnswer({ ask, response }: Exchange, wrong: Wrong): boolean {
  const came = wrong.exchange.response?.status ?? 0;
  // A promise about the form of Errors: the other Errors with this status have the right form, e.g. those with 404.
  if (wrong.requirement.startsWith('errors.') && came < 500) return response?.status === came;
  if (ask.credential !== 'key') return response?.status === 401;
  if (response?.status === (wrong.promised ?? 200)) return true;
  // Any error is right for a createPet that had to be refused, any success for another request.
  return hasInvalidBody(wrong.exchange) ? !isSuccess(response) : isSuccess(response);
}

/**
 * Compares lists that have to show the missing animals: they have the same filter, and were sent after the answer to the createPet. Leaves
 * out a list that is as long as its limit and lacks an animal: the list has no room for it.
 */
function compareLists(wrong: Wrongs, record: Exchanges): Compared[] {
  const lists = record.filter(({ ask }) => ask.operation === 'listPets' && ask.credential === 'key');
  const additions = record.filter(isAddition);
  // By connection: when its first list began. `record` is in the order of the beginnings.
  const firstLists = new Map(lists.toReversed().map(({ connection, begun }) => [connection, begun]));
  const missing = wrong.flatMap(({ exchange: { ask }, creation, lacks = '' }) =>
    creation ? [{ creation, lacks, filter: readListQuery(ask.path)?.filter }] : [],
  );
  return lists.flatMap((list): Compared[] => {
    const { filter, limit = 0 } = readListQuery(list.ask.path) ?? {};
    // The animals that this list has to show (owes).
    const owed = missing.filter((each) => each.filter === filter && readSpan(each.creation).end < list.begun);
    const lacked = owed.filter(({ lacks }) => !listIds(list).has(lacks));
    const isWrong = lacked.length > 0;
    if (!isSuccess(list.response) || owed.length === 0 || (isWrong && listIds(list).size >= limit)) return [];
    const names = (isWrong ? lacked : owed).flatMap(({ creation: { begun } }) => {
      const isLast = !additions.some((each) => each.begun > begun && readSpan(each).end < list.begun);
      const hasEarlierList = (firstLists.get(list.connection) ?? Infinity) < begun;
      return [
        isLast && 'about the animal that was added last',
        hasEarlierList && 'on a connection with a list from before the animal was added',
      ].filter((each) => each !== false);
    });
    return [{ exchange: list, isWrong, names }];
  });
}

/** Names the requests of the compared answers: `createPet with a body that must be refused`, `listPets and getPet without the right key`. */
export function nameCompared(wrong: Wrongs): string {
  const [first] = wrong;
  if (first === undefined) return '';
  const keys = new Set(wrong.map(({ exchange }) => nameKey(exchange.ask)));
  const withoutKey = keys.size === 1 && keys.has('wrong') ? ' with a wrong key' : ' without the right key';
  const names = new Set(
    wrong.map(({ exchange: { ask } }) => (ask.operation === 'other' ? 'other requests' : ask.operation)),
  );
  return `${[...names].join(' and ')}${names.size === 1 && hasInvalidBody(first.exchange) ? ' with a body that must be refused' : ''}${keys.has('key') ? '' : withoutKey}`;
}

/** Lists the compared answers as cases, with the circumstances of their requests. */
export function listRequests(wrong: Wrongs, record: Exchanges, describe: Describe): RecordedCase[] {
  // Server errors often come one after the other, and none causes the next. So a circumstance such as `after a getPet that gets 500` is
  // left out if the promise is broken with a 500.
  const error = wrong.map(({ exchange }) => exchange.response?.status ?? 0).find((status) => status >= 500);
  const isOfError = (name: string | number) => error !== undefined && `${name}`.includes(`gets ${error}`);
  return compareAnswers(wrong, record).map(({ exchange, isWrong, names }) => {
    const has = describe(exchange);
    const before = [...(has.before ?? []), ...(names ?? [])].filter((each) => !isOfError(each));
    // If lists lack an animal (`names`), the place in the run would only seem to decide: all later lists lack a lost animal.
    return {
      isWrong,
      request: writeRequest(exchange.ask),
      has: { ...has, before, ...(names && { run: [] }) },
    };
  });
}

/**
 * Names an earlier request by facts that a service may keep until a later request: its answer, its wrong key, the query of a list. Example:
 * `getPet that gets 404`, `request that gets 404`, `request that gets 4xx`.
 */
function nameRequest({ ask, response }: Exchange, later: Ask): string[] {
  const status = response?.status ?? 0;
  return [
    `${ask.operation} that gets ${status}`,
    `request that gets ${status}`,
    ...(status >= 400 && status < 500 ? ['request that gets 4xx'] : []),
    ...(nameKey(ask) === 'wrong' ? ['request with a wrong key'] : []),
    ...nameList(ask, later),
  ];
}

/** Names a list by its query, and by its differences to the query of another request: `list with a limit`, `list with another limit`. */
function nameList({ operation, path }: Ask, other: Ask): string[] {
  const query = readListQuery(path);
  if (query === null || operation !== 'listPets') return [];
  const { filter, limit } = readListQuery(other.path) ?? query;
  const names = [query.filter === '' ? 'no status' : 'a status', query.hasLimit ? 'a limit' : 'no limit'];
  if (limit !== query.limit) names.push('another limit');
  if (filter !== query.filter)
    names.push('another status', ...(limit === query.limit ? ['its limit and another status'] : []));
  return names.map((each) => `list with ${each}`);
}

/** True for a createPet that had to be refused. */
function hasInvalidBody({ ask: { body } }: Exchange): boolean {
  return typeof body === 'string' && explainInvalidBody(body) !== null;
}

/** Returns `key`, `none`, `wrong` for a bearer token that is not the key, or `other`, e.g. for the key under another scheme. */
function nameKey({ credential }: Pick<Ask, 'credential'>): string {
  if (credential === 'none') return 'none';
  if (isKey(credential)) return 'key';
  return isWrongToken(credential) ? 'wrong' : 'other';
}

/** Returns a text that is equal for equal requests: `GET /pets/7 undefined "key"`. Ordinary names are left out. */
function writeRequest({ method, path, body, credential }: Ask): string {
  return `${method} ${path} ${String(body).replace(/"name":"[A-Za-z]*"/, '')} ${JSON.stringify(credential)}`;
}

type Describe = (each: Exchange) => RecordedCase['has'];

/** Makes the function that describes the requests of a record. It keeps each result: each broken promise asks for the same requests. */
export function makeDescriber(record: Exchanges): Describe {
  // A service carries requests out in about the order of its answers, so this order says which request was earlier.
  const ended = record.toSorted((one, other) => readSpan(one).end - readSpan(other).end);
  return memoizeByObject((each) => {
    const { ask, begun } = each;
    const earlier = ended.slice(0, ended.indexOf(each));
    const isOfOperation = (other: Exchange) =>
      other.ask.operation === ask.operation && other.ask.credential === 'key';
    const ofConnection = record.filter(({ connection }) => connection === (each.connection ?? null));
    const earlierOnConnection = ofConnection.slice(0, ofConnection.indexOf(each));
    const place = each.connection === undefined ? [] : [earlierOnConnection.length + 1];
    // The seconds since the request before on this connection has ended; negative for the first request of a connection.
    const seconds = (begun - readSpan(earlierOnConnection.at(-1) ?? each).end) / 1000;
    const quiet = QUIET_SECONDS.filter((least) => seconds > least);
    const beside = record.filter(
      (other) => other !== each && other.begun < readSpan(each).end && readSpan(other).end > begun,
    );
    // The earlier requests, from the last one of the same operation on: a service may keep something of them.
    const previous = earlier.slice(Math.max(0, earlier.findLastIndex(isOfOperation)));
    const newest = earlier.findLast(isAddition);
    const isNewest = newest !== undefined && listIds(newest).has(ask.path.slice('/pets/'.length));
    const name = readName(each);
    const isNameKnown = name !== undefined && earlier.some((other) => readName(other) === name);
    const isKeyBeside = ask.credential !== 'key' && beside.some((other) => other.ask.credential === 'key');
    const nameAll = (prefix: string, some: Exchanges, suffix = '') =>
      [...new Set(some.flatMap((one) => nameRequest(one, ask)))].map((one) => `${prefix} ${one}${suffix}`);
    return {
      connection: place,
      run: [record.indexOf(each) + 1],
      quiet: quiet.map((least) => `after more than ${least} s of silence on its connection`),
      before: [
        ...nameAll('directly after a', earlierOnConnection.slice(-1), ' on its connection'),
        ...nameAll('after a', earlierOnConnection, ' on its connection'),
        ...nameAll('directly after a', previous.slice(-1)),
        ...nameAll(`as the first ${ask.operation} after a`, previous),
        ...(isNewest ? ['about the animal that was added last'] : []),
        ...(isNameKnown ? ['with the name of an earlier NewPet'] : []),
      ],
      beside: [
        ...beside.flatMap((other) => [other.ask.operation, ...nameList(other.ask, ask)]),
        // A service may keep the user of a request for all requests: then it serves a request without the key meanwhile.
        ...(isKeyBeside ? ['request with the right key'] : []),
        ...(beside.filter(isOfOperation).length > 1 ? [`second other ${ask.operation}`] : []),
      ].map((one) => `while a ${one} is under way`),
      trait: [...nameTraits(ask), each.traceId === undefined ? 'with no traceparent' : TRACE],
    };
  });
}

/** Returns the name of a NewPet in small letters: a store may have an index of unique names that takes `Rex` and `rex` for equal. */
const readName = memoizeByObject(({ ask: { body } }: Exchange): string | undefined =>
  typeof body === 'string' ? readMembers(parseText(body))['name']?.toString().toLowerCase() : undefined,
);

/** The only `beside` circumstance of a createPet that is also one of its animal: other requests do not change animals. */
const BESIDE_ADDITION = 'while a createPet is under way';

/**
 * Lists the animals of the run as cases, in the order of their identifiers, with the circumstances of their createPets. An animal is wrong
 * if a flaw is about it, or if a read shows another value of it than its 201. It is also wrong if no answer of the failing kind shows it.
 * Left out:
 * - animals that neither flaws nor answers name;
 * - an animal that some lists show and others lack: then the circumstances of the lists decide, not those of the animal.
 */
export function listAnimals(wrong: Wrongs, record: Exchanges, describe: Describe): RecordedCase[] {
  const [first] = wrong;
  if (first === undefined) return [];
  // The animals of the flaws, each by its path, `/pets/7`, or by the id of the exchange that added it, `x12`.
  const ofFlaws = new Set(
    wrong.flatMap(({ exchange, creation, rowPointer }) => {
      const row = `/pets/${String(findListRow(exchange, rowPointer)?.['id'])}`;
      return exchange.ask.operation === 'getPet' ? [exchange.ask.path] : [creation?.id, row];
    }),
  );
  const rows = record.filter(({ ask }) => isReadOfKind(ask, first)).flatMap(readRows);
  const shown = new Set(rows.map(({ id }) => String(id)));
  // A flaw about lost animals has only the createPets of a few (`create-pet.kept`). Then each animal that no read shows counts as lost.
  const isOfLost =
    first.exchange === first.creation && first.rowPointer === null && isAddition(first.exchange);
  const additions = record.filter(isAddition).map((creation): Addition => {
    const [pet = {}] = readRows(creation);
    return { creation, pet, id: String(pet['id']) };
  });
  const changed = findChanged(first, additions, rows);
  return sortAdditions(additions).flatMap(({ creation, id, pet }, index): RecordedCase[] => {
    const isOfFlaw = ofFlaws.has(`/pets/${id}`) || ofFlaws.has(creation.id) || changed.has(id);
    const isShown = shown.has(id);
    const isOfLists = isShown && isOfFlaw && first.lacks !== undefined;
    const isUnread = !isShown && !isOfFlaw && !isOfLost;
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
 * flaw names only a few animals, so all are compared. A flaw without a member finds none, because the `id` of a row never differs.
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
  const others = beside.filter((each) => each === BESIDE_ADDITION).map((each) => `added ${each}`);
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

/** Returns the members of each row of a list, or of the one Pet of another answer. */
function readRows({ response }: Exchange) {
  const value = isSuccess(response) ? parseBody(response) : null;
  return (Array.isArray(value) ? value : [value ?? null]).map(readMembers);
}

const listIds: (each: Exchange) => ReadonlySet<string> = memoizeByObject(
  (each) => new Set(readRows(each).map(({ id }) => String(id))),
);
