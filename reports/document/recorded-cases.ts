/**
 * Lists the recorded answers, animals and rows that a broken promise is about, wrong and right ones. Each has its circumstances,
 * e.g. that it was the 5th request of its connection. `circumstances.ts` finds the one that decides.
 */
import { isAnswered, isSuccess, type Exchange } from '../../fixtures/exchange/exchange.ts';
import { readMembers, writeJson } from '../../fixtures/exchange/json.ts';
import { keepWhile } from '../../fixtures/exchange/memoize.ts';
import { parseBody } from '../../fixtures/exchange/read-body.ts';
import { readSpan } from '../../fixtures/exchange/span.ts';
import { invalidBodyOf } from '../../fixtures/interface/request-oracle.ts';
import { TRACE } from '../../fixtures/judgement/experiment.ts';
import type { Flaw } from '../../fixtures/judgement/finding.ts';
import { nameTraits } from './recorded-traits.ts';

/** Errors that the document promises for some requests: they may be right. */
const DOCUMENTED = [400, 401, 404];
/** The most other requests under way that are counted. */
const MOST_BESIDE = 8;

/**
 * The kind of a circumstance. `connection`, `run`: the place of the request on its connection, or in the run. `animal`: the place
 * of the animal among those of the run. `row`: the place in a list. `before`, `beside`: requests before it, or under way with it.
 * `trait`: a header, a parameter or a member of the request. `added`: a circumstance of the createPet of the animal.
 */
export type Kind =
  | 'connection'
  | 'run'
  | 'animal'
  | 'row'
  | 'before'
  | 'beside'
  | 'header'
  | 'trait'
  | 'added';

/**
 * One answer, one animal or one row of a list. A circumstance is a place, from 1 on, or a text such as `as the last row of a list`.
 * Of each kind, the place comes first.
 */
export interface RecordedCase {
  isWrong: boolean;
  has: Readonly<Partial<Record<Kind, readonly (string | number)[]>>>;
}

/** A wrong answer, the place in it, and the creation of its animal. */
interface Wrong {
  exchange: Exchange;
  pointer: string | null;
  creation: Exchange | undefined;
}

/**
 * Returns the wrong answer of each flaw: the first error among its exchanges, else the last exchange. Flaws with an exchange that is
 * not in the record, such as an experiment, are left out.
 */
export function listWrong(flaws: readonly Flaw[], record: readonly Exchange[]): Wrong[] {
  const byId = new Map(record.map((each) => [each.id, each]));
  return flaws.flatMap(({ evidence, pointer }) => {
    const all = evidence.flatMap((id) => byId.get(id) ?? []);
    const exchange = all.find(({ response }) => (response?.status ?? 0) >= 400) ?? all.at(-1);
    if (exchange === undefined || all.length < evidence.length) return [];
    // Each of these createPets has failed: its animal is lost, or is confused with another one.
    if (all.every(({ ask }) => ask.method === 'POST'))
      return all.map((each) => ({ exchange: each, pointer, creation: each }));
    // With three exchanges, the flaw compares createPet, getPet and a list: it is about no row.
    const place = all.length > 2 ? null : pointer;
    return [{ exchange, pointer: place, creation: all.find(({ ask }) => ask.method === 'POST') }];
  });
}

/**
 * Lists the wrong answers, and the right answers of the same operation with the same kind of key. Other answers with the status of the first wrong
 * one count as wrong too, whatever promise they break: each 500, but a 404 only if the same request has succeeded at another time.
 */
export function compareAnswers(
  [first, ...others]: readonly Wrong[],
  record: readonly Exchange[],
): { exchange: Exchange; isWrong: boolean }[] {
  if (first === undefined) return [];
  const known = new Set([first, ...others].map(({ exchange }) => exchange));
  const came = first.exchange.response?.status ?? 0;
  const served = new Set(
    record.flatMap(({ ask, response }) => (isSuccess(response) ? writeRequest(ask) : [])),
  );
  const isSameError = ({ ask, response }: Exchange) =>
    response?.status === came && came >= 300 && (!DOCUMENTED.includes(came) || served.has(writeRequest(ask)));
  const isWrong = (each: Exchange) => known.has(each) || isSameError(each);
  const { operation } = first.exchange.ask;
  const keys = new Set([...known].map(({ ask }) => nameKey(ask)));
  const isRefusal = hasInvalidBody(first.exchange);
  const isRight = ({ ask, response }: Exchange) =>
    ask.credential === 'key' ? isSuccess(response) !== isRefusal : response?.status === 401;
  return record
    .filter(({ ask }) => ask.operation === operation && keys.has(nameKey(ask)))
    .filter((each) => hasInvalidBody(each) === isRefusal)
    .filter((each) => isWrong(each) || isRight(each))
    .map((exchange) => ({ exchange, isWrong: isWrong(exchange) }));
}

/** Names the requests whose answers are compared: `createPet with a body that must be refused`, `listPets without the key`. */
export function nameCompared(wrong: readonly Wrong[]): string {
  const [first] = wrong;
  if (first === undefined) return '';
  const hasKey = wrong.some(({ exchange }) => nameKey(exchange.ask) === 'key');
  const { operation } = first.exchange.ask;
  return `${operation === 'other' ? 'other requests' : operation}${hasInvalidBody(first.exchange) ? ' with a body that must be refused' : ''}${hasKey ? '' : ' without the key'}`;
}

/** Lists these answers with the circumstances of their requests. */
export function listRequests(
  wrong: readonly Wrong[],
  record: readonly Exchange[],
  describe: Describe,
): RecordedCase[] {
  const compared = compareAnswers(wrong, record);
  const failed = new Set(compared.flatMap(({ exchange, isWrong }) => (isWrong ? [exchange] : [])));
  return compared.map(({ exchange, isWrong }) => {
    const { previous, has } = describe(exchange);
    const before = nameBefore(exchange, previous, (each) => failed.has(each));
    return { isWrong, has: { ...has, before: [...(has.before ?? []), ...before] } };
  });
}

/**
 * Names the requests before a request, e.g. `as the first getPet behind a createPet that gets 201`. A wrong answer before it gives no such name.
 * @param previous the requests before it, from the last one of its operation on
 */
function nameBefore(
  { ask }: Exchange,
  previous: readonly Exchange[],
  isWrong: (each: Exchange) => boolean,
): string[] {
  return previous.flatMap((one) => {
    const names = isWrong(one) ? [] : [one.ask.operation, 'request'];
    return [
      ...names.map(
        (each) => `as the first ${ask.operation} behind a ${each} that gets ${one.response?.status}`,
      ),
      ...(writeRequest(one.ask) === writeRequest(ask) ? ['directly behind the same request'] : []),
    ];
  });
}

/** True for a createPet that had to be refused. It is compared with others of its kind. */
function hasInvalidBody({ ask: { body } }: Exchange): boolean {
  return typeof body === 'string' && invalidBodyOf(body) !== null;
}

function nameKey({ credential }: Exchange['ask']): string {
  return typeof credential === 'string' ? credential : 'wrong';
}

/** Returns a text that is equal for equal requests: `GET /pets/7 undefined`. */
function writeRequest({ method, path, body }: Exchange['ask']): string {
  return `${method} ${path} ${String(body)}`;
}

/** Returns the circumstances of a request, and the requests before it, from the last one of its operation on. */
type Describe = (each: Exchange) => Pick<RecordedCase, 'has'> & { previous: readonly Exchange[] };

/** Returns the function for a record. It describes each request once and keeps the result, because many promises may be broken. */
export function makeDescriber(record: readonly Exchange[]): Describe {
  // Services carry requests out in about the order of their answers.
  const ended = record.toSorted((one, other) => readSpan(one).end - readSpan(other).end);
  return keepWhile((each) => {
    const earlier = ended.slice(0, ended.indexOf(each));
    const isOfOperation = ({ ask }: Exchange) =>
      ask.operation === each.ask.operation && ask.credential === 'key';
    const ofConnection = record.filter(({ connection }) => connection === each.connection);
    const place = ofConnection.indexOf(each);
    const beside = record.filter(
      (other) => other !== each && other.begun < readSpan(each).end && readSpan(other).end > each.begun,
    );
    return {
      previous: [
        // The request that began last before it may not have ended.
        ...record.slice(0, record.indexOf(each)).slice(-1),
        ...earlier.slice(Math.max(0, earlier.findLastIndex(isOfOperation))),
      ],
      has: {
        connection: each.connection === undefined ? [] : [place + 1],
        before: each.connection === undefined ? [] : nameEarlier(ofConnection.slice(0, place)),
        trait: nameTraits(each.ask),
        run: [record.indexOf(each) + 1],
        beside: [
          ...beside.map(({ ask }) => `while a ${ask.operation} is under way`),
          // With three requests beside it: `while 2 or more ...` and `while 3 or more ...`.
          ...beside
            .slice(1, MOST_BESIDE)
            .map((_, index) => `while ${index + 2} or more others are under way`),
        ],
        header: each.traceId === undefined ? [] : [TRACE],
      },
    };
  });
}

/** Names the statuses of earlier answers on a connection. */
function nameEarlier(earlier: readonly Exchange[]): string[] {
  const name = ({ response }: Exchange) => {
    const status = response?.status ?? 0;
    return [String(status), ...(status >= 400 && status < 500 ? ['4xx'] : [])];
  };
  return [
    ...earlier
      .slice(-1)
      .flatMap(name)
      .map((each) => `directly behind a ${each} on its connection`),
    ...new Set(earlier.flatMap(name).map((each) => `behind a ${each} on its connection`)),
  ];
}

/**
 * Lists the animals of the run, in the order of their identifiers. Animals without a wrong answer or a right one are left out: a
 * right getPet, or a list that shows the animal.
 */
export function listAnimals(
  wrong: readonly Wrong[],
  record: readonly Exchange[],
  describe: Describe,
): RecordedCase[] {
  const known = new Set(wrong.flatMap(({ exchange, creation }) => [exchange.ask.path, creation?.id]));
  const isOfGet = wrong[0]?.exchange.ask.operation === 'getPet';
  const shown = new Set(
    record.flatMap((each): unknown[] => {
      if (!isSuccess(each.response) || each.ask.method === 'POST') return [];
      return isOfGet ? [each.ask.path] : readRows(each).map(({ id }) => `/pets/${String(id)}`);
    }),
  );
  return record
    .filter(isAnswered)
    .filter(({ ask, response }) => ask.method === 'POST' && response.status === 201)
    .map((creation) => [creation, String(readMembers(parseBody(creation.response))['id'])] as const)
    .toSorted(([, one], [, other]) => Number(one) - Number(other))
    .map(([creation, id], index) => {
      const isWrong = known.has(isOfGet ? `/pets/${id}` : creation.id);
      const isKnown = isWrong || shown.has(`/pets/${id}`);
      return { isWrong, isKnown, has: { animal: [index + 1], added: nameAddition(creation, describe) } };
    })
    .filter(({ isKnown }) => isKnown);
}

/** Names the circumstances of the createPet that added an animal, e.g. `added with the status "sold"`. */
function nameAddition(creation: Exchange, describe: Describe): string[] {
  const { previous, has } = describe(creation);
  const all = [...Object.values(has).flat(), ...nameBefore(creation, previous, () => false)];
  return all.flatMap((each) => (typeof each === 'string' ? [`added ${each}`] : []));
}

/**
 * Lists the rows about the animals of wrong rows, in all lists with two rows or more. A row is wrong if an equal row is a flaw.
 * If the flaw names the answer of createPet, each row that differs from this answer is wrong too.
 */
export function listRows(wrong: readonly Wrong[], record: readonly Exchange[]): RecordedCase[] {
  // The id of each animal of a wrong row, with its row as createPet answered; undefined if its flaw lacks this answer.
  const added = new Map<string, string | undefined>();
  const wrongRows = new Set<string>();
  for (const { exchange, pointer, creation } of wrong) {
    // The pointer `/3/name` is about the row 3.
    const row = readRows(exchange)[Number(/^\/(\d+)\//.exec(pointer ?? '')?.[1])];
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

function readRows({ response }: Exchange) {
  const value = isSuccess(response) ? parseBody(response) : null;
  return (Array.isArray(value) ? value : [value ?? null]).map(readMembers);
}
