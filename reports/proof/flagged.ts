/** Finds the verdicts on a freedom that nothing permits. Pure. */
import type { Verdict } from '../document/report-document.ts';
import type { Described, VariantOutcome } from './outcome.ts';

/**
 * Returns each verdict that nothing permits, or the wrong exit code; empty if the freedom passed. A freedom
 * that leaves requirements undecided must do so. In a pair the other freedom may decide them.
 * @param notHere requirements that do not apply to the plain reference
 */
export function findFlagged(
  outcome: VariantOutcome | undefined,
  freedom: Described,
  notHere: readonly string[],
  as: 'freedom' | 'pair' = 'freedom',
): string[] {
  if (outcome === undefined) return ['it was not judged'];
  const { notApplicable = [], warns = [], inconclusive = [], mayFail = [], stops = false } = freedom;
  const permitted: Partial<Record<Verdict, (id: string) => boolean>> = {
    excused: () => true,
    'not-applicable': (id) => notApplicable.includes(id) || notHere.includes(id),
    // A requirement that may fail may also warn.
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
  // A lag leaves requirements open; a slow machine may decide them.
  return !stops || as === 'pair' ? [3, 0] : [3];
}
