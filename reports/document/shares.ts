/** What wrong answers of a run have in common, and right answers to the same requests lack. Pure. */
import type { Exchange } from '../../fixtures/exchange/exchange.ts';
import type { Comparable } from './comparable-answers.ts';
import type { CauseSummary } from './report.ts';

type Share = CauseSummary['shares'][number];

/** Headers that say who answered, beside those that name a part of a deployment. */
const WHO = new Set(['server', 'via', 'x-cache', 'x-served-by', 'content-encoding', 'content-language']);
const PART =
  /^(x-|cf-|fly-).*(pod|node|host|instance|region|zone|backend|server|version|revision|release|deploy|upstream|worker|replica|shard|cell|cluster|cache|pop|ray|edge)/;
/** A header with more values names requests, not parts. */
const MOST_VALUES = 30;
/** Moments of the run at which something may have changed. */
const MOMENTS = 20;
/** Least share of the wrong answers that has the trait, and greatest share of the right ones. */
const OF_WRONG = 0.9;
const OF_RIGHT = 0.5;
/** Fewer wrong answers may be chance. */
const FEWEST = 4;
const FEWEST_IN_TIME = 20;
/** How likely it may be that chance alone names any trait. */
const CHANCE = 0.001;
/** Traits that are named. */
const NAMED = 2;
/** Which factor is meant if two tell as much: who answered rather than when. */
const ORDER = ['client', 'encoding', 'place on its connection', 'connection', 'after', 'time of the run'];

/** The traits that tell wrong from right answers, the surest first; none if it may be chance. */
export function sharesOf(answers: readonly Comparable[], all: readonly Exchange[]): Share[] {
  const compared = asMixed(answers);
  const wrong = compared.filter(({ isWrong }) => isWrong).length;
  const right = compared.length - wrong;
  if (wrong < FEWEST || right < FEWEST) return [];
  const counted = countTraits(compared, all);
  const telling = counted
    .filter(mayTell)
    .map((share) => ({ ...share, chance: chanceOf(share, wrong, right) * counted.length }))
    .filter(
      (each) => each.chance < CHANCE && each.wrong >= OF_WRONG * wrong && each.right <= OF_RIGHT * right,
    )
    .toSorted((one, other) => one.chance - other.chance || rankOf(one.factor) - rankOf(other.factor));
  // another one is worth a line only if it tells as much
  const best = telling.filter(({ chance }) => chance === telling[0]?.chance);
  const ofFactors = new Map(
    best
      .toReversed()
      .map(({ factor, value, ...share }) => [
        factor,
        { factor, value, wrong: share.wrong, right: share.right },
      ]),
  );
  return [...ofFactors.values()].toReversed().slice(0, NAMED);
}

/** A store grows during a run, so few answers before or after a moment say nothing of that moment. */
function mayTell({ factor, wrong, right }: Share): boolean {
  return factor !== 'time of the run' || (wrong >= FEWEST_IN_TIME && right <= wrong / 5);
}

function rankOf(factor: string): number {
  return ORDER.indexOf(factor);
}

/**
 * The answers to requests that were answered both right and wrong. If a request alone decides it, no other trait has to
 * explain it: so what was asked at one time only, or of one part only, is not taken for the cause.
 */
function asMixed(answers: readonly Comparable[]): Comparable[] {
  const sides = new Map<string, Set<boolean>>();
  for (const { exchange, isWrong } of answers)
    (
      sides.get(requestOf(exchange)) ?? sides.set(requestOf(exchange), new Set()).get(requestOf(exchange))
    )?.add(isWrong);
  return answers.filter(({ exchange }) => sides.get(requestOf(exchange))?.size === 2);
}

/** A request, but for what differs in each: names that the run gives its animals are of one kind and one length. */
function requestOf({ ask }: Exchange): string {
  const { method, path, body, credential, headers = [], without = [] } = ask;
  const sent = typeof body === 'string' ? body.replace(/"cs[A-Za-z]{4,}"/g, '"cs"') : '';
  return JSON.stringify([method, path, sent, credential, headers, without]);
}

/** How many wrong and right answers have each trait. */
function countTraits(answers: readonly Comparable[], all: readonly Exchange[]): Share[] {
  const traitsOf = traits(answers, all);
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

function traits(answers: readonly Comparable[], all: readonly Exchange[]): (exchange: Exchange) => Trait[] {
  const headers = telling(answers);
  const before = beforeOnConnection(all);
  const moments = momentsOf(answers);
  return (exchange) => {
    const { ask, response, begun, connection } = exchange;
    const { place = null, previous = null } = before.get(exchange.id) ?? {};
    return [
      ...headers.map((name): Trait => [name, valueIn(response, name)]),
      ['client', ask.unannounced === true ? 'an ordinary client' : 'the suite'],
      ...(connection === undefined ? [] : [['connection', String(connection)] as const]),
      ...(place === null ? [] : placesOf(place)),
      ...(previous === null ? [] : [['after', previous] as const]),
      ...moments.flatMap((moment): Trait[] => [
        ['time of the run', `${begun >= moment ? 'after' : 'before'} ${(moment / 1000).toFixed(1)} s`],
      ]),
    ];
  };
}

/** The third request of a connection is the third, and beyond the second. */
function placesOf(place: number): Trait[] {
  const beyond = [1, 2, 3, 5, 10, 20, 50].filter((each) => place > each);
  return [
    ['place on its connection', String(place)],
    ...beyond.map((each): Trait => ['place on its connection', `beyond ${each}`]),
  ];
}

/** Headers that say who answered, and have more than one value. */
function telling(answers: readonly Comparable[]): string[] {
  const names = new Set(
    answers.flatMap(({ exchange }) => exchange.response.headers.map(([name]) => name.toLowerCase())),
  );
  return [...names].filter((name) => {
    const values = new Set(answers.map(({ exchange }) => valueIn(exchange.response, name)));
    const isTelling = name === 'age' || WHO.has(name) || PART.test(name);
    return isTelling && values.size > 1 && values.size <= MOST_VALUES;
  });
}

/** An Age of more than nothing says that a cache answered. */
function valueIn(response: Exchange['response'], name: string): string {
  const [, value] = response?.headers.find(([each]) => each.toLowerCase() === name) ?? [];
  if (value === undefined) return '(none)';
  if (name !== 'age') return value;
  return Number(value) > 0 ? 'more than 0' : '0';
}

/** Which request of its connection each is, and what was asked there before. */
function beforeOnConnection(
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

/** Moments between two answers, evenly over all of them but the first and the last tenth: a beginning is like no other time. */
function momentsOf(answers: readonly Comparable[]): number[] {
  const begun = answers.map(({ exchange }) => exchange.begun).toSorted((one, other) => one - other);
  const places = Array.from({ length: MOMENTS - 3 }, (_, index) =>
    Math.floor(((index + 2) * begun.length) / MOMENTS),
  );
  return [...new Set(places.flatMap((place) => begun[place] ?? []))];
}

/** How likely chance gives a trait to so many wrong answers or more: the one-sided test of Fisher. */
function chanceOf({ wrong, right }: Share, allWrong: number, allRight: number): number {
  const [having, all] = [wrong + right, allWrong + allRight];
  let sum = 0;
  for (let each = wrong; each <= Math.min(having, allWrong); each += 1)
    sum += Math.exp(logChoose(allWrong, each) + logChoose(allRight, having - each) - logChoose(all, having));
  return sum;
}

function logChoose(all: number, some: number): number {
  if (some < 0 || some > all) return -Infinity;
  return logFactorial(all) - logFactorial(some) - logFactorial(all - some);
}

const LOGS: number[] = [0];

function logFactorial(number: number): number {
  for (let each = LOGS.length; each <= number; each += 1) LOGS.push((LOGS[each - 1] ?? 0) + Math.log(each));
  return LOGS[number] ?? 0;
}
