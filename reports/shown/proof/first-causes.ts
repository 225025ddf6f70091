/** The proof makes a report for each fault, a service that breaks one promise. This counts the reports whose first cause names the fault. Pure. */
import { explains } from '../../../fixtures/judgement/attribute.ts';
import { filterByVerdicts, type Described, type VariantOutcome } from './outcome.ts';

/** At least this share of faults must have their own requirement as the first cause, from 0 to 1. */
const LEAST_SHARE = 0.95;
/** With fewer reports the share says nothing. */
const FEWEST_REPORTS = 100;

/** The number of reports with the right first cause, and the reports with another one. */
export interface FirstCauses {
  /** Reports about faults that were judged to the end and in which something failed. */
  reports: number;
  /** Reports whose first cause names the fault. */
  right: number;
  /** Reports that name another requirement first. */
  others: { fault: string; base: string; breaks: string; first: string }[];
}

export function compareFirstCauses(
  faults: readonly Described[],
  outcomeOf: (fault: string) => VariantOutcome | undefined,
): FirstCauses {
  const judged = faults.flatMap((fault) => {
    const outcome = outcomeOf(fault.id);
    if (outcome?.whole !== true || outcome.first == null) return [];
    const { base, first } = outcome;
    return [{ fault, base, first, isRight: isNamed(first, fault, outcome) }];
  });
  const others = judged
    .filter((each) => !each.isRight)
    .map(({ fault: { id, breaks = '' }, base, first }) => ({ fault: id, base, breaks, first }));
  return { reports: judged.length, right: judged.length - others.length, others };
}

/** True if the first cause names the fault: by the promise that it breaks, or by another one of `names`. */
const isNamed = (first: string, { breaks = '', names = [breaks] }: Described, outcome: VariantOutcome) => {
  // A consequence of the broken promise may come first only if the run did not find the broken promise itself.
  const isConsequence = explains(breaks, first);
  const isFound = filterByVerdicts(outcome, 'fail', 'warn').includes(breaks);
  return names.includes(first) && !(isConsequence && isFound);
};

/** Returns the problem that too few reports begin with the fault; empty if there is none. */
export function findProblem({ reports, right }: FirstCauses): string[] {
  if (reports < FEWEST_REPORTS || right >= reports * LEAST_SHARE) return [];
  const share = `less than ${LEAST_SHARE * 100} %`;
  return [`of ${reports} reports on faults, ${right} name the broken promise first, which is ${share}`];
}
