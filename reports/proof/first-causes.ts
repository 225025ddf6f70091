/** Counts the reports whose first cause is the fault of the service. Pure. */
import type { Described, VariantOutcome } from './outcome.ts';

/** At least this share of faults must have their own requirement as the first cause, from 0 to 1. */
const LEAST = 0.95;
/** With fewer reports the share says nothing. */
const FEW = 100;

/** Reports about faults that were judged to the end and in which something failed. */
export interface FirstCauses {
  reports: number;
  right: number;
  /** Reports that name another requirement first. */
  others: { fault: string; base: string; breaks: string; first: string }[];
}

/**
 * Compares the first cause of each report with the fault.
 * @param alsoRight another requirement that names a fault as well, by the id of the fault
 */
export function compareFirstCauses(
  faults: readonly Described[],
  outcomeOf: (fault: string) => VariantOutcome | undefined,
  alsoRight: Readonly<Record<string, string>>,
): FirstCauses {
  const judged = faults.flatMap(({ id, breaks = '' }) => {
    const { whole = false, first = null, base = '' } = outcomeOf(id) ?? {};
    return whole && first !== null ? [{ fault: id, base, breaks, first }] : [];
  });
  const others = judged.filter((each) => ![each.breaks, alsoRight[each.fault]].includes(each.first));
  return { reports: judged.length, right: judged.length - others.length, others };
}

/** Returns the problem that too many reports begin with another cause; empty if there is none. */
export function findProblem({ reports, right }: FirstCauses): string[] {
  if (reports < FEW || right >= reports * LEAST) return [];
  return [
    `of ${reports} reports on faults, ${right} begin with what is wrong, which is less than ${LEAST * 100} %`,
  ];
}
