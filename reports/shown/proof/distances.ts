/**
 * Finds variants of the reference service whose outcome depends on the distance, which is a round trip in milliseconds. A run may name a
 * fault at some distances only; it may flag a freedom, a permitted oddity, at none. A base is the service that a variant changes. Pure.
 */
import { findFlagged } from './flagged.ts';
import { isNamedBy, type Described, type VariantOutcome } from './outcome.ts';

/**
 * Compares the outcomes of each variant at its distances. Finds faults that runs name at some distances and not at others, and freedoms
 * that were flagged at another distance than the usual one.
 * @param usual the distance at which all variants are judged
 * @param notHere requirements that do not apply to the plain reference
 */
export function compareDistances(
  { faults, freedoms }: { faults: readonly Described[]; freedoms: readonly Described[] },
  outcomes: readonly VariantOutcome[],
  usual: number,
  notHere: readonly string[],
) {
  const runsOf = (kind: VariantOutcome['kind'], { id }: Described) =>
    outcomes.filter((each) => each.kind === kind && each.id === id);
  const distancesOf = (runs: readonly VariantOutcome[]) =>
    [...new Set(runs.map(({ roundTrip }) => roundTrip))].toSorted((one, other) => one - other);
  return {
    faults: faults
      .map((fault) => {
        const runs = runsOf('fault', fault);
        const named = distancesOf(runs.filter((run) => isNamedBy(run, fault)));
        const unnamed = distancesOf(runs.filter((run) => !isNamedBy(run, fault)));
        return { id: fault.id, base: runs[0]?.base ?? '', named, unnamed };
      })
      .filter(({ named, unnamed }) => named.length > 0 && unnamed.length > 0),
    freedoms: freedoms.flatMap((freedom) =>
      runsOf('freedom', freedom)
        .filter(({ roundTrip }) => roundTrip !== usual)
        .map((run) => ({
          ...{ id: run.id, base: run.base, roundTrip: run.roundTrip },
          by: findFlagged(run, freedom, notHere),
        }))
        .filter(({ by }) => by.length > 0),
    ),
  };
}
