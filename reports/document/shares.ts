/**
 * Finds traits that the wrong answers of a run share and that right answers to the same requests lack, e.g. the header
 * `x-pod: 3`. The trait tells an operator where to look. A factor is the kind of a trait (`x-pod`), its value is `3`. Pure.
 */
import type { Exchange } from '../../fixtures/exchange/exchange.ts';
import type { Comparable } from './comparable-answers.ts';
import type { CauseSummary } from './report-document.ts';

type Share = CauseSummary['shares'][number];

/**
 * Headers that identify who answered. The pattern PART finds others: headers that name a part of a deployment, such as
 * `x-pod` or `cf-ray`.
 */
const WHO = new Set(['server', 'via', 'x-cache', 'x-served-by', 'content-encoding', 'content-language']);
const PART =
  /^(x-|cf-|fly-).*(pod|node|host|instance|region|zone|backend|server|version|revision|release|deploy|upstream|worker|replica|shard|cell|cluster|cache|pop|ray|edge)/;
/** A header with more values than this identifies requests, not parts of a deployment. */
const MOST_VALUES = 30;
/** The answers are divided into this many parts by time. A change of the target is looked for at each border of two parts. */
const TIME_PARTS = 20;
/** A trait is named if at least this share of the wrong answers have it. */
const LEAST_OF_WRONG = 0.9;
/** A trait is named if at most this share of the right answers have it. */
const MOST_OF_RIGHT = 0.5;
/** Fewer wrong or right answers than this may be chance. */
const FEWEST = 4;
/** Fewer wrong answers than this before or after a moment of the run may be chance. */
const FEWEST_IN_TIME = 20;
/** The highest probability that chance alone names any trait. */
const MOST_CHANCE = 0.001;
/** The most traits that are named. */
const MOST_NAMED = 2;
/** The order of factors whose traits are equally sure: who answered comes before when. */
const FACTOR_ORDER = [
  'client',
  'encoding',
  'place on its connection',
  'connection',
  'after',
  'time of the run',
];

/** Returns the traits that separate wrong from right answers, the surest first; empty if chance may explain them. */
export function computeShares(answers: readonly Comparable[], all: readonly Exchange[]): Share[] {
  const compared = keepMixed(answers);
  const wrong = compared.filter(({ isWrong }) => isWrong).length;
  const right = compared.length - wrong;
  if (wrong < FEWEST || right < FEWEST) return [];
  const counted = countTraits(compared, all);
  const telling = counted
    .filter(mayTell)
    // Times the number of traits: among many traits, one of them often separates by chance.
    .map((share) => ({ ...share, chance: computeChance(share, wrong, right) * counted.length }))
    .filter(
      (each) =>
        each.chance < MOST_CHANCE &&
        each.wrong >= LEAST_OF_WRONG * wrong &&
        each.right <= MOST_OF_RIGHT * right,
    )
    .toSorted((one, other) => one.chance - other.chance || rankFactor(one.factor) - rankFactor(other.factor));
  // A second trait is named only if it is as sure as the first one.
  const best = telling.filter(({ chance }) => chance === telling[0]?.chance);
  // Keeps the first trait of each factor: a Map keeps the last value of a key, so the order is turned before and after.
  const ofFactors = new Map(
    best
      .toReversed()
      .map(({ factor, value, ...share }) => [
        factor,
        { factor, value, wrong: share.wrong, right: share.right },
      ]),
  );
  return [...ofFactors.values()].toReversed().slice(0, MOST_NAMED);
}

/**
 * False for a moment of the run that has few wrong answers, or many right ones. A store grows during a run, so answers differ
 * in time anyway: only a clear change counts.
 */
function mayTell({ factor, wrong, right }: Share): boolean {
  return factor !== 'time of the run' || (wrong >= FEWEST_IN_TIME && right <= wrong / 5);
}

function rankFactor(factor: string): number {
  return FACTOR_ORDER.indexOf(factor);
}

/**
 * Keeps the answers to requests that got both a right and a wrong answer. If equal requests always get equal answers, the
 * request itself is the cause, and no trait of the answer explains anything.
 */
function keepMixed(answers: readonly Comparable[]): Comparable[] {
  const keys = (side: boolean) =>
    new Set(
      answers.filter(({ isWrong }) => isWrong === side).map(({ exchange }) => writeRequestKey(exchange)),
    );
  const [wrong, right] = [keys(true), keys(false)];
  return answers.filter(({ exchange }) => {
    const key = writeRequestKey(exchange);
    return wrong.has(key) && right.has(key);
  });
}

/** Returns a key of the request. Names that the run gives its animals count as equal. */
function writeRequestKey({ ask }: Exchange): string {
  const { method, path, body, credential, headers = [], without = [] } = ask;
  // The mark of a run begins with `cs`, behind at most one letter.
  const sent = typeof body === 'string' ? body.replace(/"[A-Za-z]?cs[A-Za-z]{5,}"/g, '"marked"') : '';
  return JSON.stringify([method, path, sent, credential, headers, without]);
}

/** Counts the wrong and the right answers with each trait. A trait of all answers is left out. */
function countTraits(answers: readonly Comparable[], all: readonly Exchange[]): Share[] {
  const traitsOf = makeTraitFinder(answers, all);
  const counts = new Map<string, Share>();
  for (const { exchange, isWrong } of answers)
    for (const [factor, value] of traitsOf(exchange)) {
      const key = JSON.stringify([factor, value]);
      const share = counts.get(key) ?? { factor, value, wrong: 0, right: 0 };
      counts.set(key, { ...share, [isWrong ? 'wrong' : 'right']: share[isWrong ? 'wrong' : 'right'] + 1 });
    }
  return [...counts.values()].filter(({ wrong, right }) => wrong + right < answers.length);
}

type Trait = readonly [factor: string, value: string];

function makeTraitFinder(
  answers: readonly Comparable[],
  all: readonly Exchange[],
): (exchange: Exchange) => Trait[] {
  const headers = findIdentifyingHeaders(answers);
  const before = mapConnectionPlaces(all);
  const moments = chooseMoments(answers);
  return (exchange) => {
    const { ask, response, begun, connection } = exchange;
    const { place = null, previous = null } = before.get(exchange.id) ?? {};
    return [
      ...headers.map((name): Trait => [name, readHeaderValue(response, name)]),
      ['client', ask.unannounced === true ? 'an ordinary client' : (ask.client ?? 'the suite')],
      ...(connection === undefined ? [] : [['connection', String(connection)] as const]),
      ...(place === null ? [] : listPlaces(place)),
      ...(previous === null ? [] : [['after', previous] as const]),
      ...moments.flatMap((moment): Trait[] => [
        ['time of the run', `${begun >= moment ? 'after' : 'before'} ${(moment / 1000).toFixed(1)} s`],
      ]),
    ];
  };
}

/** Returns traits of the place on a connection. The third request on a connection has three: `3`, `beyond 1`, `beyond 2`. */
function listPlaces(place: number): Trait[] {
  const beyond = [1, 2, 3, 5, 10, 20, 50].filter((each) => place > each);
  return [
    ['place on its connection', String(place)],
    ...beyond.map((each): Trait => ['place on its connection', `beyond ${each}`]),
  ];
}

/** Names of the headers that identify who answered and have more than one value. */
function findIdentifyingHeaders(answers: readonly Comparable[]): string[] {
  const names = new Set(
    answers.flatMap(({ exchange }) => exchange.response.headers.map(([name]) => name.toLowerCase())),
  );
  return [...names].filter((name) => {
    const values = new Set(answers.map(({ exchange }) => readHeaderValue(exchange.response, name)));
    const isTelling = name === 'age' || WHO.has(name) || PART.test(name);
    return isTelling && values.size > 1 && values.size <= MOST_VALUES;
  });
}

/** Returns the value of a header. Of Age it only matters if it is above 0: then a cache answered. */
function readHeaderValue(response: Exchange['response'], name: string): string {
  const [, value] = response?.headers.find(([each]) => each.toLowerCase() === name) ?? [];
  if (value === undefined) return '(none)';
  if (name !== 'age') return value;
  return Number(value) > 0 ? 'more than 0' : '0';
}

/** Maps the id of each exchange to its place on its connection, counted from 1, and to the request before it. */
function mapConnectionPlaces(
  all: readonly Exchange[],
): ReadonlyMap<string, { place: number; previous: string | null }> {
  const last = new Map<number, { place: number; said: string }>();
  const found = new Map<string, { place: number; previous: string | null }>();
  for (const { id, connection, ask, response } of all.toSorted((one, other) => one.begun - other.begun)) {
    if (connection === undefined) continue;
    const before = last.get(connection);
    const place = (before?.place ?? 0) + 1;
    found.set(id, { place, previous: before?.said ?? null });
    last.set(connection, { place, said: `${ask.operation} with ${response?.status ?? 'no answer'}` });
  }
  return found;
}

/**
 * Returns moments at equal distances between answers, in milliseconds. The first and the last tenth have none: the
 * beginning of a run differs from the rest. If only lists are wrong, there are none: lists change as the store grows.
 */
function chooseMoments(answers: readonly Comparable[]): number[] {
  if (answers.every(({ exchange, isWrong }) => !isWrong || exchange.ask.operation === 'listPets')) return [];
  const begun = answers.map(({ exchange }) => exchange.begun).toSorted((one, other) => one - other);
  // Of the 19 borders between 20 parts, the first one and the last one are left out.
  const places = Array.from({ length: TIME_PARTS - 3 }, (_, index) =>
    Math.floor(((index + 2) * begun.length) / TIME_PARTS),
  );
  return [...new Set(places.flatMap((place) => begun[place] ?? []))];
}

/**
 * Returns the probability that chance gives a trait to this many wrong answers or more: Fisher's exact test, one-sided.
 * @param allWrong the number of all wrong answers, with the trait or without
 */
function computeChance({ wrong, right }: Share, allWrong: number, allRight: number): number {
  const [having, all] = [wrong + right, allWrong + allRight];
  let sum = 0;
  for (let each = wrong; each <= Math.min(having, allWrong); each += 1)
    sum += Math.exp(logChoose(allWrong, each) + logChoose(allRight, having - each) - logChoose(all, having));
  return sum;
}

/** Returns the logarithm of the number of ways to choose `some` of `all`. Logarithms keep large numbers within doubles. */
function logChoose(all: number, some: number): number {
  if (some < 0 || some > all) return -Infinity;
  return logFactorial(all) - logFactorial(some) - logFactorial(all - some);
}

/** Logarithms of factorials, as far as they were computed: `LOGS[3]` is the logarithm of 6. */
const LOGS: number[] = [0];

function logFactorial(number: number): number {
  for (let each = LOGS.length; each <= number; each += 1) LOGS.push((LOGS[each - 1] ?? 0) + Math.log(each));
  return LOGS[number] ?? 0;
}
