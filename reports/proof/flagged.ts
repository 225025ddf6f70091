/** What flags a freedom: what a run on it ended with that nothing permits. Pure. */
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
  const { notApplicable = [], warns = [], inconclusive = [], stops = false } = freedom;
  const isPermitted = ({ id, verdict }: Outcome['verdicts'][number]) =>
    verdict === 'excused' ||
    (verdict === 'not-applicable' && (notApplicable.includes(id) || notHere.includes(id))) ||
    (verdict === 'warn' && warns.includes(id)) ||
    (verdict === 'inconclusive' && (stops || inconclusive.includes(id)));
  const odd = outcome.verdicts
    .filter((each) => !isPermitted(each))
    .map((each) => `${each.verdict} ${each.id} (${each.why})`);
  const isOpen = stops || inconclusive.length > 0;
  // what a lag leaves open, a busy machine may decide
  const exitCodes = [
    ...(isOpen ? [3] : [0]),
    ...(isOpen && !stops ? [0] : []),
    ...(as === 'pair' && isOpen ? [0] : []),
  ];
  return odd.length === 0 && !exitCodes.includes(outcome.exitCode) ? [`exit code ${outcome.exitCode}`] : odd;
}
