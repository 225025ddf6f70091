/** What flags a freedom: what a run on it ended with that nothing permits. Pure. */
import type { Verdict } from '../document/report.ts';
import type { Described, Outcome } from './outcome.ts';

/**
 * Each verdict that nobody permits, or the wrong exit code; empty: it passed. `notHere`: what is not applicable on the plain
 * reference. What a freedom leaves undecided by design must be so; in a pair the other one may have decided it.
 */
export function flaggedBy(
  outcome: Outcome | undefined,
  freedom: Described,
  notHere: readonly string[],
  as: 'freedom' | 'pair' = 'freedom',
): string[] {
  if (outcome === undefined) return ['it was not judged'];
  const { notApplicable = [], warns = [], inconclusive = [], mayFail = [], stops = false } = freedom;
  const permitted: Partial<Record<Verdict, (id: string) => boolean>> = {
    excused: () => true,
    'not-applicable': (id) => notApplicable.includes(id) || notHere.includes(id),
    // of what may fail, a standard's warning is one too
    warn: (id) => warns.includes(id) || mayFail.includes(id),
    fail: (id) => mayFail.includes(id),
    inconclusive: (id) => stops || inconclusive.includes(id),
  };
  const odd = outcome.verdicts
    .filter(({ id, verdict }) => !permitted[verdict]?.(id))
    .map((each) => `${each.verdict} ${each.id} (${each.why})`);
  if (odd.length > 0) return odd;
  const exitCodes = exitCodesOf(freedom, as);
  return exitCodes.includes(outcome.exitCode) ? [] : [`exit code ${outcome.exitCode}`];
}

function exitCodesOf(
  { stops = false, inconclusive = [], mayFail = [] }: Described,
  as: 'freedom' | 'pair',
): number[] {
  if (mayFail.length > 0) return [3, 1, 0];
  if (!stops && inconclusive.length === 0) return [0];
  // what a lag leaves open, a busy machine may decide
  return !stops || as === 'pair' ? [3, 0] : [3];
}
