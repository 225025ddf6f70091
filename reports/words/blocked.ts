/** What is undecided because of a failure stands with that failure. */
import type { Cause } from '../document/causes.ts';
import type { Report, RequirementResult } from '../document/report.ts';
import { withVerdict } from './verdict-words.ts';
import { isBlockedOnlyBy } from '../document/verdicts.ts';

/** The requirements that nothing but the failures of this cause kept from being decided. */
export function blockedBy(report: Report, cause: Cause): RequirementResult[] {
  const ids = cause.map(({ id }) => id);
  return withVerdict(report, 'inconclusive').filter((each) => isBlockedOnlyBy(each, ids));
}

/** The undecided requirements that stand with no failure. */
export function undecidedAlone(report: Report, causes: readonly Cause[]): RequirementResult[] {
  const placed = new Set(causes.flatMap((cause) => blockedBy(report, cause)));
  return withVerdict(report, 'inconclusive').filter((each) => !placed.has(each));
}
