/** What the proof knows of a variant: how it is described, and what one run on it ended with. */
import type { Verdict } from '../document/report.ts';

/** What one run on one variant ended with. */
export interface Outcome {
  id: string;
  kind: 'base' | 'fault' | 'freedom' | 'pair' | 'hard';
  /** The name of the base on which it was judged. */
  base: string;
  /** How far away it was, in milliseconds there and back. */
  roundTrip: number;
  /** Whether it was judged to the end; else until the promise of the fault had failed. */
  whole: boolean;
  /** Requirements that did not pass, with their verdict and why. */
  verdicts: { id: string; verdict: Verdict; why: string }[];
  exitCode: number;
  /** The requirement of the cause that the report says first; null: nothing failed and nothing was warned of. */
  first?: string | null;
  /** `file › title` of tests that found one of the requirements broken that they verify. */
  failedTests: string[];
  /** Requirements that properties alone found broken. */
  byProperties: string[];
  requests: number;
  animals: number;
  /** Faults only: how many wrong answers of its own the service gave; undefined if it does not say. */
  wrongAnswers?: number | undefined;
  /** Prices of assumptions on which it hangs what was broken. */
  hangsOn: readonly string[];
  /** Digest of the requests and answers, in their order. */
  digest?: string;
  /** True if the rules alone break the promise of the fault; null if nothing does, or if it is no fault. */
  byRules?: boolean | null;
  milliseconds: number;
}

/** A fault or freedom as the catalogue describes it. */
export interface Described {
  id: string;
  what: string;
  /** The name of the base on which it is judged; none: the reference. */
  base?: string;
  /** Faults only. */
  breaks?: string;
  also?: readonly string[];
  /** Whether what it breaks is a should. */
  onlyShould?: boolean;
  beyondReach?: string;
  /** Freedoms only. */
  permittedBy?: string;
  notApplicable?: readonly string[];
  warns?: readonly string[];
  inconclusive?: readonly string[];
  mayFail?: readonly string[];
  stops?: boolean;
}

/** Requirements that ended with one of these verdicts. */
export function withVerdict({ verdicts }: Outcome, ...wanted: Verdict[]): string[] {
  return verdicts.filter(({ verdict }) => wanted.includes(verdict)).map(({ id }) => id);
}

/** Whether the run names the promise that the fault breaks, or one that cannot but break with it. */
export function isNamedBy(outcome: Outcome, { breaks = '', also = [] }: Described): boolean {
  return withVerdict(outcome, 'fail', 'warn').some((each) => [breaks, ...also].includes(each));
}
