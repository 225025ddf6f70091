/**
 * Describes recorded requests by their circumstances: their place, requests before and beside them, their traits. A case is an answer, an
 * animal, or a row of a list. It is right or wrong, and has circumstances. Example: `{ isWrong: true, has: { connection: [5], trait:
 * ['with a limit'] } }` is a wrong answer to the 5th request of its connection, which had a limit. Pure.
 */
import { isSuccess, type Ask, type Exchange } from '../../fixtures/exchange/exchange.ts';
import { readMembers } from '../../fixtures/exchange/json.ts';
import { memoizeByObject, parseText } from '../../fixtures/exchange/memoize.ts';
import { parseBody } from '../../fixtures/exchange/read-body.ts';
import { readSpan } from '../../fixtures/exchange/span.ts';
import { readListQuery } from '../../fixtures/interface/list-query.ts';
import { explainInvalidBody } from '../../fixtures/interface/request-oracle.ts';
import { TRACE } from '../../fixtures/judgement/experiment.ts';
import { isKey, isWrongToken } from '../../fixtures/situations/credentials/credentials.ts';
import { nameTraits } from '../../fixtures/situations/request-traits.ts';

/** Seconds without a request after which a service, or a database behind it, may end a connection. */
const QUIET_SECONDS = [0.3, 0.5, 1, 2, 5, 10];

/**
 * The kind of a circumstance:
 * - `connection`, `run`: the place of the request there. `animal`: its place among the animals of the run. `row`: its place in its list.
 * - `quiet`: nothing was sent on the connection for some time before, e.g. for more than 2 s.
 * - `before`: a request before this one. `beside`: a request that was under way at the same time.
 * - `trait`: a header, a parameter or a member of the request.
 * - `added`: a circumstance of the createPet that added the animal, or a trait of its id. `addedBehind`: a request before this createPet.
 */
export type Kind = Place | 'quiet' | 'before' | 'beside' | 'trait' | 'added' | 'addedBehind';
type Place = 'connection' | 'run' | 'animal' | 'row';

export interface RecordedCase {
  isWrong: boolean;
  /** Equal for requests that differ only in their headers, or in an ordinary name. */
  request?: string;
  /** Its circumstances by kind. A number is a place, from 1 on, and comes first; a text is a name, e.g. `as the last row of a list`. */
  has: Readonly<Partial<Record<Kind, readonly (string | number)[]>>>;
}

export type Exchanges = readonly Exchange[];

export const isCreation = ({ ask }: Exchange) => ask.method === 'POST';
export const isAddition = (each: Exchange) => isCreation(each) && each.response?.status === 201;

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

/**
 * Returns the promise by which a createPet had to be refused, e.g. `create-pet.name-type`; null if its body is wrong in several ways, and
 * undefined if it is not wrong.
 */
export function findBodyMistake({ ask: { method, body } }: Exchange): string | null | undefined {
  return method === 'POST' && typeof body === 'string' ? explainInvalidBody(body)?.promise : undefined;
}

/** Returns `key`, `none`, `wrong` for a bearer token that is not the key, or `other`, e.g. for the key under another scheme. */
export function nameKey({ credential }: Pick<Ask, 'credential'>): string {
  if (credential === 'none') return 'none';
  if (isKey(credential)) return 'key';
  return isWrongToken(credential) ? 'wrong' : 'other';
}

export type Describe = (each: Exchange) => RecordedCase['has'];

/** Makes the function that describes the requests of a record. It keeps each result: each broken promise asks for the same requests. */
export function makeDescriber(record: Exchanges): Describe {
  // A service carries requests out in about the order of its answers, so this order says which request was earlier.
  const ended = record.toSorted((one, other) => readSpan(one).end - readSpan(other).end);
  return memoizeByObject((each) => {
    const { ask, begun, connection } = each;
    const earlier = ended.slice(0, ended.indexOf(each));
    const isAlike = (one: Exchange) => one.ask.operation === ask.operation && one.ask.credential === 'key';
    const ofConnection = record.filter((one) => connection !== undefined && one.connection === connection);
    const earlierOnConnection = ofConnection.slice(0, ofConnection.indexOf(each));
    const place = connection === undefined ? [] : [earlierOnConnection.length + 1];
    // The seconds since the request before on this connection has ended; negative for the first request of a connection.
    const seconds = (begun - readSpan(earlierOnConnection.at(-1) ?? each).end) / 1000;
    const quiet = QUIET_SECONDS.filter((least) => seconds > least);
    const beside = record.filter(
      (other) => other !== each && other.begun < readSpan(each).end && readSpan(other).end > begun,
    );
    // The earlier requests, from the last one of the same operation on: a service may keep something of them.
    const previous = earlier.slice(Math.max(0, earlier.findLastIndex(isAlike)));
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
        ...beside.flatMap((other) => {
          const name = `${other.ask.operation} that gets ${other.response?.status ?? 'no answer'}`;
          // Of two createPets under way, often only the one that came later fails, or only the one that came earlier.
          const when = other.begun < begun ? 'before' : 'after';
          return [other.ask.operation, ...nameList(other.ask, ask), name, `${name} and began ${when} it`];
        }),
        // A service may keep the user of a request for all requests: then it serves a request without the key meanwhile.
        ...(isKeyBeside ? ['request with the right key'] : []),
        ...(beside.some((other) => hasStatusOf(each, other)) ? ['createPet with its status'] : []),
        ...[3, 5, 7].flatMap((n) => (beside.length < n ? [] : `group of at least ${n} requests`)),
      ].map((one) => `while a ${one} is under way`),
      trait: [...nameTraits(ask), each.traceId === undefined ? 'with no traceparent' : TRACE],
    };
  });
}

/** True for two createPets with one status: a store may keep a list for each status, and lose the change of one of them. */
const hasStatusOf = (one: Exchange, other: Exchange) =>
  isAddition(one) && isAddition(other) && readRows(one)[0]?.['status'] === readRows(other)[0]?.['status'];

/** Returns the name of a NewPet in small letters: a store may have an index of unique names that takes `Rex` and `rex` for equal. */
const readName = memoizeByObject(({ ask: { body } }: Exchange): string | undefined =>
  typeof body === 'string' ? readMembers(parseText(body))['name']?.toString().toLowerCase() : undefined,
);

/** Returns the members of each row of a list, or of the one Pet of another answer. */
export function readRows({ response }: Exchange) {
  const value = isSuccess(response) ? parseBody(response) : null;
  return (Array.isArray(value) ? value : [value ?? null]).map(readMembers);
}

export const listIds: (each: Exchange) => ReadonlySet<string> = memoizeByObject(
  (each) => new Set(readRows(each).map(({ id }) => String(id))),
);
