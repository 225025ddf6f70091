/**
 * Finds the circumstance that the wrong answers of a run share and the right ones lack, e.g. the place of the request on its
 * connection. It reads the record and sends nothing. Pure.
 */
import { isAnswered, isSuccess, type Exchange } from '../../fixtures/exchange/exchange.ts';
import { readSpan } from '../../fixtures/exchange/span.ts';
import { readMembers, writeJson } from '../../fixtures/exchange/json.ts';
import { parseBody } from '../../fixtures/exchange/read-body.ts';
import { isSituation, ONLY, type Decision } from '../../fixtures/judgement/experiment.ts';
import type { Judge } from '../../fixtures/judgement/rules/judge-exchanges.ts';
import type { Flaw } from '../../fixtures/judgement/finding.ts';

/** The share of the wrong answers that have the circumstance, and the share of wrong answers among all with it, at least. */
const [SHARE, PURE, RARER, FEWEST, FEWEST_BITS] = [0.75, 0.95, 5, 4, 12];
/** A wrong answer in each second request is looked for, up to each tenth. */
const MOST_EACH = 10;

/** One answer, one animal or one row of a list, that is wrong or right. */
interface Case {
  exchange: Exchange;
  isWrong: boolean;
  /** The number of the animal, or of the row of a list, from 1; and the number of rows. */
  number?: number | undefined;
  of?: number;
}

/** `beside`: right answers may have the circumstance too, because it may take chance besides. */
interface Circumstance {
  name: string;
  kind: 'history' | 'beside' | 'place' | 'from';
  has: (one: Case) => boolean;
}

/** The counts of one circumstance: wrong answers with it, all with it, wrong ones without it, all without it. */
export interface Separation {
  name: string;
  kind: Circumstance['kind'];
  wrong: number;
  of: number;
  wrongElse: number;
  ofElse: number;
}

/** Returns a function that finds the circumstance of a broken promise; null if none separates wrong answers from right ones. */
export function makeCircumstanceFinder(
  judge: Pick<Judge, 'listEveryFlaw'>,
  listExchanges: () => readonly Exchange[],
): (promise: string) => Separation | null {
  let known: readonly [flaws: readonly Flaw[], record: readonly Exchange[]] | undefined;
  return (promise) => {
    if (known === undefined) {
      const record = listExchanges().filter(({ ask }) => ask.experiment === undefined);
      known = [judge.listEveryFlaw(), record.toSorted((one, other) => one.begun - other.begun)];
    }
    const [flaws, record] = known;
    return findCircumstance(
      flaws.filter(({ requirement }) => requirement === promise),
      record,
    );
  };
}

/** True if experiments do not contradict the circumstance. A request that failed each time, sent alone, needs no other one before or beside it. */
export function mayDecide({ name, kind }: Separation, tried: Decision | null): boolean {
  const isOfConnection = name.endsWith('of a connection');
  const isOfPlace = kind === 'place' || name.includes(' of the run');
  if (tried === null) return true;
  if (tried.kind === 'always') return isOfPlace;
  const isShown = tried.kind === 'concurrency' || tried.experiments.some(isSituation);
  return tried.kind === 'feature' || isShown ? isOfConnection : !isOfPlace || kind === 'place';
}

/** Writes the counts as experiments: without the circumstance, and with it. */
export function describeSeparation({ name, kind, wrong, of, wrongElse, ofElse }: Separation): Decision {
  return {
    kind: kind === 'beside' ? 'concurrency' : 'history',
    experiments: [
      { without: name, wrong: wrongElse, of: ofElse },
      { without: `${ONLY}${name}`, wrong, of },
    ],
  };
}

function findCircumstance(flaws: readonly Flaw[], record: readonly Exchange[]): Separation | null {
  const wrong = listWrong(flaws, record);
  return (
    [
      ...separateAll(listRequests(wrong, record), (cases) => listOfRequests(cases, record)),
      ...separateAll(listAnimals(wrong, record), (cases) => listNumbered('for', 'animal of the run', cases)),
      ...separateAll(listRows(wrong, record), listOfRows),
    ]
      .filter(isDecisive)
      .toSorted((one, other) => weigh(other) - weigh(one))[0] ?? null
  );
}

function listOfRows(): Circumstance[] {
  const last: Circumstance = {
    name: 'in the last row of a list',
    kind: 'place',
    has: ({ number, of }) => number === of,
  };
  const numbered = listNumbered('in', 'row of a list').filter(({ kind }) => kind !== 'from');
  return [last, ...numbered.map((each): Circumstance => ({ ...each, kind: 'place' }))];
}

function separateAll(
  cases: readonly Case[],
  list: (cases: readonly Case[]) => readonly Circumstance[],
): Separation[] {
  const countWrong = (some: readonly Case[]) => some.filter(({ isWrong }) => isWrong).length;
  if (countWrong(cases) < FEWEST) return [];
  return list(cases).map(({ name, kind, has }) => {
    const [inside, outside] = [cases.filter(has), cases.filter((each) => !has(each))];
    return {
      name,
      kind,
      wrong: countWrong(inside),
      of: inside.length,
      wrongElse: countWrong(outside),
      ofElse: outside.length,
    };
  });
}

/**
 * Nearly all wrong answers have the circumstance, or far more than of the others, and others are seldom wrong. If right answers may
 * have it too, e.g. others under way, no wrong answer may lack it although by chance many would.
 */
function isDecisive({ kind, wrong, of, wrongElse, ofElse }: Separation): boolean {
  const [all, share] = [wrong + wrongElse, wrong / of];
  const isAlone = wrong >= PURE * all && wrong * Math.log2((of + ofElse) / of) >= FEWEST_BITS;
  if (kind === 'beside') return isAlone;
  if (wrong < FEWEST || ofElse - wrongElse < FEWEST || wrongElse / ofElse > share / RARER) return false;
  if (kind === 'from') return wrongElse === 0 && share >= PURE;
  return isAlone ? share >= 0.5 : share >= SHARE && wrong >= (wrong < 2 * FEWEST ? SHARE : 0.4) * all;
}

/** The balanced share of the right guesses (F-score). A circumstance of the `beside` kind is named last. */
function weigh({ kind, wrong, of, wrongElse }: Separation): number {
  return (2 * wrong) / (wrong + wrongElse + of) - (kind === 'beside' ? 1 : 0);
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
    return [{ exchange, pointer, creation: all.find(({ ask }) => ask.method === 'POST') }];
  });
}

/** Lists wrong answers, and right answers to the same operation with the key. A server error is wrong whatever promise it breaks. */
function listRequests([first, ...others]: readonly Wrong[], record: readonly Exchange[]): Case[] {
  if (first === undefined) return [];
  const known = new Set([first, ...others].map(({ exchange }) => exchange));
  const came = first.exchange.response?.status ?? 0;
  const isAlike = ({ ask }: Exchange) =>
    ask.operation === first.exchange.ask.operation && ask.credential === 'key';
  // A success, or a refusal, is right for other requests.
  const isOdd = came >= 500 || (came >= 300 && came < 400);
  return record.filter(isAlike).flatMap((exchange): Case[] => {
    const { response } = exchange;
    if (known.has(exchange) || (isOdd && response?.status === came)) return [{ exchange, isWrong: true }];
    return isSuccess(response) ? [{ exchange, isWrong: false }] : [];
  });
}

/** Lists the animals of the run, in the order of their identifiers, of which a wrong answer or a right getPet is known. */
function listAnimals(wrong: readonly Wrong[], record: readonly Exchange[]): Case[] {
  const known = new Set(wrong.flatMap(({ exchange, creation }) => [exchange.ask.path, creation?.id]));
  const isOfGet = wrong[0]?.exchange.ask.operation === 'getPet';
  const read = new Set(record.flatMap(({ ask, response }) => (isSuccess(response) ? ask.path : [])));
  return record
    .filter(isAnswered)
    .filter(({ ask, response }) => ask.method === 'POST' && response.status === 201)
    .map((exchange) => ({ exchange, id: readMembers(parseBody(exchange.response))['id'] }))
    .toSorted((one, other) => Number(one.id) - Number(other.id))
    .map(({ exchange, id }, index) => {
      const path = `/pets/${id}`;
      const isWrong = isOfGet ? known.has(path) : known.has(exchange.id);
      return { exchange, isWrong, number: index + 1, isKnown: isWrong || !isOfGet || read.has(path) };
    })
    .filter(({ isKnown }) => isKnown);
}

/** Lists the rows of all lists that show animals of wrong rows. A row is right if it is as createPet answered, or else as no flaw. */
function listRows(wrong: readonly Wrong[], record: readonly Exchange[]): Case[] {
  const readRows = ({ response }: Exchange) => {
    const value = isSuccess(response) ? parseBody(response) : null;
    return (Array.isArray(value) ? value : [value ?? null]).map(readMembers);
  };
  const isWrong = new Map<string, (text: string) => boolean>();
  const bad = new Set<string>();
  for (const { exchange, pointer, creation } of wrong) {
    const [, index] = /^\/(\d+)\//.exec(pointer ?? '') ?? [];
    const row = readRows(exchange)[Number(index)];
    if (row === undefined) continue;
    const [added] = creation === undefined ? [] : readRows(creation).map(writeJson);
    bad.add(writeJson(row));
    isWrong.set(String(row['id']), (text) => (added === undefined ? bad.has(text) : text !== added));
  }
  return record.flatMap((exchange) =>
    exchange.ask.operation !== 'listPets' || bad.size === 0
      ? []
      : readRows(exchange).flatMap((row, index, { length: of }) => {
          const judge = isWrong.get(String(row['id']));
          if (judge === undefined || of === 1) return [];
          return { exchange, isWrong: judge(writeJson(row)), number: index + 1, of };
        }),
  );
}

function listOfRequests(cases: readonly Case[], record: readonly Exchange[]): Circumstance[] {
  const [places, numbers] = [new Map<string, number>(), new Map<string, number>()];
  const counts = new Map<number, number>();
  record.forEach(({ id, connection }, index) => {
    numbers.set(id, index + 1);
    if (connection === undefined) return;
    counts.set(connection, (counts.get(connection) ?? 0) + 1);
    places.set(id, counts.get(connection) ?? 0);
  });
  const withNumber = (all: ReadonlyMap<string, number>, of: string) => {
    const read = (one: Case) => ({ ...one, number: all.get(one.exchange.id) });
    return listNumbered('as', of, cases.map(read)).map((each) => ({
      ...each,
      has: (one: Case) => each.has(read(one)),
    }));
  };
  return [
    ...withNumber(places, 'request of a connection'),
    ...withNumber(numbers, 'request of the run').slice(0, 1),
    ...listBefore(cases, record),
    ...listBeside(cases, record),
  ];
}

/** Lists the places that wrong answers may share: all from one on, the first one, and each second to tenth. */
function listNumbered(at: string, of: string, cases: readonly Case[] = []): Circumstance[] {
  const least = Math.min(...cases.filter(({ isWrong }) => isWrong).map(({ number }) => number ?? Infinity));
  const make = (
    name: string,
    isIn: (place: number) => boolean,
    kind: Circumstance['kind'] = 'history',
  ): Circumstance => ({ name, kind, has: ({ number = NaN }) => isIn(number) });
  return [
    make(`from the ${spellOrdinal(least)} ${of} on`, (place) => place >= least, 'from'),
    make(`${at} the first ${of}`, (place) => place === 1),
    ...Array.from({ length: MOST_EACH - 1 }, (_, index) =>
      make(`${at} each ${spellOrdinal(index + 2)} ${of}`, (place) => place % (index + 2) === 0),
    ),
  ];
}

/** Lists what came directly before wrong answers: of all requests, and of those to the same operation. */
function listBefore(cases: readonly Case[], record: readonly Exchange[]): Circumstance[] {
  const nameKind = ({ ask, response }: Exchange) => `${ask.operation} that gets ${response?.status}`;
  const wrong = cases.filter(({ isWrong }) => isWrong);
  const make = (find: (each: Exchange) => Exchange | undefined): Circumstance[] => {
    const before = new Map(cases.map(({ exchange }) => [exchange.id, find(exchange)]));
    const nameBefore = ({ exchange }: Case) => {
      const each = before.get(exchange.id);
      return each && nameKind(each);
    };
    const kinds = new Set(wrong.flatMap((each) => nameBefore(each) ?? []));
    return [
      ...[...kinds].map((kind) => ({
        name: `directly behind a ${kind}`,
        kind: 'history' as const,
        has: (one: Case) => nameBefore(one) === kind,
      })),
      {
        name: 'directly behind the same request',
        kind: 'history',
        has: ({ exchange }) =>
          before.get(exchange.id)?.ask.path === exchange.ask.path && exchange.ask.method === 'GET',
      },
    ];
  };
  // Services carry requests out in about the order of their answers.
  const ends = record.toSorted((one, other) => readSpan(one).end - readSpan(other).end);
  const makeOf = (all: readonly Exchange[], isAlike: (each: Exchange, one: Exchange) => boolean) => {
    const index = new Map(all.map(({ id }, place) => [id, place]));
    return make((one) => all.slice(0, index.get(one.id)).findLast((each) => isAlike(each, one)));
  };
  return [
    ...makeOf(ends, () => true),
    ...makeOf(ends, ({ ask }, one) => ask.operation === one.ask.operation),
    ...makeOf(record, () => true),
    ...makeOf(record, ({ ask }, one) => ask.operation === one.ask.operation),
    ...makeOf(record, ({ connection }, one) => connection === one.connection),
  ];
}

/** Lists operations that were under way beside the request. */
function listBeside(cases: readonly Case[], record: readonly Exchange[]): Circumstance[] {
  return ['createPet', 'getPet', 'listPets'].map((operation) => {
    const others = record.filter(({ ask }) => ask.operation === operation).map(readSpan);
    const beside = new Set(
      cases.flatMap(({ exchange }) => {
        const { begin, end } = readSpan(exchange);
        const isNear = others.some(
          (each) => each.exchange !== exchange.id && each.begin < end && each.end > begin,
        );
        return isNear ? [exchange.id] : [];
      }),
    );
    return {
      name: `while a ${operation} is under way`,
      kind: 'beside',
      has: ({ exchange }) => beside.has(exchange.id),
    };
  });
}

function spellOrdinal(number: number): string {
  return `${number}${number % 100 > 10 && number % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`;
}
