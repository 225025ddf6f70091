/** Compares the failures of a run with earlier runs on the same target. Pure. */
import type { EarlierRun, Report, RequirementResult } from './report-document.ts';

/** Compares a run with the one before it. */
interface Since {
  before: EarlierRun;
  /** Requirements that failed before and pass in full now. */
  mended: RequirementResult[];
  /** Requirements that fail now and did not fail before. */
  added: RequirementResult[];
  /** Requirements that fail again. */
  left: RequirementResult[];
  /** Requirements that failed before and neither fail nor pass in full now. */
  open: RequirementResult[];
}

/** Compares with the last earlier run. Null if its failures are unknown, or if nothing failed in both runs. */
export function compareWithLast({ requirements, run }: Pick<Report, 'requirements' | 'run'>): Since | null {
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
    added: known.filter(({ id, verdict }) => verdict === 'fail' && !failed.has(id)),
    left: known.filter(({ id, verdict }) => verdict === 'fail' && failed.has(id)),
    open: known.filter((each) => each.verdict !== 'fail' && !isMended(each)),
  };
}

/**
 * Returns the earlier run since which a promise has been broken in every run, and the number of these runs with this one. Null
 * if the promise was not broken in the last earlier run.
 */
export function findBrokenSince(
  { run }: Pick<Report, 'run'>,
  { id }: Pick<RequirementResult, 'id'>,
): { first: EarlierRun; runs: number } | null {
  const earlier = run.earlier ?? [];
  // The last run that kept the promise, or whose failures are unknown; -1 if there is none.
  const lastKept = earlier.findLastIndex(({ broken }) => broken?.includes(id) !== true);
  const [first] = earlier.slice(lastKept + 1);
  // All runs after it, and this one.
  return first === undefined ? null : { first, runs: earlier.length - lastKept };
}
