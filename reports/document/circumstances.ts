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

/** A circumstance decides if at least this many wrong answers have it, and at least this share of all wrong answers. */
const [FEWEST, COVERED] = [4, 0.4];
/**
 * Of the answers with the circumstance, at least this share is wrong; of the others, the share is RARER times smaller.
 * - FROM_SHARE: for `from the 7th request on`. The 7th is a guess, because it is only the first wrong one.
 * - BEFORE_SHARE: for requests before. Nobody sees in which order a service carries requests out.
 */
const [SHARE, FROM_SHARE, BEFORE_SHARE, RARER] = [0.7, 0.95, 0.5, 5];
/**
 * Other requests under way (`beside`) and a place among the animals may decide, though many answers with them are right: chance
 * may be needed too, or no list shows the animal. Then NEARLY_ALL wrong answers have the circumstance, and by chance that is
 * as improbable as these bits. Example: half of all answers have it, and all 8 wrong ones do: 8 bits.
 */
const [NEARLY_ALL, BITS] = [0.95, { beside: 8, animal: 16 } as Partial<Record<Kind, number>>];
/** The last place with a name of its own: `as the 10th request of a connection`, `as each 10th request of a connection`. */
const LAST_NAMED = 10;
/** Chance is named only after this number of right answers to the request alone. */
const FEWEST_ALONE = 3;

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
    return listWrong(
      this.flaws.filter(({ requirement }) => requirement === promise),
      this.record,
    );
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
   * not contradict. If there is none, returns what the experiments show. A failure that they did not see again then is by chance
   * only if it came and went (`isErratic`); else earlier requests may have caused it (`history`).
   * @param tried what the experiments show; null if none was made
   */
  decide(promise: string, tried: Decision | null): Decision | null {
    const { record, describe } = this;
    const wrong = this.listWrongAnswers(promise);
    const requests = listRequests(wrong, record, describe);
    // If animals share an identifier, neither their values nor their places decide, only other requests.
    const isOfIdentity = promise.includes('unique');
    const [best] = [requests, listAnimals(wrong, record, describe), listRows(wrong, record)]
      .flatMap((cases) => separate(cases))
      .filter((each) => isDecisive(each) && mayDecide(each, tried))
      .filter(({ kind }) => !isOfIdentity || kind === 'before' || kind === 'beside')
      .toSorted((one, other) => weigh(other) - weigh(one));
    if (best === undefined)
      return tried?.kind === 'chance' && tried.experiments[0]?.wrong === 0 && !isErratic(requests, tried)
        ? { ...tried, kind: 'history' }
        : tried;
    const { name, of, ofElse, wrongElse } = best;
    // As with experiments, the answers without the circumstance come first. Those with it lack nothing.
    return {
      kind: best.kind === 'beside' ? 'concurrency' : 'history',
      experiments: [
        { without: name, wrong: wrongElse, of: ofElse },
        { without: '', wrong: best.wrong, of },
      ],
    };
  }
}

/** True if the request was right alone three times, at least four answers were wrong, and a right one came between them. */
function isErratic(cases: readonly RecordedCase[], { experiments: [lone] }: Decision): boolean {
  if ((lone?.of ?? 0) < FEWEST_ALONE) return false;
  const wrong = cases.flatMap(({ isWrong }, index) => (isWrong ? [index] : []));
  return wrong.length >= FEWEST && (wrong.at(-1) ?? 0) - (wrong[0] ?? 0) >= wrong.length;
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
  const isFrom = kind !== 'row' && place >= least;
  const steps = Array.from({ length: LAST_NAMED - 1 }, (_, index) => index + 2);
  const names = steps.flatMap((step) =>
    kind !== 'run' && place % step === 0 ? [`as each ${spellOrdinal(step)} ${noun}`] : [],
  );
  if (place <= LAST_NAMED && kind !== 'run')
    names.push(`as the ${place === 1 ? 'first' : spellOrdinal(place)} ${noun}`);
  return [...(isFrom ? [from] : []), ...names.map((name) => ({ kind, name }))];
}

function spellOrdinal(number: number): string {
  const isTeen = number % 100 > 10 && number % 100 < 14;
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

/** True if nearly all wrong answers have the circumstance, few answers without it are wrong, and chance does not explain that. */
function isImprobable({ kind, isFrom, wrong, of, wrongElse, ofElse }: Separation): boolean {
  const bits = isFrom ? undefined : BITS[kind];
  if (bits === undefined || wrong < NEARLY_ALL * (wrong + wrongElse)) return false;
  return wrongElse <= ofElse / RARER && wrong * Math.log2((of + ofElse) / of) >= bits;
}

/**
 * True for a trait that some wrong ones lack: many traits are compared, so one fits by chance. If most animals are wrong, e.g. because
 * one list was empty, how they were added does not decide.
 */
function isTraitByChance({ kind, wrong, of, wrongElse, ofElse }: Separation): boolean {
  if (kind === 'added' && 2 * (wrong + wrongElse) > of + ofElse) return true;
  return ['trait', 'added'].includes(kind) && wrong < NEARLY_ALL * (wrong + wrongElse);
}

/** True if the circumstance is common among the wrong answers and rare among the right ones. */
function isDecisive(one: Separation): boolean {
  const { kind, isFrom, wrong, of, wrongElse, ofElse } = one;
  // A long run has many places, so one of them fits by chance more easily.
  if (wrong < (kind === 'run' ? 2 * FEWEST : FEWEST)) return false;
  if (kind === 'beside' || isImprobable(one)) return isImprobable(one);
  // The first condition wants right answers without the circumstance: else nothing is compared.
  if (ofElse - wrongElse < FEWEST || wrong < COVERED * (wrong + wrongElse)) return false;
  if (isTraitByChance(one)) return false;
  const share = wrong / of;
  const least = kind === 'before' ? BEFORE_SHARE : SHARE;
  return share >= (isFrom ? FROM_SHARE : least) && share >= (RARER * wrongElse) / ofElse;
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
  // An experiment may lack the header of a trace.
  if (kind === 'header') return true;
  const isSameInRepeat = ['run', 'animal', 'row', 'trait', 'added'].includes(kind);
  const failedAlone = ['always', 'unknown'].includes(tried.kind);
  return isSameInRepeat === failedAlone;
}

/**
 * Returns how well the circumstance tells wrong answers from right ones, from 0 to 1 (F-score): 1 if exactly the wrong answers have
 * it. Requests under way are named last.
 */
function weigh({ kind, wrong, of, wrongElse }: Separation): number {
  return (2 * wrong) / (wrong + wrongElse + of) - Number(kind === 'beside');
}
