/**
 * Finds the circumstance that the wrong answers of a run share and the right ones lack, e.g. the place of the request on its
 * connection. It reads the record and sends nothing. Pure.
 */
import type { Exchange } from '../../fixtures/exchange/exchange.ts';
import type { Decision } from '../../fixtures/judgement/experiment.ts';
import type { Flaw } from '../../fixtures/judgement/finding.ts';
import type { Judge } from '../../fixtures/judgement/rules/judge-exchanges.ts';
import {
  listAnimals,
  listRequests,
  listRows,
  listWrong,
  makeDescriber,
  type RecordedCase,
  type Kind,
} from './recorded-cases.ts';

/** At least this number of wrong answers have the circumstance, and this share of all wrong ones. */
const [FEWEST, LEAST] = [4, 0.4];
/**
 * Of the answers with it at least this share is wrong, and this factor fewer of the others. `from`: where the least place is a guess;
 * before: nobody sees in which order a service carries requests out.
 */
const [SHARE, FROM_SHARE, BEFORE_SHARE, RARER] = [0.7, 0.95, 0.5, 5];
/**
 * Right answers may have these circumstances too: it may take chance besides, and not each animal is in a list that was asked for.
 * Nearly all wrong ones have it, which is improbable by these bits.
 */
const [NEARLY_ALL, BITS] = [0.95, { beside: 8, animal: 16 } as Partial<Record<Kind, number>>];
/** A wrong answer is looked for in the first to tenth request, and in each second one, up to each tenth. */
const MOST = 10;

/** The names of the places that numbers are. */
const NOUNS: Readonly<Partial<Record<Kind, string>>> = {
  connection: 'request of a connection',
  run: 'request of the run',
  animal: 'animal of the run',
  row: 'row of a list',
};

/** `isFrom`: the place of the case is at least the least one of a wrong case. */
interface Circumstance {
  kind: Kind;
  name: string;
  isFrom?: true;
}

/** The counts of one circumstance: wrong answers with it, all with it, wrong ones without it, all without it. */
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

  /**
   * Returns what separates the wrong answers best, unless the experiments contradict it; else what the experiments show. A failure that is
   * not seen again is by chance only if several answers were wrong, and right ones between.
   */
  decide(promise: string, tried: Decision | null): Decision | null {
    const wrong = listWrong(
      this.flaws.filter(({ requirement }) => requirement === promise),
      this.record,
    );
    const { record, describe } = this;
    const requests = listRequests(wrong, record, describe);
    const [best] = [requests, listAnimals(wrong, record), listRows(wrong, record)]
      .flatMap((cases) => separate(cases))
      .filter((each) => isDecisive(each) && mayDecide(each, tried))
      .toSorted((one, other) => weigh(other) - weigh(one));
    if (best === undefined)
      return tried?.kind === 'chance' && tried.experiments[0]?.wrong === 0 && !isErratic(requests)
        ? { ...tried, kind: 'history' }
        : tried;
    const { name, of, ofElse, wrongElse } = best;
    return {
      kind: best.kind === 'beside' ? 'concurrency' : 'history',
      experiments: [
        { without: name, wrong: wrongElse, of: ofElse },
        { without: '', wrong: best.wrong, of },
      ],
    };
  }
}

function isErratic(cases: readonly RecordedCase[]): boolean {
  const wrong = cases.flatMap(({ isWrong }, index) => (isWrong ? [index] : []));
  return wrong.length >= FEWEST && (wrong.at(-1) ?? 0) - (wrong[0] ?? 0) >= wrong.length;
}

function separate(cases: readonly RecordedCase[]): Separation[] {
  const wrong = cases.filter(({ isWrong }) => isWrong);
  const findLeast = (kind: Kind) => Math.min(...wrong.map(({ has }) => Number(has[kind]?.[0] ?? Infinity)));
  const nameOne = (kind: Kind, one: string | number): Circumstance[] =>
    typeof one === 'string' ? [{ kind, name: one }] : namePlaces(kind, one, findLeast(kind));
  const counts = new Map<string, Separation>();
  for (const { isWrong, has } of cases) {
    const all = (Object.keys(has) as Kind[]).flatMap(
      (kind) => has[kind]?.flatMap((one) => nameOne(kind, one)) ?? [],
    );
    for (const one of new Map(all.map((each) => [each.name, each])).values()) {
      const known = counts.get(one.name) ?? {
        wrong: 0,
        of: 0,
        wrongElse: wrong.length,
        ofElse: cases.length,
      };
      const more = Number(isWrong);
      counts.set(one.name, {
        ...one,
        wrong: known.wrong + more,
        of: known.of + 1,
        wrongElse: known.wrongElse - more,
        ofElse: known.ofElse - 1,
      });
    }
  }
  return [...counts.values()];
}

/**
 * Names a place, e.g. `as each 5th request of a connection`. The place of a request in the run depends on other requests, so only
 * its least value is named; the place of a row has no least value. @param least the least place of a wrong case
 */
function namePlaces(kind: Kind, place: number, least: number): Circumstance[] {
  const noun = NOUNS[kind];
  const from = { kind, name: `from the ${spellOrdinal(least)} ${noun} on`, isFrom: true } as const;
  const isFrom = kind !== 'row' && place >= least;
  const steps = Array.from({ length: MOST - 1 }, (_, index) => index + 2);
  const names = steps.flatMap((step) =>
    kind !== 'run' && place % step === 0 ? [`as each ${spellOrdinal(step)} ${noun}`] : [],
  );
  if (place <= MOST && kind !== 'run')
    names.push(`as the ${place === 1 ? 'first' : spellOrdinal(place)} ${noun}`);
  return [...(isFrom ? [from] : []), ...names.map((name) => ({ kind, name }))];
}

function spellOrdinal(number: number): string {
  const isTeen = number % 100 > 10 && number % 100 < 14;
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

/** True if nearly all wrong ones have it, and few others. */
function isImprobable({ kind, isFrom, wrong, of, wrongElse, ofElse }: Separation): boolean {
  const bits = isFrom ? undefined : BITS[kind];
  if (bits === undefined || wrong < NEARLY_ALL * (wrong + wrongElse)) return false;
  return wrongElse <= ofElse / RARER && wrong * Math.log2((of + ofElse) / of) >= bits;
}

function isDecisive(one: Separation): boolean {
  const { kind, isFrom, wrong, of, wrongElse, ofElse } = one;
  if (wrong < (kind === 'run' ? 2 * FEWEST : FEWEST)) return false;
  if (kind === 'beside' || isImprobable(one)) return isImprobable(one);
  if (ofElse - wrongElse < FEWEST || wrong < LEAST * (wrong + wrongElse)) return false;
  const share = wrong / of;
  const least = kind === 'before' ? BEFORE_SHARE : SHARE;
  return share >= (isFrom ? FROM_SHARE : least) && share >= (RARER * wrongElse) / ofElse;
}

/** True if experiments do not contradict it. A request that failed each time, sent alone, needs no other one before or beside it. */
function mayDecide({ kind }: Separation, tried: Decision | null): boolean {
  if (tried === null) return true;
  if (tried.kind === 'feature' || tried.kind === 'concurrency')
    return ['connection', 'animal'].includes(kind);
  return ['run', 'animal', 'row', 'header'].includes(kind) === ['always', 'unknown'].includes(tried.kind);
}

/** The balanced share of the right guesses (F-score). Requests under way are named last. */
function weigh({ kind, wrong, of, wrongElse }: Separation): number {
  return (2 * wrong) / (wrong + wrongElse + of) - Number(kind === 'beside');
}
