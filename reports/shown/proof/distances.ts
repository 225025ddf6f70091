/**
 * Finds variants of the reference service whose outcome depends on the distance, which is a round trip in milliseconds. A fault
 * may be named at some distances only; a freedom, which is permitted, may be flagged at none. Pure.
 */
import { findFlagged } from './flagged.ts';
import { isNamedBy, type Described, type VariantOutcome } from './outcome.ts';

/** Variants that were judged at several distances. A distance is a round trip in milliseconds. */
export interface Distances {
  /** The number of variants. */
  judged: number;
  /** Faults that are named at some distances only. */
  faults: { id: string; base: string; named: number[]; unnamed: number[] }[];
  /** Freedoms that were flagged at another distance than the usual one. */
  freedoms: { id: string; base: string; roundTrip: number; by: string[] }[];
}

/**
 * Compares the outcomes of each variant at its distances.
 * @param usual the distance at which all variants are judged
 * @param notHere requirements that do not apply to the plain reference
 */
export function compareDistances(
  { faults, freedoms }: { faults: readonly Described[]; freedoms: readonly Described[] },
  outcomes: readonly VariantOutcome[],
  usual: number,
  notHere: readonly string[],
): Distances {
  const distant = outcomes.filter(({ roundTrip }) => roundTrip !== usual);
  const runsOf = (kind: VariantOutcome['kind'], variant: Described) =>
    outcomes.filter((each) => each.kind === kind && each.id === variant.id);
  return {
    judged: new Set(distant.map(({ kind, id }) => `${kind} ${id}`)).size,
    faults: faults
      .map((fault) => compareRuns(fault, runsOf('fault', fault)))
      .filter(({ named, unnamed }) => named.length > 0 && unnamed.length > 0),
    freedoms: freedoms.flatMap((freedom) =>
      runsOf('freedom', freedom)
        .filter(({ roundTrip }) => roundTrip !== usual)
        .map((outcome) => ({
          id: freedom.id,
          base: outcome.base,
          roundTrip: outcome.roundTrip,
          by: findFlagged(outcome, freedom, notHere),
        }))
        .filter(({ by }) => by.length > 0),
    ),
  };
}

/** Returns the distances at which the fault was named, and the distances at which it was not. */
function compareRuns(fault: Described, runs: readonly VariantOutcome[]): Distances['faults'][number] {
  const at = (isNamed: boolean) =>
    [
      ...new Set(runs.filter((run) => isNamedBy(run, fault) === isNamed).map(({ roundTrip }) => roundTrip)),
    ].toSorted((one, other) => one - other);
  return { id: fault.id, base: runs[0]?.base ?? '', named: at(true), unnamed: at(false) };
}
