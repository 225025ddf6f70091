/** Counts the requests of a run in steps of equal length, for a chart. Pure. */
import type { Exchange, Operation } from '../../fixtures/exchange/exchange.ts';

/** Each list has a number for each step of time: `[3, 0, 7]` says that 3 requests began in the first step. */
export interface Timeline {
  /** How long a step takes, in milliseconds. */
  stepMs: number;
  operations: Partial<Record<Operation, { requests: number[]; failures: number[] }>>;
  /** Requests that got 429, 503 or no answer. A request that the run itself cut off does not count. */
  refused: number[];
}

/** The most steps: a phone can still show this many. */
const MOST_STEPS = 80;

/**
 * Returns the counts of a run; null if nothing was sent.
 * @param failing ids of the exchanges that show a failure
 */
export function makeTimeline(exchanges: readonly Exchange[], failing: ReadonlySet<string>): Timeline | null {
  const begun = exchanges.map((each) => each.begun);
  if (begun.length === 0) return null;
  const first = begun.reduce((one, other) => Math.min(one, other));
  const last = begun.reduce((one, other) => Math.max(one, other));
  const stepMs = Math.max(1, Math.ceil((last - first + 1) / MOST_STEPS));
  const makeZeros = () => Array.from({ length: Math.floor((last - first) / stepMs) + 1 }, () => 0);
  const timeline: Timeline = { stepMs, operations: {}, refused: makeZeros() };
  for (const { id, ask, begun: at, response, error } of exchanges) {
    const step = Math.floor((at - first) / stepMs);
    const own = (timeline.operations[ask.operation] ??= { requests: makeZeros(), failures: makeZeros() });
    own.requests[step]! += 1;
    own.failures[step]! += Number(failing.has(id));
    const isRefused = response === null ? error?.kind !== 'cut' : [429, 503].includes(response.status);
    timeline.refused[step]! += Number(isRefused);
  }
  return timeline;
}
