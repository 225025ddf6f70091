/** What became of failures since earlier runs on the same target. Pure. */
import type { EarlierRun, Report, RequirementResult } from './report.ts';

/** This run beside the one before it. */
interface Since {
  before: EarlierRun;
  /** What failed then, and passes now, in full. */
  mended: RequirementResult[];
  /** What fails now, and did not then. */
  added: RequirementResult[];
  /** What fails again. */
  left: RequirementResult[];
  /** What failed then, and is neither a failure nor a pass now. */
  open: RequirementResult[];
}

/** Null if nobody knows what failed in the run before, or nothing failed in either. */
export function sinceLast({ requirements, run }: Pick<Report, 'requirements' | 'run'>): Since | null {
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

/** The first of the runs in which a promise has been broken ever since, and how many runs that are with this one; null if it was not broken in the last one. */
export function brokenSince(
  { run }: Pick<Report, 'run'>,
  { id }: Pick<RequirementResult, 'id'>,
): { first: EarlierRun; runs: number } | null {
  const earlier = run.earlier ?? [];
  const kept = earlier.findLastIndex(({ broken }) => broken?.includes(id) !== true);
  const [first] = earlier.slice(kept + 1);
  return first === undefined ? null : { first, runs: earlier.length - kept };
}
