/**
 * Finds the circumstance that the wrong answers of a run share and the right ones lack, e.g. each 5th request of a connection
 * gets 500. It reads the record and sends nothing. Pure.
 */
import type { Exchange } from '../../fixtures/exchange/exchange.ts';
import type { Decision } from '../../fixtures/judgement/experiment.ts';
import type { Flaw } from '../../fixtures/judgement/finding.ts';
import type { Judge } from '../../fixtures/judgement/rules/judge-exchanges.ts';
import {
  compareAnswers,
  listAnimals,
  listRequests,
  listRows,
  listWrong,
  makeDescriber,
  nameCompared,
  type RecordedCase,
  type Kind,
} from './recorded-cases.ts';
import type { CauseSummary } from './report-document.ts';

/** The numbers that a circumstance needs to decide; LEAST explains them. */
type Least = readonly [wrong: number, bits: number, share: number, covered: number];
const [PLACE, TRAIT]: readonly [Least, Least] = [
  [4, 10, 0.7, 0.4],
  [2, 12, 0.7, 0.95],
];
/**
 * A circumstance decides if it has at least these numbers.
 * - `wrong`: the wrong answers with it. `bits`: the information that it gives (`weigh`).
 * - `share`: the share of its answers that is wrong. `covered`: the share of all wrong answers that has it.
 * Requests before or beside may have no effect: nobody sees in which order a service carries requests out.
 */
const LEAST: Readonly<Record<Kind, Least>> = {
  ...{ connection: PLACE, row: PLACE, trait: TRAIT, added: [2, 10.5, 0.7, 0.95], pair: [5, 20, 1, 1] },
  ...{ run: [8, 20, 0.7, 0.4], animal: [4, 16, 0.25, 0.95] },
  ...{ silence: [1, 8, 0.7, 0.95], before: [3, 12, 0.7, 0.4], beside: [4, 6, 0, 0.95] },
};
/** `from the 7th request on` needs this share: the 7th is a guess, because it is only the first wrong one. */
const FROM_SHARE = 0.95;
/** Of the answers without the circumstance, the share that is wrong is this many times smaller. */
const RARER = 5;
/** Kinds of circumstances that may decide about several promises: they are not about one request, animal or value. */
const SHARED: ReadonlySet<Kind> = new Set(['before', 'beside', 'silence', 'connection']);
/** The last place with a name of its own: `as the 10th request of a connection`, `as each 10th request of a connection`. */
const LAST_NAMED = 10;
/** Chance is named only after this number of right answers to the request alone, and if at least so many others were wrong. */
const [FEWEST_ALONE, FEWEST_ERRATIC] = [3, 4];

/** The nouns for numbered places. */
const NOUNS: Readonly<Partial<Record<Kind, string>>> = {
  connection: 'request of a connection',
  run: 'request of the run',
  animal: 'animal of the run',
  row: 'row of a list',
};

/** `isFrom`: true for `from the 7th request of a connection on`. The 7th is the first place with a wrong answer. */
interface Circumstance {
  kind: Kind;
  name: string;
  isFrom?: true;
}

/**
 * The counts of one circumstance: wrong answers with it, all with it, wrong ones without it, all without it. Example: of 12 requests
 * of a connection each 3rd fails: `as each 3rd request of a connection` has wrong 4 of 4, and else 0 of 8.
 */
interface Separation extends Circumstance {
  wrong: number;
  of: number;
  wrongElse: number;
  ofElse: number;
}

/** The recorded answers of a run, and each flaw in them. */
export class Circumstances {
  /** The names of the circumstances that decide about promises so far, with the number of wrong answers that they explain. */
  private readonly named = new Map<string, number>();
  private readonly flaws: readonly Flaw[];
  private readonly record: readonly Exchange[];
  private readonly describe: ReturnType<typeof makeDescriber>;

  constructor(judge: Pick<Judge, 'listEveryFlaw'>, exchanges: readonly Exchange[]) {
    this.flaws = judge.listEveryFlaw();
    this.record = exchanges
      .filter(({ ask }) => ask.experiment === undefined)
      .toSorted((one, other) => one.begun - other.begun);
    this.describe = makeDescriber(this.record);
  }

  private listWrongAnswers(promise: string) {
    const flaws = this.flaws.filter(({ requirement }) => requirement === promise);
    return listWrong(flaws, this.record);
  }

  /**
   * Counts the wrong answers to a promise, and all answers that it is about: e.g. 118 of 120 getPets that found an animal.
   * `requests` says to which requests these answers came.
   */
  count(promise: string): Pick<CauseSummary, 'wrong' | 'of' | 'requests'> {
    const wrong = this.listWrongAnswers(promise);
    const compared = compareAnswers(wrong, this.record);
    return {
      wrong: compared.filter(({ isWrong }) => isWrong).length,
      of: compared.length,
      ...(wrong.length > 0 && { requests: nameCompared(wrong) }),
    };
  }

  /**
   * Returns the circumstance that best separates the wrong answers to a promise from the right ones, and that the experiments do
   * not contradict. One that decides about other promises comes first: `decide` is called twice for each promise. If there is none,
   * returns what the experiments show. A failure that they did not see again then is by chance only if it came and went (`isErratic`);
   * else earlier requests may have caused it (`history`).
   * @param tried what the experiments show; null if none was made
   */
  decide(promise: string, tried: Decision | null): Decision | null {
    const { record, describe, named } = this;
    // A circumstance that decides about other promises too counts more.
    const weighShared = (each: Separation) => weigh(each) * Math.log2(2 + (named.get(each.name) ?? 0));
    const wrong = this.listWrongAnswers(promise);
    const requests = listRequests(wrong, record, describe);
    // If animals share an identifier, neither their values nor their places decide, only other requests.
    const isOfIdentity = promise.includes('unique');
    const mayBeNamed = (each: Separation) =>
      (isDecisive(each, named.has(each.name)) || (named.has(each.name) && isAsOfOthers(each))) &&
      mayDecide(each, tried) &&
      (!isOfIdentity || each.kind === 'before' || each.kind === 'beside');
    const [best] = [requests, listAnimals(wrong, record, describe), listRows(wrong, record)]
      .flatMap((cases) => {
        const all = separate(cases);
        const single = all.filter(mayBeNamed);
        // The only animal with an odd name fails each time.
        const odd = tried?.kind === 'always' ? all.filter(isOdd) : [];
        if (single.length > 0 || odd.length === 1) return single.length > 0 ? single : odd;
        return separate(pairTraits(cases)).filter(mayBeNamed);
      })
      .toSorted((one, other) => weighShared(other) - weighShared(one));
    if (best === undefined)
      return tried?.kind === 'chance' && tried.experiments[0]?.wrong === 0 && !isErratic(requests, tried)
        ? { ...tried, kind: 'history' }
        : tried;
    if (SHARED.has(best.kind)) named.set(best.name, best.wrong + (named.get(best.name) ?? 0));
    // As with experiments, the answers without the circumstance come first. Those with it lack nothing.
    return {
      kind: best.kind === 'beside' ? 'concurrency' : 'history',
      experiments: [
        { without: best.name, wrong: best.wrongElse, of: best.ofElse },
        { without: '', wrong: best.wrong, of: best.of },
      ],
    };
  }
}

/** True if the request was right alone three times, at least four answers were wrong, and a right one came between them. */
function isErratic(cases: readonly RecordedCase[], { experiments: [lone] }: Decision): boolean {
  if ((lone?.of ?? 0) < FEWEST_ALONE) return false;
  const wrong = cases.flatMap(({ isWrong }, index) => (isWrong ? [index] : []));
  return wrong.length >= FEWEST_ERRATIC && (wrong.at(-1) ?? 0) - (wrong[0] ?? 0) >= wrong.length;
}

/** Names pairs of traits that all wrong cases have. */
function pairTraits(cases: readonly RecordedCase[]): RecordedCase[] {
  const listTraits = ({ has: { trait = [], added = [] } }: RecordedCase) => new Set([...trait, ...added]);
  const [first, ...others] = cases.filter(({ isWrong }) => isWrong).map(listTraits);
  const common = [...(first ?? [])].filter((each) => others.every((other) => other.has(each)));
  return cases.map((each) => {
    const own = common.filter((name) => listTraits(each).has(name));
    const pair = own.flatMap((one, index) => own.slice(index + 1).map((other) => `${one} and ${other}`));
    return { ...each, has: { pair } };
  });
}

/** Counts the wrong cases, and all cases, with and without each circumstance. */
function separate(cases: readonly RecordedCase[]): Separation[] {
  const wrong = cases.filter(({ isWrong }) => isWrong);
  // The least place of a wrong case, by kind.
  const leasts = new Map<string, number>();
  for (const [kind, [place = Infinity]] of wrong.flatMap(({ has }) => Object.entries(has)))
    leasts.set(kind, Math.min(leasts.get(kind) ?? Infinity, Number(place)));
  // A text is a name already. A place has several names, e.g. the 6th: `each 2nd`, `each 3rd`, `the 6th`.
  const nameOne = (kind: Kind, one: string | number): Circumstance[] =>
    typeof one === 'string' ? [{ kind, name: one }] : namePlaces(kind, one, leasts.get(kind) ?? Infinity);
  const counts = new Map<string, Separation>();
  for (const { isWrong, has } of cases) {
    const all = (Object.keys(has) as Kind[]).flatMap(
      (kind) => has[kind]?.flatMap((one) => nameOne(kind, one)) ?? [],
    );
    // A case counts once, also if two requests under way beside it have one name.
    for (const one of new Map(all.map((each) => [each.name, each])).values()) {
      const none = { ...one, wrong: 0, of: 0, wrongElse: wrong.length, ofElse: cases.length };
      const count = counts.get(one.name) ?? none;
      count.of += 1;
      count.ofElse -= 1;
      count.wrong += Number(isWrong);
      count.wrongElse -= Number(isWrong);
      counts.set(one.name, count);
    }
  }
  return [...counts.values()];
}

/**
 * Names a place, e.g. `as each 5th request of a connection`. Two kinds have fewer names. The place of a request in the run depends
 * on other requests: only `from the 7th request of the run on` is a name. The place of a row has no such name.
 * @param least the least place of a wrong case
 */
function namePlaces(kind: Kind, place: number, least: number): Circumstance[] {
  const noun = NOUNS[kind];
  const from = { kind, name: `from the ${spellOrdinal(least)} ${noun} on`, isFrom: true } as const;
  const all: Circumstance[] = kind !== 'row' && place >= least ? [from] : [];
  if (kind === 'run') return all;
  for (let step = 2; step <= LAST_NAMED; step += 1)
    if (place % step === 0) all.push({ kind, name: `as each ${spellOrdinal(step)} ${noun}` });
  if (place > LAST_NAMED) return all;
  return [...all, { kind, name: `as the ${place === 1 ? 'first' : spellOrdinal(place)} ${noun}` }];
}

function spellOrdinal(number: number): string {
  const isTeen = number % 100 > 10 && number % 100 < 14;
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

/**
 * True if the circumstance is common among the wrong answers and rare among the right ones.
 * @param isOfOthers true if it decides about another promise
 */
function isDecisive(one: Separation, isOfOthers: boolean): boolean {
  const { kind, isFrom, wrong, of, wrongElse, ofElse } = one;
  const [fewest, bits, share, covered] = LEAST[kind];
  if (wrong < fewest || weigh(one) < bits || wrong < covered * (wrong + wrongElse)) return false;
  // A request before may have no effect. So the share may be smaller if no answer is wrong without it, or if it decides elsewhere too.
  const ofBefore = wrongElse === 0 ? share / 3 : share / (isOfOthers ? 1.4 : 1);
  const least = kind === 'before' ? ofBefore : share;
  return wrong >= (isFrom ? FROM_SHARE : least) * of && wrong / of >= (RARER * wrongElse) / ofElse;
}

/** True if all wrong answers, although few, have a circumstance that decides about another promise. */
function isAsOfOthers({ kind, wrong, of, wrongElse }: Separation): boolean {
  return wrong > 0 && wrongElse === 0 && (kind === 'beside' || wrong >= LEAST[kind][2] * of);
}

/** True for a trait that exactly the wrong animals have. */
function isOdd({ kind, wrong, of, wrongElse, ofElse }: Separation): boolean {
  return kind === 'added' && wrong === of && wrongElse === 0 && ofElse >= LAST_NAMED;
}

/**
 * True if experiments do not contradict the circumstance.
 * - They showed that a trait or other requests decide: only a place on the connection, or of the animal, says more.
 * - The request failed each time alone: it needs no other one before or beside it.
 * - It was right alone: what was the same in the repeat did not decide, e.g. the animal.
 */
function mayDecide({ kind }: Separation, tried: Decision | null): boolean {
  if (tried === null) return true;
  if (tried.kind === 'feature' || tried.kind === 'concurrency')
    return ['connection', 'animal', 'added'].includes(kind);
  const isSameInRepeat = ['run', 'animal', 'row', 'trait', 'added', 'pair'].includes(kind);
  const failedAlone = ['always', 'unknown'].includes(tried.kind);
  return isSameInRepeat === failedAlone;
}

/**
 * Returns the bits of information that the circumstance gives about which answers are wrong. Example: both wrong animals of 32 have a
 * trait that no other has: 11 bits. Requests under way count less, because many answers are right beside them.
 */
function weigh({ kind, wrong, of, wrongElse, ofElse }: Separation): number {
  const count = (some: number, all: number) => (some === 0 ? 0 : some * Math.log2(all / some));
  const measure = (some: number, all: number) => count(some, all) + count(all - some, all);
  const bits = measure(wrong + wrongElse, of + ofElse) - measure(wrong, of) - measure(wrongElse, ofElse);
  return kind === 'beside' ? (wrongElse > 0 ? 0.6 : 0.8) * bits : bits;
}
