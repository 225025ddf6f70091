/** What the proof knows of a variant: how it is described, and what one run on it ended with. */
import type { Verdict } from '../document/report.ts';

/** What one run on one variant ended with. */
export interface Outcome {
  id: string;
  kind: 'fault' | 'freedom' | 'pair' | 'hard';
  /** Whether it was judged to the end; else until the promise of the fault had failed. */
  whole: boolean;
  /** Requirements that did not pass, with their verdict and why. */
  verdicts: { id: string; verdict: Verdict; why: string }[];
  exitCode: number;
  /** `file › title` of tests that found one of the requirements broken that they verify. */
  failedTests: string[];
  /** Requirements that properties alone found broken. */
  byProperties: string[];
  requests: number;
  animals: number;
  /** Faults only: how many wrong answers of its own the service gave; undefined where it does not tell. */
  wrongAnswers?: number | undefined;
  milliseconds: number;
}

/** A fault or freedom as the catalogue describes it. */
export interface Described {
  id: string;
  what: string;
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
  stops?: boolean;
}
