/**
 * Finds the circumstance that the wrong cases of a run share and the right cases lack, e.g. `as each 5th request of a connection`. A case
 * is an answer, an animal or a row of a list (`wrong-answers.ts` and `recorded-animals.ts` list them). It reads the record and sends nothing. Pure.
 */
import type { Exchange } from '../../fixtures/exchange/exchange.ts';
import { memoize, memoizeByObject } from '../../fixtures/exchange/memoize.ts';
import type { Decision } from '../../fixtures/judgement/experiment.ts';
import type { Flaw } from '../../fixtures/judgement/finding.ts';
import type { Judge } from '../../fixtures/judgement/rules/judge-exchanges.ts';
import { findBodyMistake, makeDescriber, type RecordedCase, type Kind } from './describe-requests.ts';
import { listAnimals, listRows } from './recorded-animals.ts';
import type { CauseSummary } from './report-document.ts';
import { compareAnswers, listRequests, listWrong, nameCompared, type Wrongs } from './wrong-answers.ts';

/** A circumstance with the name that a card shows, e.g. `directly after a createPet that gets 400`. */
interface Circumstance {
  kind: Kind;
  name: string;
  /** True for two circumstances together, e.g. `with a limit of at most 10 and with a status`. */
  isPair?: true;
  /** True for `from the 7th request of a connection on`. The 7th is the first place with a wrong answer. */
  isFrom?: true;
}

/**
 * A circumstance with its counts: `wrong` of the `of` answers with it are wrong, and `wrongElse` of the `ofElse` answers without it.
 * Example: of 12 requests of a connection each 3rd fails. Then `as each 3rd request of a connection` has 4 of 4, and else 0 of 8.
 */
interface Tally extends Circumstance {
  wrong: number;
  /** How many of the wrong answers come directly after a right one, or first: five wrong ones in a row are one episode. */
  episodes: number;
  of: number;
  wrongElse: number;
  ofElse: number;
}

/**
 * The least numbers with which a circumstance decides:
 * - `wrong`: the number of wrong answers with it. `episodes`: in one moment everything may fail, so other requests need several. `bits`:
 * the information that it gives (`computeBits`).
 * - `share`: the share of the answers with it that is wrong. `covered`: the share of all wrong answers that has it.
 * Example: all 67 answers to each 5th request of a connection are wrong, and 3 others. Then its share is 67 of 67, and it covers 67 of 70.
 */
type Least = Readonly<Record<'wrong' | 'episodes' | 'bits' | 'share' | 'covered', number>>;

/**
 * The least numbers of each kind, with an example of the kind. A request before or beside another one may have no effect on it, because
 * nobody sees in which order a service carries them out: so `beside` needs no share, and `findLeastShare` lowers the one of `before`.
 */
const LEAST: Readonly<Record<Kind, Least>> = {
  connection: { wrong: 4, episodes: 1, bits: 10, share: 0.7, covered: 0.4 }, // `as each 5th request of a connection`
  row: { wrong: 4, episodes: 1, bits: 10, share: 0.7, covered: 0.4 }, // `as the last row of a list`
  run: { wrong: 8, episodes: 1, bits: 20, share: 0.7, covered: 0.4 }, // `from the 7th request of the run on`
  animal: { wrong: 4, episodes: 1, bits: 16, share: 0.25, covered: 0.8 }, // `as each 10th animal of the run`
  trait: { wrong: 3, episodes: 1, bits: 12, share: 0.6, covered: 0.95 }, // `with a limit`
  added: { wrong: 3, episodes: 1, bits: 10.5, share: 0.75, covered: 0.95 }, // `added with no status`
  addedBehind: { wrong: 3, episodes: 1, bits: 12, share: 0.7, covered: 0.6 }, // `added directly after a getPet that gets 404`
  quiet: { wrong: 1, episodes: 1, bits: 8, share: 0.95, covered: 0.6 }, // `after more than 2 s of silence on its connection`
  before: { wrong: 3, episodes: 2, bits: 12, share: 0.7, covered: 0.5 }, // `directly after a createPet that gets 400`
  beside: { wrong: 4, episodes: 3, bits: 7.2, share: 0, covered: 0.95 }, // `while a listPets is under way`
};
/** The `share` for `from the 7th request on`. The 7th is a guess, because it is only the first wrong one. */
const FROM_SHARE = 0.95;
/** `findLeastShare` divides a share by these numbers. `beforeOfOthers`: if the request before decides about another promise too, or few answers are wrong without it. */
const LOWERED = { row: 2, before: 3, beforeOfOthers: 1.4 } as const;
/** A circumstance that decides has at least this many times the share of wrong answers that others have. 0 of 4 others count as 1 of 5. */
const TIMES_MORE_WRONG = 5;
/** A trait that nearly all requests have decides only if nearly all of them fail. Example: gzip in Accept-Encoding, in 22 requests for each one without. */
const MOST_WITH_TRAIT = 22;
/** Kinds of circumstances that may decide about several promises: they are not about one request, animal or value. */
const SHARED: ReadonlySet<Kind> = new Set(['before', 'beside', 'quiet', 'connection']);
/** Kinds of circumstances that are about animals: a request that is sent again is about the same one. */
const OF_ANIMALS: readonly Kind[] = ['animal', 'added', 'addedBehind', 'row'];
/** A trait of fewer wrong answers than FEW decides only if nearly all answers with it are wrong. A pair of fewer never decides. */
const [FEW, SHARE_OF_FEW] = [5, 0.8];
/** The last place with a name of its own: `as the 16th request of a connection`, `as each 16th request of a connection`. */
const LAST_NAMED = 16;
/** Single animals are named only if at least this number of animals is right. */
const FEWEST_RIGHT_ANIMALS = 10;
/** The least bits with which a request under way at the same time decides, if it decides about another promise already. */
const BITS_AS_OTHERS = 3;
/** The most wrong animals that are named by their places. */
const MOST_NAMED = 6;
/** There are many pairs, so one of them may fit by accident: a pair loses 9 of its bits, and then needs 15 bits and the share 0.75. */
const [FEWER_BITS, BITS_OF_PAIR, SHARE_OF_PAIR] = [9, 15, 0.75];
/** A report names chance only if at least four answers were wrong (`isErratic`). Fewer than three repeats of a request show nothing. */
const [FEWEST_ERRATIC, FEWEST_REPEATS] = [4, 3];

/** Matches a trait of experiments that is a value, with its kind: `the id 33`, `limit=7`, `a limit below 9`, `a missing accept`. */
const OF_VALUE = /(?<=^(?:the |a )?)(?:id|limit|name|categoryId)\b|(?<=^a missing )[au][a-z-]+/;

/** Writes a path and the body of its answer, so that equal answers are found. */
const writeAnswer = ({ ask, response }: Exchange) => `${ask.path} ${response?.body.toString()}`;

/** The nouns for numbered places. */
const NOUNS: Readonly<Partial<Record<Kind, string>>> = {
  connection: 'request of a connection',
  run: 'request of the run',
  animal: 'animal of the run',
  row: 'row of a list',
};

/** Finds circumstances in the recorded answers of one run. */
export class Circumstances {
  /** By promise: the circumstance that decides about it, if it may decide about others too. */
  private readonly shared = new Map<string, Tally>();
  private readonly flaws: readonly Flaw[];
  private readonly record: readonly Exchange[];
  private readonly describe: ReturnType<typeof makeDescriber>;
  /** Flaws of requests that the service accepted although it had to refuse them. */
  private readonly accepted: readonly Flaw[];
  /** These requests as wrong cases, and the rightly refused requests of the same operations as right ones. `decide` makes them once. */
  private acceptedCases: RecordedCase[] | undefined;

  constructor(judge: Pick<Judge, 'listEveryFlaw'>, exchanges: readonly Exchange[]) {
    this.flaws = judge.listEveryFlaw();
    this.record = exchanges
      .filter(({ ask }) => ask.experiment === undefined)
      .toSorted((one, other) => one.begun - other.begun);
    this.describe = makeDescriber(this.record);
    // Without `status` the status was right, so nothing was wrongly accepted: 500. Without `promised` any refusal was right: 400.
    this.accepted = this.flaws.filter(({ promised = 400, status = 500 }) => promised >= 400 && status < 300);
  }

  /** Returns the answers that break a promise, and the cases to compare. It keeps the result, because `decide` needs it twice. */
  private readonly listCases = memoize((promise: string) => {
    const { record, describe } = this;
    const wrong = this.listWrongAnswers(promise);
    const members = new Set(wrong.flatMap(({ flawPointer }) => flawPointer || []));
    // Not compared are answers that break another promise about the same member, e.g. a should about names with control characters, and
    // answers equal to these, because a flaw names only one of several equal answers. Promises about Errors are not compared with undocumented
    // errors, e.g. a 405 in HTML: their form may be wrong too.
    const isUnclear = ({ requirement, pointer }: Flaw) =>
      requirement !== promise &&
      (members.has(pointer ?? '') ||
        (promise.startsWith('errors.') && requirement === 'errors.undocumented'));
    const ids = new Set(this.flaws.filter(isUnclear).flatMap(({ evidence }) => evidence));
    const unclear = new Set(record.filter(({ id }) => ids.has(id)).map(writeAnswer));
    const isOfPromise = (each: Exchange) => wrong.some(({ exchange }) => exchange === each);
    const compared = record.filter((each) => !unclear.has(writeAnswer(each)) || isOfPromise(each));
    const requests = listRequests(wrong, compared, describe);
    const animals = listAnimals(wrong, record, describe);
    return { wrong, requests, animals, rows: listRows(wrong, record) };
  });

  private listWrongAnswers(promise: string) {
    const flaws = this.flaws.filter(({ requirement }) => requirement === promise);
    return listWrong(flaws, this.record);
  }

  /**
   * Counts the answers that break a promise, and all answers that it is about, e.g. 118 of 120. `requests` says to which requests
   * these answers came, e.g. `getPet`. Of createPets that must be refused, it counts those whose body is wrong in the same way.
   */
  count(promise: string): Pick<CauseSummary, 'wrong' | 'of' | 'requests'> {
    const wrong = this.listWrongAnswers(promise);
    const mistakes = new Set(wrong.map(({ exchange }) => findBodyMistake(exchange)));
    const all = compareAnswers(wrong, this.record);
    const compared = all.filter(({ exchange }) => mistakes.has(findBodyMistake(exchange)));
    const requests = wrong.length === 0 ? {} : { requests: nameCompared(wrong) };
    return { wrong: compared.filter(({ isWrong }) => isWrong).length, of: compared.length, ...requests };
  }

  /**
   * Returns the circumstance that best separates the wrong answers to a promise from the right ones, if the experiments do not
   * contradict it. If there is none, returns what the experiments show.
   *
   * Call it for all promises, and then for all again. It prefers a circumstance that decides about other promises too (`shared`), and only
   * at the second call are all of these known.
   * @param tried what the experiments show; null if none was made
   */
  decide(promise: string, tried: Decision | null): Decision | null {
    const { record, describe } = this;
    const { wrong, requests, animals, rows } = this.listCases(promise);
    // Few requests of one kind are wrongly accepted. If they do not show what decides, the wrongly accepted ones of all kinds are compared.
    const isOfAccepted = this.accepted.some(({ requirement }) => requirement === promise);
    this.acceptedCases ??= listRequests(listWrong(this.accepted, record), record, describe);
    const accepted = isOfAccepted ? [this.acceptedCases] : [];
    const best =
      this.findBest(promise, tried, [isOfAnimals(promise, wrong, rows) ? [] : requests, animals, rows]) ??
      this.findBest(promise, tried, accepted) ??
      (tried === null ? nameAnimals(wrong, animals) : undefined);
    if (best === undefined) {
      // No experiment is made about an animal that is lost or not listed, so only the record shows chance.
      const isOfLost = /^(create-pet\.kept|list-pets\.shows-added)/.test(promise);
      const mayBeByChance = tried !== null || isOfAccepted || isOfLost;
      return explainRepeats(tried, mayBeByChance ? [requests, ...accepted] : []);
    }
    if (SHARED.has(best.kind)) this.shared.set(promise, best);
    return makeDecision(best, tried);
  }

  /** Returns the deciding circumstance that best separates wrong cases from right ones. @param groups cases: requests, animals, rows */
  private findBest(promise: string, tried: Decision | null, groups: readonly (readonly RecordedCase[])[]) {
    // By the name of a circumstance that decides about other promises: the wrong answers to them that have it.
    const wrongOf = new Map<string, number>();
    for (const [other, { name, wrong }] of this.shared)
      if (other !== promise) wrongOf.set(name, wrong + (wrongOf.get(name) ?? 0));
    // A circumstance that decides about other promises too weighs more: twice as much if it explained two wrong answers there.
    const weighShared = (each: Tally) => computeBits(each) * Math.log2(2 + (wrongOf.get(each.name) ?? 0));
    // The size of a body follows from its members: `with no status` says more than `with a body of at most 40 bytes`. And `while a listPets
    // is under way` says more than `while a listPets that gets 200 is under way`.
    const isNarrow = ({ name }: Tally) => name.endsWith(' bytes') || /^(added )?while .* gets /.test(name);
    // With serial identifiers, each 10th animal may have an id that ends in 7: the id says more.
    const weigh = (each: Tally) =>
      (isNarrow(each) ? 0.6 : 1) * weighShared(each) - Number(each.kind === 'animal');
    const isPossible = ({ kind, name, wrong, of, wrongElse }: Tally) => {
      // If two animals got one identifier, their members are not the reason, but other requests, or their place, e.g. each 10th animal.
      if (/^create-pet\.(unique|equal)/.test(promise))
        return kind === 'animal' || kind === 'before' || (kind === 'beside' && name.includes(' createPet'));
      // No animal or row decides about a key, which is checked before anything else, or about the form of an Error.
      if (/^(authentication|store-orders|errors)\./.test(promise) && OF_ANIMALS.includes(kind)) return false;
      // Tests send wrong keys after many requests. So a request before decides only if most answers after it are wrong, and no others.
      const isMost = wrong >= LEAST.before.share * of && wrongElse === 0;
      return kind !== 'before' || !promise.startsWith('authentication.') || isMost;
    };
    const mayBeNamed = (each: Tally) => {
      const isOfOthers = wrongOf.has(each.name);
      const isLikely = isDecisive(each, isOfOthers) || (isOfOthers && isAsOfOthers(each));
      return isLikely && isPossible(each) && mayDecide(each, tried);
    };
    const [best] = groups
      .flatMap((cases) => {
        const all = countCircumstances(cases);
        const decisive = all.filter(mayBeNamed);
        // Often only one animal of the run has an unusual name. If it fails each time, one wrong answer is enough (`isExactTrait`).
        const isExact = (each: Tally) => isExactTrait(each) && isPossible(each);
        const exact = tried?.kind === 'always' ? all.filter(isExact) : [];
        return decisive.length === 0 && exact.length === 1 ? exact : decisive;
      })
      .toSorted((one, other) => weigh(other) - weigh(one));
    return best;
  }
}

/** True if each row about some animals is wrong in all lists: then the animals decide, not the requests that show them. */
function isOfAnimals(promise: string, wrong: Wrongs, rows: readonly RecordedCase[]): boolean {
  const isOfRows = promise.startsWith('representation.pet-') || wrong.every(({ creation }) => creation);
  return isOfRows && rows.length > 0 && rows.every(({ isWrong }) => isWrong);
}

/** Writes the counts in the form of experiments: first the answers without the circumstance, then the answers with it. */
function makeDecision({ kind, name, wrong, of, wrongElse, ofElse }: Tally, tried: Decision | null): Decision {
  // Example: the experiments have named `limit=100` already.
  const nameRecorded = (without: string) => `with ${without.replace('a missing', 'no')}`.toLowerCase();
  if (tried?.experiments.some(({ without }) => nameRecorded(without) === name.toLowerCase())) return tried;
  const without = { without: name, wrong: wrongElse, of: ofElse };
  const experiments = [without, { without: '', wrong, of }];
  return { kind: kind === 'beside' ? 'concurrency' : 'history', experiments };
}

/** Names the wrong animals by their places, if lists lack only a few animals: `about the 5th, 15th animal of the run`. */
function nameAnimals([first]: Wrongs, animals: readonly RecordedCase[]): Tally | undefined {
  if (first?.lacks === undefined) return undefined;
  const places = animals.flatMap(({ isWrong, has }) =>
    isWrong ? spellOrdinal(Number(has.animal?.[0])) : [],
  );
  const [wrong, ofElse] = [places.length, animals.length - places.length];
  if (wrong === 0 || wrong > MOST_NAMED || ofElse < FEWEST_RIGHT_ANIMALS) return undefined;
  const name = `about the ${places.join(', ')} animal of the run`;
  return { kind: 'animal', name, wrong, episodes: 1, of: wrong, wrongElse: 0, ofElse };
}

/**
 * Returns what the experiments show. If the request was right each time with no other one under way, or no experiment was made, the record
 * decides: the failure is by chance if it came and went (`isErratic`). Else an earlier request may have caused it (`history`).
 * @param groups the recorded cases, if chance may decide about them; else empty
 */
function explainRepeats(
  tried: Decision | null,
  groups: readonly (readonly RecordedCase[])[],
): Decision | null {
  const isOpen = tried === null || (tried.kind === 'chance' && findLone(tried).wrong === 0);
  if (!isOpen) return tried;
  if (groups.some((cases) => isErratic(cases, tried))) return { experiments: [], ...tried, kind: 'chance' };
  return tried && { ...tried, kind: 'history' };
}

/** Returns the first experiment: the request was sent again with all its traits, and with no other request under way. */
const findLone = (tried: Decision | null) => tried?.experiments[0] ?? { wrong: 0, of: 0 };

/**
 * True if the failure came and went: several answers were wrong, a right one came between two of them, and equal requests got right
 * answers. Equal requests are at least three repeats in the first experiment, or a right case with the request of a wrong case.
 */
function isErratic(cases: readonly RecordedCase[], tried: Decision | null): boolean {
  // The places of the wrong cases, e.g. 3, 4, 6: from 3 to 6 are more than three places, so a right case is between.
  const wrong = cases.flatMap(({ isWrong }, index) => (isWrong ? [index] : []));
  const isInterrupted = (wrong.at(-1) ?? 0) - (wrong[0] ?? 0) >= wrong.length;
  const right = new Set(cases.flatMap(({ isWrong, request }) => (isWrong ? [] : [request])));
  const equal = wrong.filter((each) => right.has(cases[each]?.request));
  const hasEqual = findLone(tried).of >= FEWEST_REPEATS || equal.length > 0;
  return hasEqual && wrong.length >= FEWEST_ERRATIC && isInterrupted;
}

/** Returns each circumstance of the cases with its counts. The result is kept, because several promises have the same cases. */
const countCircumstances = memoizeByObject((cases: readonly RecordedCase[]): Tally[] => {
  // By kind: the first place with a wrong case. A place is a number, and comes first in the list of its kind.
  const firstWrong = new Map<string, number>();
  for (const { has } of cases.filter(({ isWrong }) => isWrong))
    for (const [kind, [place]] of Object.entries(has))
      if (typeof place === 'number') firstWrong.set(kind, Math.min(firstWrong.get(kind) ?? Infinity, place));
  // Example of `has`: `{ connection: [6], trait: ['with a limit'] }`. A text is a name already. A place has several names, e.g. the 6th: `each 2nd`, `each 3rd`, `the 6th`.
  const nameOne = (kind: Kind, one: string | number): Circumstance[] =>
    typeof one === 'string' ? [{ kind, name: one }] : namePlace(kind, one, firstWrong.get(kind) ?? Infinity);
  const named = cases.map(({ has }) =>
    (Object.keys(has) as Kind[]).flatMap((kind) => has[kind]?.flatMap((one) => nameOne(kind, one)) ?? []),
  );
  const singles = tally(cases, named);
  // A pair is made of two circumstances that all wrong cases have: places on a connection, and traits. `with a name of odd length` is half
  // of no pair: it fits half of all names by accident.
  const isHalf = ({ kind, name, isFrom, wrongElse }: Tally) =>
    wrongElse === 0 &&
    isFrom === undefined &&
    (kind === 'connection' || /^(added )?with .*(?<! length)$/.test(name));
  const halves = new Set(
    singles.filter((each) => isHalf(each) && computeBits(each) > 2).map(({ name }) => name),
  );
  const pairs = named.map((all) => joinPairs(all.filter(({ name }) => halves.has(name))));
  return [...singles, ...tally(cases, pairs)];
});

/** Joins each two circumstances of one case that can make a pair: `with a limit of at most 10 and with a status`. */
function joinPairs(all: readonly Circumstance[]): Circumstance[] {
  return all.flatMap(({ kind, name }, index) =>
    all
      .slice(index + 1)
      .filter((other) => other.kind === kind || (kind === 'connection' && other.kind === 'trait'))
      .filter((other) => !(name.includes('with an id ') && other.name.includes('with an id ')))
      .map((other) => ({ kind, name: `${name} and ${other.name.replace(/^added /, '')}`, isPair: true })),
  );
}

/** Counts the right and the wrong cases with each circumstance, and without it. @param named the circumstances of each case */
function tally(cases: readonly RecordedCase[], named: readonly (readonly Circumstance[])[]): Tally[] {
  const allWrong = cases.filter(({ isWrong }) => isWrong).length;
  const counts = new Map<string, Tally & { last: number }>();
  const none = { wrong: 0, episodes: 0, of: 0, wrongElse: 0, ofElse: 0, last: -1 };
  for (const [index, all] of named.entries())
    for (const one of all) {
      const count = counts.get(one.name) ?? { ...one, ...none };
      // A case that has a name twice counts once, e.g. if two getPets are under way with it.
      if (count.last === index) continue;
      const isWrong = cases[index]?.isWrong === true;
      count.wrong += Number(isWrong);
      count.episodes += Number(isWrong && cases[index - 1]?.isWrong !== true);
      count.of += 1;
      count.last = index;
      counts.set(one.name, count);
    }
  return [...counts.values()].map((count) => {
    return { ...count, wrongElse: allWrong - count.wrong, ofElse: cases.length - count.of };
  });
}

/**
 * Names a place, e.g. the 10th: `as each 5th request of a connection`, `as the 10th request of a connection`. A place from the first
 * wrong one on is also `from the 7th request of a connection on`. In a run it has no other name, because another
 * run sends its requests in another order.
 * @param firstWrong the first place with a wrong case
 */
function namePlace(kind: Kind, place: number, firstWrong: number): Circumstance[] {
  const noun = NOUNS[kind];
  const from = { kind, name: `from the ${spellOrdinal(firstWrong)} ${noun} on`, isFrom: true } as const;
  const all: Circumstance[] = place >= firstWrong ? [from] : [];
  if (kind === 'run') return all;
  for (let step = 2; step <= LAST_NAMED; step += 1) {
    const [each, first] = [`as each ${spellOrdinal(step)} ${noun}`, place % step];
    if (first === 0) all.push({ kind, name: each });
    // A service may count the animals that it held before the run too.
    else if (kind === 'animal') all.push({ kind, name: `${each} from the ${spellOrdinal(first)} on` });
  }
  if (place > LAST_NAMED) return all;
  return [...all, { kind, name: `as the ${place === 1 ? 'first' : spellOrdinal(place)} ${noun}` }];
}

/** Returns e.g. `2nd`, `11th`. */
function spellOrdinal(number: number): string {
  const isTeen = number % 100 > 10 && number % 100 < 14;
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

/**
 * True if the circumstance is common among the wrong answers and rare among the right ones (`LEAST`).
 * @param isOfOthers true if it decides about another promise
 */
function isDecisive(one: Tally, isOfOthers: boolean): boolean {
  const { kind, isPair, wrong, episodes, of, wrongElse, ofElse } = one;
  if (kind === 'trait' && of > MOST_WITH_TRAIT * ofElse && wrong < FROM_SHARE * of) return false;
  const least = LEAST[kind];
  const [fewest, bits] = isPair === true ? [FEW, BITS_OF_PAIR] : [least.wrong, least.bits];
  const isCommon =
    wrong >= Math.max(fewest, least.covered * (wrong + wrongElse)) && episodes >= least.episodes;
  const isMoreOften = wrong / of >= (TIMES_MORE_WRONG * (wrongElse + 1)) / (ofElse + 1);
  return isCommon && isMoreOften && computeBits(one) >= bits && wrong >= findLeastShare(one, isOfOthers) * of;
}

/** Returns the share of the answers with the circumstance that has to be wrong. */
function findLeastShare({ kind, isFrom, isPair, wrong, wrongElse }: Tally, isOfOthers: boolean): number {
  const { share } = LEAST[kind];
  if (isFrom === true) return FROM_SHARE;
  if (isPair === true) return SHARE_OF_PAIR;
  // A few answers with a trait that are not all wrong may have it by accident.
  if (kind === 'trait' || kind === 'added') return wrong < FEW ? SHARE_OF_FEW : share;
  // Perhaps only the last rows of those lists are wrong that the limit has cut, and a request before may have no effect. So the share may
  // be smaller if no answer is wrong without the circumstance.
  if (wrongElse === 0 && (kind === 'row' || kind === 'before')) return share / LOWERED[kind];
  if (kind === 'before' && (isOfOthers || 10 * wrongElse <= wrong)) return share / LOWERED.beforeOfOthers;
  return share;
}

/**
 * For a circumstance that decides about another promise already: true if all wrong answers have it, however few, and some right answer
 * lacks it. It needs its share (`LEAST`). Most requests overlap with others, so `beside` needs some bits instead.
 */
function isAsOfOthers(one: Tally): boolean {
  const { kind, wrong, of, wrongElse, ofElse } = one;
  const isEnough = kind === 'beside' ? computeBits(one) >= BITS_AS_OTHERS : wrong >= LEAST[kind].share * of;
  return wrong > 0 && wrongElse === 0 && ofElse > 0 && isEnough;
}

/** True for a trait that all wrong animals have, and no right one. */
function isExactTrait({ kind, isPair, wrong, of, wrongElse, ofElse }: Tally): boolean {
  return (
    kind === 'added' && isPair !== true && wrong === of && wrongElse === 0 && ofElse >= FEWEST_RIGHT_ANIMALS
  );
}

/**
 * True if the experiments do not contradict the circumstance. By what they showed:
 * - A trait or other requests decide: only a place or a quiet time on the connection, a row, or the animal, says more.
 * - It failed at least once with no other request under way: no request at the same time decides.
 * - It failed each time so: only what was the same then decides, e.g. a trait or the animal.
 * - It was right at least once: nothing decides that was the same then.
 */
function mayDecide({ kind, name, isPair }: Tally, tried: Decision | null): boolean {
  if (tried === null) return true;
  if (tried.kind === 'feature' || tried.kind === 'concurrency' || tried.kind === 'history') {
    // If experiments say that a value decides, e.g. `the id 33`, a trait of its kind may say more: `with an id that ends in 3`.
    const isOfKind = ({ without }: Decision['experiments'][number]) => {
      const [valueKind] = OF_VALUE.exec(without) ?? [];
      return valueKind !== undefined && name.includes(` ${valueKind}`);
    };
    const saysMore = kind === 'trait' && tried.experiments.slice(1).every(isOfKind);
    return isPair !== true && (saysMore || ['connection', 'quiet', ...OF_ANIMALS].includes(kind));
  }
  // Example of too few repeats: a wrong key is sent again only once.
  if (findLone(tried).of < FEWEST_REPEATS) return true;
  // `added while a createPet is under way` is about the animal, which the repeat reads again.
  if (name.startsWith('while ') && findLone(tried).wrong > 0) return false;
  // These were the same when the request was sent again: if it failed each time, one of them decides; if not, none of them. Its place on a
  // connection, and the requests before it, were others.
  const isSameInRepeat = ['run', 'trait', ...OF_ANIMALS].includes(kind);
  // `unknown`: it failed each time too, but no trait was tried.
  const hasFailedEachTime = ['always', 'unknown'].includes(tried.kind);
  return hasFailedEachTime === isSameInRepeat;
}

/**
 * Returns how many bits of information the circumstance gives about which answers are wrong (mutual information). Example: two of 32
 * animals are wrong, and only they have a trait: 11 bits. Requests under way (`beside`) count less, because most requests have some.
 */
function computeBits({ kind, name, isPair, wrong, of, wrongElse, ofElse }: Tally): number {
  const countPart = (some: number, all: number) => (some === 0 ? 0 : some * Math.log2(all / some));
  // The bits that say which answers of a group are wrong (entropy): 11 for two wrong ones of 32, and 0 if all or none are wrong.
  const countBits = (some: number, all: number) => countPart(some, all) + countPart(all - some, all);
  const withoutCircumstance = countBits(wrong + wrongElse, of + ofElse);
  const gained = withoutCircumstance - countBits(wrong, of) - countBits(wrongElse, ofElse);
  const bits = isPair === true ? gained - FEWER_BITS : gained;
  if (kind !== 'beside') return bits;
  return (wrongElse > 0 || name.includes(' and began ') ? 0.6 : 0.8) * bits;
}
