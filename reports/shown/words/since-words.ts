/** Says how failures have changed since the run before. Pure. */
import type { Report, RequirementResult } from '../../document/report-document.ts';
import { joinSome } from '../../document/join-some.ts';
import { findBrokenSince, compareWithLast } from '../../document/since.ts';

/** The most requirements that a line names. */
const MOST_NAMED = 5;

/**
 * Returns a line such as `Since the run of 2026-11-24 10:00 UTC: mended 2 (a, b); new 1 (c); still failing 3`.
 * Null if there is nothing to compare with.
 */
export function writeSinceLine(report: Pick<Report, 'requirements' | 'run'>): string | null {
  const since = compareWithLast(report);
  if (since === null) return null;
  const { before, mended, added, left, open } = since;
  const parts = [
    `mended ${countAndName(mended)}`,
    `new ${countAndName(added)}`,
    `still failing ${left.length}`,
    ...(open.length === 0 ? [] : [`undecided now ${countAndName(open)}`]),
  ];
  return `Since the run of ${writeMinute(before.startedAt)}: ${parts.join('; ')}`;
}

/**
 * Returns a line such as `broken since 2026-11-24 10:00 UTC, 3 runs`; null if the failure is new, or if earlier results are
 * unknown.
 */
export function writeBrokenSince(
  report: Pick<Report, 'run'>,
  result: Pick<RequirementResult, 'id'>,
): string | null {
  const since = findBrokenSince(report, result);
  return since === null ? null : `broken since ${writeMinute(since.first.startedAt)}, ${since.runs} runs`;
}

/** Counts results and names the first ones: `2 (a, b)`. */
function countAndName(results: readonly RequirementResult[]): string {
  const names = results.map(({ id }) => id);
  return names.length === 0 ? '0' : `${names.length} (${joinSome(names, MOST_NAMED)})`;
}

/** Returns a time as `2026-11-24 10:00 UTC`. */
export function writeMinute(startedAt: string): string {
  return `${startedAt.slice(0, 16).replace('T', ' ')} UTC`;
}
