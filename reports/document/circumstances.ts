/**
 * Finds the circumstance that the wrong answers of a run share and the right ones lack, e.g. the place of the request on its
 * connection. It reads the record and sends nothing. Pure.
 */
import { isAnswered, isSuccess, type Exchange } from '../../fixtures/exchange/exchange.ts';
import { readMembers, writeJson } from '../../fixtures/exchange/json.ts';
import { parseBody } from '../../fixtures/exchange/read-body.ts';
import { readSpan } from '../../fixtures/exchange/span.ts';
import { TRACE, type Decision } from '../../fixtures/judgement/experiment.ts';
import type { Flaw } from '../../fixtures/judgement/finding.ts';
import type { Judge } from '../../fixtures/judgement/rules/judge-exchanges.ts';

/** At least this number of wrong answers have the circumstance, and this share of all wrong ones. */
const [FEWEST, LEAST] = [4, 0.4];
/** Of the answers with it at least this share is wrong, and this factor fewer of the others. `from`: where the least place is a guess. */
const [SHARE, FROM_SHARE, RARER] = [0.7, 0.95, 5];
/** If right answers may have it too, this share of the wrong ones has it, which is improbable by these bits. */
const [NEARLY_ALL, BITS] = [0.95, 8];
/** Errors that are right for other requests. */
const DOCUMENTED = [400, 401, 404];
/** A wrong answer in each second request is looked for, up to each tenth. */
const EACH = [2, 3, 4, 5, 6, 7, 8, 9, 10];

/** A row has no use for `from`, and a request of the run for nothing else: other requests decide about its number. */
const [ROW, RUN] = ['row of a list', 'request of the run'];

/** One answer, one animal or one row of a list, with the names of its circumstances, and its numbers, e.g. of the row. */
interface Case {
  isWrong: boolean;
  names?: readonly string[];
  numbers: Readonly<Record<string, number | undefined>>;
}

/** The counts of one circumstance: wrong answers with it, all with it, wrong ones without it, all without it. */
interface Separation {
  name: string;
  wrong: number;
  of: number;
  wrongElse: number;
  ofElse: number;
}

/** The recorded answers of a run, and each flaw in them. */
export class Circumstances {
  private readonly flaws: readonly Flaw[];
  private readonly record: readonly Exchange[];
  private readonly describe: Describe;

  constructor(judge: Pick<Judge, 'listEveryFlaw'>, exchanges: readonly Exchange[]) {
    this.flaws = judge.listEveryFlaw();
    this.record = exchanges
      .filter(({ ask }) => ask.experiment === undefined)
      .toSorted((one, other) => one.begun - other.begun);
    this.describe = makeDescriber(this.record);
  }

  /** Returns what separates the wrong answers best, unless the experiments contradict it; null if nothing does. */
  decide(promise: string, tried: Decision | null): Decision | null {
    const wrong = listWrong(
      this.flaws.filter(({ requirement }) => requirement === promise),
      this.record,
    );
    const { record, describe } = this;
    const [best] = [
      listRequests(wrong, record, describe),
      listAnimals(wrong, record),
      listRows(wrong, record),
    ]
      .flatMap((cases) => separate(cases))
      .filter((each) => isDecisive(each) && mayDecide(each, tried))
      .toSorted((one, other) => weigh(other) - weigh(one));
    if (best === undefined) return null;
    const { name, of, ofElse, wrongElse } = best;
    return {
      kind: isBeside(best) ? 'concurrency' : 'history',
      experiments: [
        { without: name, wrong: wrongElse, of: ofElse },
        { without: '', wrong: best.wrong, of },
      ],
    };
  }
}

function separate(cases: readonly Case[]): Separation[] {
  const wrong = cases.filter(({ isWrong }) => isWrong);
  const findLeast = (of: string) => Math.min(...wrong.map(({ numbers }) => numbers[of] ?? Infinity));
  const leasts = Object.fromEntries(Object.keys(wrong[0]?.numbers ?? {}).map((of) => [of, findLeast(of)]));
  const counts = new Map<string, { wrong: number; of: number }>();
  for (const each of cases)
    for (const name of nameCircumstances(each, leasts)) {
      const count = counts.get(name) ?? { wrong: 0, of: 0 };
      counts.set(name, { wrong: count.wrong + Number(each.isWrong), of: count.of + 1 });
    }
  return [...counts].map(([name, count]) => ({
    name,
    ...count,
    wrongElse: wrong.length - count.wrong,
    ofElse: cases.length - count.of,
  }));
}

/** Names what one case has, e.g. `as each 5th request of a connection`. @param leasts the least numbers of wrong cases */
function nameCircumstances({ names = [], numbers }: Case, leasts: Case['numbers']): Set<string> {
  const ofNumbers = Object.entries(numbers).flatMap(([of, number = NaN]) => [
    ...(of !== ROW && number >= (leasts[of] ?? NaN)
      ? [`from the ${spellOrdinal(leasts[of] ?? NaN)} ${of} on`]
      : []),
    ...(of !== RUN && number === 1 ? [`as the first ${of}`] : []),
    ...EACH.filter((each) => of !== RUN && number % each === 0).map(
      (each) => `as each ${spellOrdinal(each)} ${of}`,
    ),
  ]);
  return new Set([...names, ...ofNumbers]);
}

function spellOrdinal(number: number): string {
  const isTeen = number % 100 > 10 && number % 100 < 14;
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

/** True for requests under way: right answers have them too, because it may take chance besides. */
function isBeside({ name }: Separation): boolean {
  return name.startsWith('while ');
}

function isDecisive(one: Separation): boolean {
  const { name, wrong, of, wrongElse, ofElse } = one;
  const all = wrong + wrongElse;
  if (isBeside(one))
    return (
      wrong >= NEARLY_ALL * all &&
      wrongElse <= ofElse / RARER &&
      wrong * Math.log2((of + ofElse) / of) >= BITS
    );
  const fewest = name.includes(RUN) ? 2 * FEWEST : FEWEST;
  if (wrong < fewest || ofElse - wrongElse < FEWEST || wrong < LEAST * all) return false;
  const share = wrong / of;
  return share >= (name.startsWith('from ') ? FROM_SHARE : SHARE) && share >= (RARER * wrongElse) / ofElse;
}

/** True if experiments do not contradict it. A request that failed each time, sent alone, needs no other one before or beside it. */
function mayDecide({ name }: Separation, tried: Decision | null): boolean {
  if (tried === null) return true;
  if (tried.kind === 'feature' || tried.kind === 'concurrency') return /of a connection|animal of/.test(name);
  return /of the run|of a list|header/.test(name) === ['always', 'unknown'].includes(tried.kind);
}

/** The balanced share of the right guesses (F-score). Requests under way are named last. */
function weigh(one: Separation): number {
  const { wrong, of, wrongElse } = one;
  return (2 * wrong) / (wrong + wrongElse + of) - Number(isBeside(one));
}

interface Wrong {
  exchange: Exchange;
  pointer: string | null;
  creation: Exchange | undefined;
}

function listWrong(flaws: readonly Flaw[], record: readonly Exchange[]): Wrong[] {
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
function listRequests(
  [first, ...others]: readonly Wrong[],
  record: readonly Exchange[],
  describe: Describe,
): Case[] {
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
    .map((each) => ({ isWrong: isWrong(each), ...describe(each) }));
}

function readKey({ method, path, body }: Exchange['ask']): string {
  return `${method} ${path} ${String(body)}`;
}

/** Tells the places of a request, what came directly before it, and what was under way. */
type Describe = (each: Exchange) => Omit<Case, 'isWrong'>;

/** Returns the function for a record. It describes each request once, because many promises may be broken. */
function makeDescriber(record: readonly Exchange[]): Describe {
  const numbers = new Map(record.map((each, index) => [each, index + 1]));
  const places = new Map<Exchange, number>();
  const counts = new Map<number | undefined, number>();
  const before = new Map<Exchange, string[]>();
  const last = new Map<string, Exchange>();
  for (const each of record) {
    const place = (counts.get(each.connection) ?? 0) + 1;
    counts.set(each.connection, place);
    if (each.connection !== undefined) places.set(each, place);
  }
  // Services carry requests out in about the order of their answers.
  for (const each of record.toSorted((one, other) => readSpan(one).end - readSpan(other).end)) {
    const begun = record[(numbers.get(each) ?? 0) - 2];
    const previous = [begun, last.get(''), last.get(each.ask.operation)].flatMap((one) => one ?? []);
    before.set(each, [
      ...previous.map(
        ({ ask, response }) => `directly behind a ${ask.operation} that gets ${response?.status}`,
      ),
      ...previous.flatMap(({ ask }) =>
        readKey(ask) === readKey(each.ask) ? 'directly behind the same request' : [],
      ),
    ]);
    last.set('', each).set(each.ask.operation, each);
  }
  const isBesideOf = (each: Exchange) => (other: Exchange) =>
    other !== each && other.begun < readSpan(each).end && readSpan(other).end > each.begun;
  const describe: Describe = (each) => ({
    numbers: { 'request of a connection': places.get(each), [RUN]: numbers.get(each) },
    names: [
      ...(before.get(each) ?? []),
      ...(each.traceId === undefined ? [] : [TRACE]),
      ...record.filter(isBesideOf(each)).map(({ ask }) => `while a ${ask.operation} is under way`),
    ],
  });
  const known = new Map<Exchange, ReturnType<Describe>>();
  return (each) => {
    const description = known.get(each) ?? describe(each);
    known.set(each, description);
    return description;
  };
}

/** Lists the animals of the run, in the order of their identifiers, of which a wrong answer or a right getPet is known. */
function listAnimals(wrong: readonly Wrong[], record: readonly Exchange[]): Case[] {
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
      return { isWrong, isKnown, numbers: { 'animal of the run': index + 1 } };
    })
    .filter(({ isKnown }) => isKnown);
}

/** Lists the rows of all lists that show animals of wrong rows. A row is right if it is as createPet answered, or else as no flaw. */
function listRows(wrong: readonly Wrong[], record: readonly Exchange[]): Case[] {
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
    rows.flatMap((row, index) => {
      const id = String(row['id']);
      if (!added.has(id) || rows.length === 1) return [];
      const isWrong = bad.has(writeJson(row)) || writeJson(row) !== (added.get(id) ?? writeJson(row));
      const names = index + 1 === rows.length ? ['as the last row of a list'] : [];
      return [{ isWrong, names, numbers: { [ROW]: index + 1 } }];
    }),
  );
}
