/** Lists the wrong answers of a broken promise in the record of a run, and the right answers to compare with. Pure. */
import { isSuccess, type Ask, type Exchange } from '../../fixtures/exchange/exchange.ts';
import { parseBody } from '../../fixtures/exchange/read-body.ts';
import { readSpan } from '../../fixtures/exchange/span.ts';
import { readListQuery } from '../../fixtures/interface/list-query.ts';
import type { Flaw } from '../../fixtures/judgement/finding.ts';
import { findBodyMistake, isAddition, isCreation, listIds, nameKey } from './describe-requests.ts';
import type { Describe, Exchanges, RecordedCase } from './describe-requests.ts';

/** Statuses of errors that are right for some requests. */
const DOCUMENTED = [400, 401, 404];

/** A wrong answer (`exchange`). `promised`: the status that had to come. */
export interface Wrong extends Pick<Flaw, 'requirement' | 'promised'> {
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

export type Wrongs = readonly Wrong[];

/** An answer that is compared with others. */
interface Compared {
  exchange: Exchange;
  isWrong: boolean;
  /** Only of lists that lack added animals, or have to show them: what is special about these, e.g. `about the animal that was added last`. */
  names?: readonly string[];
}

/**
 * Returns the wrong answers of each flaw. The first exchange of its evidence is wrong, with two exceptions:
 * - if a list shows the animal of a createPet that was refused, this createPet is wrong;
 * - if all are createPets, those that failed are wrong (`listFailed`).
 * No row is named as wrong if a list lacks an animal, or if three answers are compared.
 */
export function listWrong(flaws: readonly Flaw[], record: Exchanges): Wrong[] {
  const byId = new Map(record.map((each) => [each.id, each]));
  return flaws.flatMap(({ evidence, pointer, ...rest }): Wrong[] => {
    const flaw = { ...rest, flawPointer: pointer, rowPointer: pointer };
    const all = evidence.flatMap((id) => byId.get(id) ?? []);
    const isRefused = (each: Exchange) => isCreation(each) && (each.response?.status ?? 0) >= 400;
    const exchange = all.find(isRefused) ?? all[0];
    if (exchange === undefined) return [];
    // Example: the animal of a createPet is lost, or got the identifier of another one.
    if (all.every(isCreation))
      return listFailed(all).map((each) => ({ ...flaw, exchange: each, creation: each }));
    const creation = all.find(isCreation);
    const [lacks] = creation !== undefined && isAddition(creation) ? listIds(creation) : [];
    if (lacks !== undefined && exchange.ask.operation === 'listPets' && !listIds(exchange).has(lacks))
      return [{ ...flaw, exchange, rowPointer: null, creation, lacks }];
    // Three exchanges are a createPet, a getPet and a list.
    return [{ ...flaw, exchange, rowPointer: all.length > 2 ? null : pointer, creation }];
  });
}

/**
 * Returns the createPets of a flaw that have failed. A single one has failed. Of several with identifiers of their own, all have, because their
 * animals are lost. Of several with one identifier, the last has; if they were under way together, each may be at fault.
 */
function listFailed(creations: Exchanges): Exchanges {
  if (new Set(creations.flatMap((each) => [...listIds(each)])).size === creations.length) return creations;
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
  const nameSource = (each: Exchange) =>
    `${each.ask.operation} ${each.ask.method} ${nameKey(each.ask)} ${findBodyMistake(each) === undefined}`;
  const sources = new Set([...ofFlaws].map(nameSource));
  const hasWrongStatus = matchWrongStatus(first, record);
  const isWrong = (each: Exchange) => ofFlaws.has(each) || hasWrongStatus(each);
  return record
    .filter((each) => sources.has(nameSource(each)) && (isWrong(each) || isRightAnswer(each, first)))
    .map((exchange) => ({ exchange, isWrong: isWrong(exchange) }));
}

/**
 * Makes a predicate that is true for answers with the wrong status of a flaw, whatever promise they break: each other 500, or 202 in place
 * of 201. A 400, 401 or 404 is wrong only if an equal request once succeeded.
 */
function matchWrongStatus({ exchange, promised }: Wrong, record: Exchanges): (each: Exchange) => boolean {
  const came = exchange.response?.status ?? 0;
  // Without `promised`, the body is wrong and the status right.
  const isWrongStatus = came >= 300 || (promised ?? came) !== came;
  const served = new Set(record.flatMap((each) => (isSuccess(each.response) ? writeRequest(each.ask) : [])));
  const mayBeRight = ({ ask }: Exchange) => DOCUMENTED.includes(came) && !served.has(writeRequest(ask));
  return (each) => isWrongStatus && each.response?.status === came && !mayBeRight(each);
}

/** True for an answer that is right to compare with: answers that are neither right nor wrong in the same way are left out. */
function isRightAnswer({ ask, response }: Exchange, wrong: Wrong): boolean {
  const came = wrong.exchange.response?.status ?? 0;
  // A promise about the form of Errors: the other Errors with this status have the right form, e.g. those with 404.
  if (wrong.requirement.startsWith('errors.') && came < 500) return response?.status === came;
  if (ask.credential !== 'key') return response?.status === 401;
  if (response?.status === (wrong.promised ?? 200)) return true;
  // Any error is right for a createPet that had to be refused, any success for another request.
  return findBodyMistake(wrong.exchange) === undefined ? isSuccess(response) : !isSuccess(response);
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
    // The animals that this list has to show.
    const owed = missing.filter((each) => each.filter === filter && readSpan(each.creation).end < list.begun);
    const lacked = owed.filter(({ lacks }) => !listIds(list).has(lacks));
    const isWrong = lacked.length > 0;
    // Of a very long list the record has only the beginning, which is not JSON.
    if (!isSuccess(list.response) || !Array.isArray(parseBody(list.response)) || owed.length === 0) return [];
    if (isWrong && listIds(list).size >= limit) return [];
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

/** Names the requests of the compared answers: `createPet with a body that is wrong in this way`, `listPets and getPet without the right key`. */
export function nameCompared(wrong: Wrongs): string {
  const keys = new Set(wrong.map(({ exchange }) => nameKey(exchange.ask)));
  const withoutKey = keys.size === 1 && keys.has('wrong') ? ' with a wrong key' : ' without the right key';
  const hadToBeRefused = wrong.some(({ exchange }) => findBodyMistake(exchange) !== undefined);
  const names = new Set(
    wrong.map(({ exchange: { ask } }) => (ask.operation === 'other' ? 'other requests' : ask.operation)),
  );
  return `${[...names].join(' and ')}${names.size === 1 && hadToBeRefused ? ' with a body that is wrong in this way' : ''}${keys.has('key') ? '' : withoutKey}`;
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
    const kept = { ...has, before, ...(names && { run: [] }) };
    return { isWrong, request: writeRequest(exchange.ask), has: kept };
  });
}

/** Returns a text that is equal for equal requests: `GET /pets/7 undefined "key"`. Ordinary names are left out. */
function writeRequest({ method, path, body, credential }: Ask): string {
  return `${method} ${path} ${String(body).replace(/"name":"[A-Za-z]*"/, '')} ${JSON.stringify(credential)}`;
}
