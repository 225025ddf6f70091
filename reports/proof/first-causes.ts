/** Whether what a report says first is what is wrong with the service. Pure. */
import type { Described, Outcome } from './outcome.ts';

/** Least share of faults whose own requirement has to be shown first, from 0 to 1. */
const LEAST = 0.95;
/** Fewer reports than these say nothing of the share. */
const FEW = 100;

/** The reports of faults that were judged to the end, as far as something failed. */
export interface FirstCauses {
  reports: number;
  right: number;
  /** Those that say something else first. */
  others: { fault: string; base: string; breaks: string; first: string }[];
}

/** @param alsoRight by faults, another requirement that names them as well */
export function firstCausesOf(
  faults: readonly Described[],
  outcomeOf: (fault: string) => Outcome | undefined,
  alsoRight: Readonly<Record<string, string>>,
): FirstCauses {
  const judged = faults.flatMap(({ id, breaks = '' }) => {
    const { whole = false, first = null, base = '' } = outcomeOf(id) ?? {};
    return whole && first !== null ? [{ fault: id, base, breaks, first }] : [];
  });
  const others = judged.filter((each) => ![each.breaks, alsoRight[each.fault]].includes(each.first));
  return { reports: judged.length, right: judged.length - others.length, others };
}

/** What is wrong if too many reports begin with something else. */
export function problemOfFirstCauses({ reports, right }: FirstCauses): string[] {
  if (reports < FEW || right >= reports * LEAST) return [];
  return [
    `of ${reports} reports on faults, ${right} begin with what is wrong, which is less than ${LEAST * 100} %`,
  ];
}
