import type { Explanation } from '../../fixtures/rules/explanations.ts';
import type { Coverage } from '../../fixtures/situations/coverage.ts';
import type { Evidence, Operation } from '../../fixtures/exchange/exchange.ts';
import type { Judged } from '../../fixtures/evidence/log.ts';
import type { Difference } from '../../fixtures/judgement/difference.ts';
import type { Flaw } from '../../fixtures/judgement/finding.ts';
import type { Needs, Reason, Stop } from '../../fixtures/judgement/reason.ts';

/** One run before this one. */
export interface EarlierRun {
  /** ISO 8601, UTC. */
  startedAt: string;
  verdict: Report['verdict'];
  /** Ids of what failed; absent if the run did not ask everything, or nobody kept it. */
  broken?: string[];
  requests?: number;
  /** The longest 95th percentile of an operation, in milliseconds. */
  p95?: number;
}

/** The one document of a run; every other report is a pure function of it. int64 values are decimal strings. */
export interface Report {
  /** 1 knew neither `partial` nor `inPart`; 2 no traces, and none of what is optional below; 3 neither `cause` nor `stoppedBy`; 4 no `causes`. */
  schemaVersion: 5;
  /** `command`: how the suite is started where it ran, up to its options. */
  suite: { name: string; version: string; command?: string };
  specification: { version: string };
  /** `subject`: null if nobody said what it is; absent in older reports. */
  target: Judged;
  run: {
    id: string;
    /** ISO 8601, UTC. */
    startedAt: string;
    durationMs: number;
    mode: 'full' | 'read-only';
    strict: boolean;
    seed: number;
    /** All seeds, if generated input was drawn from more than one. */
    seeds?: number[];
    /** Generated inputs for each property. */
    propertyRuns?: number;
    /** The frozen way of running, if one was asked for. */
    profile?: { name: string; version: number };
    /** The suite's clock, if AS_OF has set it: ISO 8601, UTC. */
    clock?: string;
    only: string[];
    /** Every test of the suite ran to its end. */
    complete: boolean;
    /** Why the run stopped early, or null. */
    stopped: string | null;
    /** Of what kind that is; of several machines, of one of them. */
    stoppedBy?: Stop['kind'];
    /** What would let a run finish that stopped early, and the variables that its command needs otherwise. */
    remedy?: { told: string; variables?: Record<string, string> };
    requests: number;
    animalsCreated: number;
    /** How many of them are of bodies that had to be refused; absent if several machines shared the run. */
    badAnimals?: number;
    limits: { animals: number; requests: number; inFlight: number; rps: number | null; wrongKeys: number };
    /**
     * Answers that said to come back later (429, or 503), and how long was waited for that. `limited`: requests that got
     * 503 without Retry-After, and another answer when asked alone; `mostRps`: requests in a second that were not refused so.
     */
    putOff?: { answers: number; waitedMs: number; limited?: number; mostRps?: number | null };
    /** What was asked last, or null. */
    lastAsked?: string | null;
    /** How many tests have ended, and how many there are. */
    progress?: { ended: number; all: number };
    /** Variables that make a run ask the same of the same target again; none of them is secret or a path. */
    variables?: Record<string, string>;
    /** Options that it needs besides, with the paths that they name. */
    options?: Record<string, string>;
    /** Where several machines shared the run: what each of them did; the numbers above are their sums. */
    shards?: {
      index: number;
      id: string | null;
      requests: number;
      animalsCreated: number;
      complete: boolean;
    }[];
    /** The longest lag seen between a write and a read that shows it, or null. */
    lagMs: number | null;
    /** What earlier runs on the same target came to, as far as they are known, the latest last. */
    earlier?: EarlierRun[];
  };
  verdict: 'conforming' | 'nonconforming' | 'inconclusive';
  exitCode: 0 | 1 | 2 | 3;
  /** Why the verdict is what it is, in one sentence. */
  reason: string;
  /** Requirements that pass in full although a waiver covers them; absent: none. */
  staleWaivers?: string[];
  counts: { must: Counts; should: Counts };
  requirements: RequirementResult[];
  /** What fails or warns, by what one change would mend, the first cause first; absent before version 5. */
  causes?: CauseSummary[];
  observations: Observation[];
  exchanges: Evidence[];
  /** Which pairs of what requests can be were put to the test, by operation; absent before version 4, and if several machines shared the run. */
  coverage?: Coverage;
  /** What others must have done for the histories of animals to be right; absent if `coverage` is absent. */
  explanations?: readonly Explanation[];
  timings: Partial<Record<Operation, { count: number; p50: number; p95: number }>>;
  /** As answered; category and status are not said before version 3. */
  footprint: {
    id: string;
    name: string;
    categoryId?: string | null;
    status?: string | null;
    refused?: string;
    adopted?: true;
  }[];
}

/** Verdict of a requirement. `warn` is the failure of a `should`. */
export type Verdict = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'not-applicable' | 'excused';

/** How many requirements of one level have each verdict; `inPart`: how many of those that passed left cases out. */
export type Counts = Record<Verdict, number> & { inPart: number };

/** What was found out about one requirement. `expected`, `received`, `pointer` say of its first failure. */
export interface RequirementResult {
  id: string;
  level: 'must' | 'should';
  section: string;
  operation: string;
  statement: string;
  verdict: Verdict;
  /** Why; for undecided verdicts also what would decide. Null for a plain pass. */
  reason: string | null;
  /** The same as data: the reason that weighs most, what is in the way (and what `also` is), and what would decide. Null: nothing limits it. */
  cause: { kind: Reason['kind']; requirement?: string; also?: string[]; needs?: Needs } | null;
  expected: string | null;
  received: string | null;
  /** JSON pointer of the differing place in the answer's body; null if it is not about a place. */
  pointer: string | null;
  /** The documented status and the one that came, if that is what is wrong. */
  statuses?: { promised: number; came: number };
  /** How the request is odd that shows it. */
  sent?: string;
  /** Where a long text begins to differ. */
  difference?: Difference;
  /** The generated input that shows it, if a property found it. */
  input?: Flaw['input'];
  tests: { title: string; file: string; line: number }[];
  /** Ids of exchanges. */
  evidence: string[];
  /** What a pass left out, and the MAX_ANIMALS that would judge it in full; null: nothing was left out. */
  partial: { reason: string; needs: number | null } | null;
  /** Token for --replay if a property found it. */
  replay: string | null;
  waiver: { owner: string; ticket: string; expires: string; reason: string } | null;
}

/** What one change would mend. */
export interface CauseSummary {
  /** The first promise that it breaks. */
  id: string;
  title: string;
  /** Ids of all promises that it breaks. */
  promises: string[];
  /** How many of the answers that can be compared are wrong, and how many there are; null if that is not known. */
  wrong: number | null;
  of: number | null;
  /** What wrong answers have in common and right ones lack, the strongest first. */
  shares: Share[];
  /** Ids of exchanges: the smallest of each kind that failed. */
  examples: string[];
}

/** A trait of requests or answers: so many wrong answers have it, and so many right ones. */
interface Share {
  factor: string;
  value: string;
  wrong: number;
  right: number;
}

/** What the target does if the document is silent. `observed` uses stable words. */
export interface Observation {
  id: string;
  section: string;
  question: string;
  observed: string;
  evidence: string[];
}
