/**
 * Types of the proof: the description of a variant of the reference service, and the outcome of one run on it. A fault breaks one
 * promise, a freedom differs in a permitted way.
 */
import type { Verdict } from '../../document/report-document.ts';

export interface VariantOutcome {
  id: string;
  /**
   * `base`: a way to build the reference, on which others are put. `pair`: two freedoms together. `hard`: a fault that is hard
   * to see. `quick`: a quick run on a fault or freedom; its id begins with the kind of the variant.
   */
  kind: 'base' | 'fault' | 'freedom' | 'pair' | 'hard' | 'quick';
  /** The name of the base on which the variant was judged. */
  base: string;
  /** The distance of the service: a round trip in milliseconds. */
  roundTrip: number;
  /** True if the run came to its end; false if it ended when the promise of the fault failed. */
  whole: boolean;
  /** Requirements that did not pass, with verdict and reason. */
  verdicts: { id: string; verdict: Verdict; why: string }[];
  exitCode: number;
  /** The requirement of the first cause in the report; null if nothing failed or warned. */
  first?: string | null;
  requests: number;
  /** Requests that a quick run had sent when the first must had failed; null: none has. */
  firstFailure?: number | null;
  animals: number;
  /** The number of wrong answers that the fault gave; undefined if the service does not count them. */
  wrongAnswers?: number | undefined;
  /** SHA-256 of the requests and answers in their order: equal runs have equal digests. */
  digest?: string;
  /** True if the rules alone find the promise of the fault broken. Null if nothing finds it broken, or if the variant is not a fault. */
  byRules?: boolean | null;
  milliseconds: number;
}

/** A fault or freedom in the catalogue. */
export interface Described {
  id: string;
  what: string;
  /** The name of the base on which the variant is judged; absent: the reference. */
  base?: string;
  /** Only faults have it. */
  breaks?: string;
  /** The promises by which a run may name the fault, `breaks` among them. */
  names?: readonly string[];
  /** True if a run must find nothing but the fault. */
  alone?: boolean;
  /** True if the broken requirement is a should. */
  onlyShould?: boolean;
  /** Why no run with the usual budget can see the fault: the proof then accepts that it is not named. */
  beyondReach?: string;
  /** Only freedoms have it. */
  permittedBy?: string;
  /** Requirements that may have these verdicts on the freedom. */
  notApplicable?: readonly string[];
  warns?: readonly string[];
  inconclusive?: readonly string[];
  /** Requirements of a freedom that may fail by chance. */
  mayFail?: readonly string[];
  /** True if the run stops by design, for example because the service locks its key. */
  stops?: boolean;
}

/** Returns ids of requirements with one of these verdicts. */
export function filterByVerdicts({ verdicts }: VariantOutcome, ...wanted: Verdict[]): string[] {
  return verdicts.filter(({ verdict }) => wanted.includes(verdict)).map(({ id }) => id);
}

/** True if the run names the promise that the fault breaks, or one of `names`. With `alone` it must name no other promise. */
export function isNamedBy(
  outcome: VariantOutcome,
  { breaks = '', names = [breaks], alone }: Described,
): boolean {
  const isNamed = (each: string) => names.includes(each);
  if (alone && outcome.whole && !filterByVerdicts(outcome, 'fail', 'warn').every(isNamed)) return false;
  return filterByVerdicts(outcome, 'fail', 'warn').some(isNamed);
}
