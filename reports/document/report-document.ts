/**
 * The document `report.json`: the one result of a run. Every other report, page or file is made of it. The schema for readers outside is
 * schemas/suite/report.schema.json.
 */
import type { Explanation } from '../../fixtures/judgement/rules/explanations.ts';
import type { Evidence, Operation } from '../../fixtures/exchange/exchange.ts';
import type { JudgedTarget } from '../../fixtures/evidence/log.ts';
import type { Decision } from '../../fixtures/judgement/experiment.ts';
import type { Difference } from '../../fixtures/judgement/difference.ts';
import type { Flaw } from '../../fixtures/judgement/finding.ts';
import type { Needs, Reason, Remedy, Stop } from '../../fixtures/judgement/reason.ts';
import type { Timing } from './latency.ts';
import type { Timeline } from './timeline.ts';

/** An earlier run on the same target. */
export interface EarlierRun {
  /** ISO 8601, UTC. */
  startedAt: string;
  verdict: Report['verdict'];
  /** Ids of the promises that failed; absent if the run did not ask everything, or if this was not kept. */
  broken?: string[];
}

/** The one document of a run. Every other report is a pure function of it. Values of int64 are decimal strings. */
export interface Report {
  /**
   * Version 1 has no `partial` and no `inPart`.
   * Version 2 has no traces, and none of the members that are optional below.
   * Version 3 has no `cause` and no `stoppedBy`.
   * Version 4 has no `causes`.
   * Version 5 has `coverage`, `coverageMap` and the lines of tests. No report shows these.
   */
  schemaVersion: 6;
  /** `command` is the command that started the suite, without its options. */
  suite: { name: string; version: string; command?: string };
  specification: { version: string };
  /** `subject` is null if nobody named the implementation, and absent in older reports. */
  target: JudgedTarget;
  run: {
    id: string;
    /** The name that RUN_ID gives to the run; absent: none. */
    name?: string;
    /** ISO 8601, UTC. */
    startedAt: string;
    durationMs: number;
    mode: 'full' | 'read-only';
    strict: boolean;
    seed: number;
    /** All seeds, if generated input came from more than one seed. */
    seeds?: number[];
    /** The number of generated inputs for each property. */
    propertyRuns?: number;
    /** The profile that the run followed, if it followed one. */
    profile?: { name: string; version: number };
    /**
     * The share of the kinds of faults that a quick run finds, e.g. 0.85, and how many requests it sends at most. Null for a run that is
     * not quick, and for a quick run that was cut short.
     */
    power?: { share: number; requests: number } | null;
    /** The time that AS_OF set as the suite's clock: ISO 8601, UTC. */
    clock?: string;
    /** The values of `--only`, as the user wrote them, e.g. `list-pets`; empty if the run asked everything. */
    only: string[];
    /** True if every test of the suite ran to its end. */
    complete: boolean;
    /** The reason why the run stopped early; null if it did not. */
    stopped: string | null;
    /** The kind of reason why the run stopped early. */
    stoppedBy?: Stop['kind'];
    /** The change that lets a stopped run finish. `variables` are the ones that its command needs with another value. */
    remedy?: Remedy;
    requests: number;
    animalsCreated: number;
    /** How many of these animals came from bodies that had to be refused. */
    badAnimals?: number;
    /** Identifiers that earlier runs into the same folder sent and this target adopted; absent if there are none. */
    adoptedBefore?: string[];
    limits: { animals: number; requests: number; inFlight: number; rps: number | null; wrongKeys: number };
    /** How the target put requests off. */
    putOff?: {
      /** Answers with 429 or 503 that asked to come back later. */
      answers: number;
      /** The time that the run waited for these. */
      waitedMs: number;
      /** Connections that ended without an answer, so that their requests were sent again. */
      resent?: number;
      /** The time in which each answer was 503, without Retry-After. */
      awayMs?: number;
      /** Other requests that got 503 without Retry-After, and another answer with no other request under way. */
      limited?: number;
      /** The most requests in one second that the target seems to accept; null if it refused none. */
      mostRps?: number | null;
    };
    /** The last request, e.g. `GET /pets`; null if none was sent. */
    lastAsked?: string | null;
    /** The number of tests that have ended, and the number of all tests. */
    progress?: { ended: number; all: number };
    /** Variables that let a run ask the same target the same again. They hold no secret and no path. */
    variables?: Record<string, string>;
    /** Options that this run needs too, with the paths that they name. */
    options?: Record<string, string>;
    /** The longest lag between a write and a read that shows it; null if there was none. */
    lagMs: number | null;
    /** The results of the known earlier runs on the same target, the latest last. */
    earlier?: EarlierRun[];
  };
  verdict: 'conforming' | 'nonconforming' | 'inconclusive' | 'no-failure-found';
  exitCode: 0 | 1 | 2 | 3;
  /** The reason for the verdict, in one sentence. */
  reason: string;
  /** Requirements that pass in full although a waiver covers them; absent if there are none. */
  staleWaivers?: string[];
  counts: { must: Counts; should: Counts };
  requirements: RequirementResult[];
  /** Causes of failures and warnings, the first cause first. One change would mend one cause. Absent before version 5. */
  causes?: CauseSummary[];
  observations: Observation[];
  exchanges: Evidence[];
  /** Actions of other clients that explain the answers about animals. Absent before version 4. */
  explanations?: readonly Explanation[];
  timings: Partial<Record<Operation, Timing>>;
  /** Requests over time; absent before version 5. */
  timeline?: Timeline;
  /** The animals that the run left, as answered. Versions before 3 lack category and status. */
  footprint: {
    id: string;
    name: string;
    categoryId?: string | null;
    status?: string | null;
    /** The promise by which its body had to be refused. `adopted`: the service gave it the identifier that the createPet sent. */
    refused?: string;
    adopted?: true;
  }[];
}

/** The verdicts of requirements, in the order in which reports count them. `warn` is the failure of a `should`. */
export const VERDICTS = ['fail', 'warn', 'inconclusive', 'pass', 'not-applicable', 'excused'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The number of requirements of one level with each verdict. `inPart` counts the passes that left cases out. */
export type Counts = Record<Verdict, number> & { inPart: number };

/** The result of one requirement. `expected`, `received` and `pointer` describe its first failure. */
export interface RequirementResult {
  id: string;
  level: 'must' | 'should';
  section: string;
  operation: string;
  statement: string;
  verdict: Verdict;
  /** The reason for the verdict. An undecided verdict also says what would decide it. Null for a plain pass. */
  reason: string | null;
  /**
   * The most important reason as data, with the promise that is in the way and what would decide. `also` has the other promises
   * that are in the way. Null if nothing limits the result.
   */
  cause: { kind: Reason['kind']; requirement?: string; also?: string[]; needs?: Needs } | null;
  expected: string | null;
  received: string | null;
  /** JSON pointer of the place in the answer's body that differs; null if the failure is not about a place. */
  pointer: string | null;
  /** The documented status and the status that came, if the status is wrong. */
  statuses?: { promised: number; came: number };
  /** Says how the request of the failure is odd. */
  sent?: string;
  /** Only of a promise about several operations: what all its wrong answers share, e.g. `401 of createPet`. */
  answers?: string;
  /** The place where a long text begins to differ. */
  difference?: Difference;
  /** The generated input that shows the failure, if a property found it. */
  input?: Flaw['input'];
  tests: { title: string; file: string }[];
  /** Ids of exchanges. */
  evidence: string[];
  /** The number of exchanges that show the verdict; `evidence` names only a part. Absent before version 5. */
  asked?: number;
  /** The cases that a pass left out, and the MAX_ANIMALS with which all cases would be asked. Null if no case was left out. */
  partial: { reason: string; needs: number | null } | null;
  /** The result of experiments. It is absent if none was made. */
  decision?: Decision;
  /** The token for --replay, if a property found the failure. */
  replay: string | null;
  /** `expires`: the last day of the waiver, YYYY-MM-DD, UTC. */
  waiver: { owner: string; ticket: string; expires: string; reason: string } | null;
}

/** A cause: one change of the service would mend all that it explains. Without experiments it has no decision. */
export interface CauseSummary extends Partial<Decision> {
  /** The first promise that the cause breaks. */
  id: string;
  title: string;
  /** Ids of all promises that the cause breaks. */
  promises: string[];
  /** The number of answers that break the first promise, e.g. 3 of 12 lists; null if unknown. */
  wrong: number | null;
  /** The number of answers that the first promise is about, e.g. 12; null if unknown. */
  of: number | null;
  /** The requests to which the `of` answers came, e.g. `getPet`, `listPets without the key`. Absent if `of` is null. */
  requests?: string;
  /** Ids of exchanges: the smallest exchange of each kind that failed. */
  examples: string[];
  /** The id of the exchange that came before the shown one. Absent: it does not decide. */
  before?: string;
}

/** The answer of the target to one open question. `observed` has words that stay in later versions, e.g. `rejects-400`. */
export interface Observation {
  id: string;
  section: string;
  question: string;
  observed: string;
  evidence: string[];
}

/** The parts of a report that `causes.ts` needs. `assemble.ts` has them before the report is complete. */
export interface Broken extends Pick<Report, 'requirements' | 'exchanges'> {
  run: Pick<Report['run'], 'strict'>;
}
