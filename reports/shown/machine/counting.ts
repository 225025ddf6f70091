/** Counts requirements as tests. The formats of other tools (JUnit, CTRF) know tests and failures, but no causes. */
import { findFailures } from '../../document/causes.ts';
import type { Report, RequirementResult } from '../../document/report-document.ts';
import { listEvidence } from '../../document/shown-exchange.ts';
import { isBlocked } from '../words/blocked.ts';

/** The way in which a requirement counts as a test. */
export interface Counted {
  as: 'passed' | 'warned' | 'failed' | 'undecided' | 'skipped';
  /** The reason for its verdict, e.g. why it is undecided or skipped. */
  why: string;
}

/**
 * Returns a function that says how a requirement counts. Of each cause, the first requirement is a failed test. Its other requirements
 * are skipped tests, and so are those that it keeps undecided.
 */
export function makeCounter(report: Report): (result: RequirementResult) => Counted {
  const firsts = new Map(findFailures(report).flatMap((cause) => cause.map(({ id }) => [id, cause[0].id])));
  return (result) => {
    const { id, verdict, reason } = result;
    const why = reason ?? 'no reason was given';
    const first = firsts.get(id);
    if (first !== undefined)
      return first === id
        ? { as: 'failed', why }
        : { as: 'skipped', why: `broken by the same cause as ${first}` };
    if (verdict === 'pass') return { as: 'passed', why };
    if (verdict === 'warn') return { as: 'warned', why };
    if (verdict === 'inconclusive') return { as: isBlocked(report, result) ? 'skipped' : 'undecided', why };
    return { as: 'skipped', why: `${verdict}: ${why}` };
  };
}

/** Returns the time of a requirement as a test, in milliseconds: the durations of the exchanges that show its verdict. */
export function sumDurations(report: Report, ...results: readonly RequirementResult[]): number {
  return results
    .flatMap((each) => listEvidence(report, each))
    .reduce((sum, { durationMs }) => sum + durationMs, 0);
}
