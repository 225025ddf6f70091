/** Lists the recorded answers, animals and rows that a broken promise is about, wrong and right ones, each with its circumstances. */
import { isAnswered, isSuccess, type Exchange } from '../../fixtures/exchange/exchange.ts';
import { readMembers, writeJson } from '../../fixtures/exchange/json.ts';
import { keepWhile } from '../../fixtures/exchange/memoize.ts';
import { parseBody } from '../../fixtures/exchange/read-body.ts';
import { readSpan } from '../../fixtures/exchange/span.ts';
import { TRACE } from '../../fixtures/judgement/experiment.ts';
import type { Flaw } from '../../fixtures/judgement/finding.ts';

/** Errors that are right for other requests. */
const DOCUMENTED = [400, 401, 404];
/** The most other requests under way that are counted. */
const MOST_BESIDE = 8;

/** `connection`, `run`, `animal`, `row`: the place among them. `before`, `beside`: other requests. */
export type Kind = 'connection' | 'run' | 'animal' | 'row' | 'before' | 'beside' | 'header';

/** One answer, one animal or one row of a list. Each circumstance is a text, or a number: the place, from 1 on. */
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

export function listWrong(flaws: readonly Flaw[], record: readonly Exchange[]): Wrong[] {
  const byId = new Map(record.map((each) => [each.id, each]));
  return flaws.flatMap(({ evidence, pointer }) => {
    const all = evidence.flatMap((id) => byId.get(id) ?? []);
    const exchange = all.find(({ response }) => (response?.status ?? 0) >= 400) ?? all.at(-1);
    if (exchange === undefined || all.length < evidence.length) return [];
    // A promise about getPet and a list is about no row.
    const place = all.length > 2 ? null : pointer;
    return [{ exchange, pointer: place, creation: all.find(({ ask }) => ask.method === 'POST') }];
  });
}

/**
 * Lists wrong answers, and right answers to the same operation with the key. An equal status is wrong too for whatever promise if it
 * is a server error, or if the same read was answered right.
 */
export function listRequests(
  [first, ...others]: readonly Wrong[],
  record: readonly Exchange[],
  describe: Describe,
): RecordedCase[] {
  if (first === undefined) return [];
  const known = new Set([first, ...others].map(({ exchange }) => exchange));
  const came = first.exchange.response?.status ?? 0;
  const served = new Set(record.flatMap(({ ask, response }) => (isSuccess(response) ? readKey(ask) : [])));
  const isEqual = ({ ask, response }: Exchange) =>
    response?.status === came && came >= 300 && (!DOCUMENTED.includes(came) || served.has(readKey(ask)));
  const isWrong = (each: Exchange) => known.has(each) || isEqual(each);
  const { operation } = first.exchange.ask;
  return record
    .filter(({ ask }) => ask.operation === operation && ask.credential === 'key')
    .filter((each) => isWrong(each) || isSuccess(each.response))
    .map((each) => {
      const { previous, has } = describe(each);
      return { isWrong: isWrong(each), has: { ...has, before: nameBefore(each, previous, isWrong) } };
    });
}

/** Names what came before a request, from the last one of its operation on. Wrong answers before it are left out. */
function nameBefore(
  { ask }: Exchange,
  previous: readonly Exchange[],
  isWrong: (each: Exchange) => boolean,
): string[] {
  return previous.flatMap((one) => [
    ...(isWrong(one)
      ? []
      : [`as the first ${ask.operation} behind a ${one.ask.operation} that gets ${one.response?.status}`]),
    ...(readKey(one.ask) === readKey(ask) ? ['directly behind the same request'] : []),
  ]);
}

function readKey({ method, path, body }: Exchange['ask']): string {
  return `${method} ${path} ${String(body)}`;
}

/** Returns the circumstances of a request, and the requests before it, from the last one of its operation on. */
type Describe = (each: Exchange) => Pick<RecordedCase, 'has'> & { previous: readonly Exchange[] };

/** Returns the function for a record. It describes each request once, because many promises may be broken. */
export function makeDescriber(record: readonly Exchange[]): Describe {
  // Services carry requests out in about the order of their answers.
  const ended = record.toSorted((one, other) => readSpan(one).end - readSpan(other).end);
  return keepWhile(
    () => 0,
    (each) => {
      const earlier = ended.slice(0, ended.indexOf(each));
      const isLike = ({ ask }: Exchange) => ask.operation === each.ask.operation && ask.credential === 'key';
      const ofConnection = record.filter(({ connection }) => connection === each.connection);
      const beside = record.filter(
        (other) => other !== each && other.begun < readSpan(each).end && readSpan(other).end > each.begun,
      );
      return {
        previous: [
          ...record.slice(0, record.indexOf(each)).slice(-1),
          ...earlier.slice(Math.max(0, earlier.findLastIndex(isLike))),
        ],
        has: {
          connection: each.connection === undefined ? [] : [ofConnection.indexOf(each) + 1],
          run: [record.indexOf(each) + 1],
          beside: [
            ...beside.map(({ ask }) => `while a ${ask.operation} is under way`),
            ...beside
              .slice(1, MOST_BESIDE)
              .map((_, index) => `while ${index + 2} or more others are under way`),
          ],
          header: each.traceId === undefined ? [] : [TRACE],
        },
      };
    },
  );
}

/** Lists the animals of the run, in the order of their identifiers, of which a wrong answer or a right getPet is known. */
export function listAnimals(wrong: readonly Wrong[], record: readonly Exchange[]): RecordedCase[] {
  const known = new Set(wrong.flatMap(({ exchange, creation }) => [exchange.ask.path, creation?.id]));
  const isOfGet = wrong[0]?.exchange.ask.operation === 'getPet';
  const read = new Set(record.flatMap(({ ask, response }) => (isSuccess(response) ? ask.path : [])));
  return record
    .filter(isAnswered)
    .filter(({ ask, response }) => ask.method === 'POST' && response.status === 201)
    .map(({ id, response }) => [id, String(readMembers(parseBody(response))['id'])] as const)
    .toSorted(([, one], [, other]) => Number(one) - Number(other))
    .map(([creation, id], index) => {
      const isWrong = known.has(isOfGet ? `/pets/${id}` : creation);
      const isKnown = isWrong || !isOfGet || read.has(`/pets/${id}`);
      return { isWrong, isKnown, has: { animal: [index + 1] } };
    })
    .filter(({ isKnown }) => isKnown);
}

/** Lists the rows of all lists that show animals of wrong rows. A row is right if it is as createPet answered, or else as no flaw. */
export function listRows(wrong: readonly Wrong[], record: readonly Exchange[]): RecordedCase[] {
  const readRows = ({ response }: Exchange) => {
    const value = isSuccess(response) ? parseBody(response) : null;
    return (Array.isArray(value) ? value : [value ?? null]).map(readMembers);
  };
  const added = new Map<string, string | undefined>();
  const bad = new Set<string>();
  for (const { exchange, pointer, creation } of wrong) {
    const row = readRows(exchange)[Number(/^\/(\d+)\//.exec(pointer ?? '')?.[1])];
    if (row === undefined) continue;
    bad.add(writeJson(row));
    added.set(String(row['id']), creation && writeJson(readRows(creation)[0]));
  }
  const lists = record.filter(({ ask }) => ask.operation === 'listPets' && bad.size > 0).map(readRows);
  return lists.flatMap((rows) =>
    rows.flatMap((row, index): RecordedCase[] => {
      const id = String(row['id']);
      if (!added.has(id) || rows.length === 1) return [];
      const isWrong = bad.has(writeJson(row)) || writeJson(row) !== (added.get(id) ?? writeJson(row));
      const names = index + 1 === rows.length ? ['as the last row of a list'] : [];
      return [{ isWrong, has: { row: [index + 1, ...names] } }];
    }),
  );
}
