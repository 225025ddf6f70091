/** Says how failures have changed since earlier runs on the same target. Pure. */
import type { Report, RequirementResult } from '../../document/report-document.ts';
import { joinSome } from '../../document/join-some.ts';

/** The most requirements that a line names. */
const MOST_NAMED = 5;

/**
 * Returns a line such as `Since the run of 2026-11-24 10:00 UTC: mended 2 (a, b); new 1 (c); still broken 3`.
 * Null if there is nothing to compare with.
 */
export function writeSinceLine(report: Pick<Report, 'requirements' | 'run'>): string | null {
  const since = compareWithLast(report);
  if (since === null) return null;
  const { before, mended, newlyFailing, stillFailing, undecided } = since;
  const parts = [
    `mended ${countAndName(mended)}`,
    `new ${countAndName(newlyFailing)}`,
    `still broken ${stillFailing.length}`,
    ...(undecided.length === 0 ? [] : [`undecided now ${countAndName(undecided)}`]),
  ];
  return `Since the run of ${writeMinute(before.startedAt)}: ${parts.join('; ')}`;
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

/**
 * Compares with the last earlier run. Null if its failures are unknown, or if nothing failed in either run. `mended` failed before and
 * passes in full now; `undecided` failed before, and now neither fails nor passes in full.
 */
export function compareWithLast({ requirements, run }: Pick<Report, 'requirements' | 'run'>) {
  const before = run.earlier?.at(-1);
  if (before?.broken === undefined) return null;
  const failed = new Set(before.broken);
  const known = requirements.filter(({ id, verdict }) => failed.has(id) || verdict === 'fail');
  if (known.length === 0) return null;
  const isMended = ({ id, verdict, partial }: RequirementResult) =>
    failed.has(id) && verdict === 'pass' && partial === null;
  return {
    before,
    mended: known.filter(isMended),
    newlyFailing: known.filter(({ id, verdict }) => verdict === 'fail' && !failed.has(id)),
    stillFailing: known.filter(({ id, verdict }) => verdict === 'fail' && failed.has(id)),
    undecided: known.filter((each) => each.verdict !== 'fail' && !isMended(each)),
  };
}

/**
 * Returns a line such as `broken since 2026-11-24 10:00 UTC, 3 runs`: the time of the first of the runs in a row that broke the promise,
 * and how many runs these are, this run included. Null if the run before did not break it, or if nobody knows.
 */
export function writeBrokenSince(
  { run }: Pick<Report, 'run'>,
  { id }: Pick<RequirementResult, 'id'>,
): string | null {
  const earlier = run.earlier ?? [];
  // The last run that kept the promise, or whose failures are unknown; -1 if there is none.
  const lastKept = earlier.findLastIndex(({ broken }) => broken?.includes(id) !== true);
  const [first] = earlier.slice(lastKept + 1);
  // All runs after it, and this one.
  const runs = earlier.length - lastKept;
  return first === undefined ? null : `broken since ${writeMinute(first.startedAt)}, ${runs} runs`;
}
