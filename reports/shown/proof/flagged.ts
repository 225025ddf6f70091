/** Finds the wrong verdicts of a run on a freedom. A freedom is a service with a permitted oddity, so a run must accept it. Pure. */
import type { Verdict } from '../../document/report-document.ts';
import type { Described, VariantOutcome } from './outcome.ts';

/**
 * Returns each verdict that the description of the freedom does not permit, or else a wrong exit code; empty if it passed.
 * @param notHere requirements that do not apply to the plain reference
 * @param as `pair` if two freedoms are judged at once: one may then decide a requirement that the other leaves undecided
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
  // `verdicts` has no passes, so none needs a permission.
  const odd = outcome.verdicts
    .filter(({ id, verdict }) => !permitted[verdict]?.(id))
    .map((each) => `${each.verdict} ${each.id} (${each.why})`);
  if (odd.length > 0) return odd;
  return listExitCodes(freedom, as).includes(outcome.exitCode) ? [] : [`exit code ${outcome.exitCode}`];
}

/** Returns the exit codes that a run on the freedom may have: 0 conforming, 1 nonconforming, 3 inconclusive. */
function listExitCodes({ stops = false, inconclusive = [], mayFail = [] }: Described, as: string): number[] {
  if (mayFail.length > 0) return [3, 1, 0];
  if (!stops && inconclusive.length === 0) return [0];
  // With a requirement left undecided the code is 3, or 0: on a slow machine, a lag may be over before it matters. A run that stops
  // by design ends with 3, unless the other freedom of a pair keeps it from stopping.
  return !stops || as === 'pair' ? [3, 0] : [3];
}
