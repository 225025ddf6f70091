/** What is undecided because of a failure belongs to that failure. */
import { blockersIn, causeInWords, type Cause } from '../document/causes.ts';
import type { Report, RequirementResult } from '../document/report.ts';
import { withVerdict } from './verdict-words.ts';

/** The broken promise that kept a requirement from being decided; of several a failure before a warning. Undefined: something else did. */
function blockerOf(
  report: Report,
  result: Pick<RequirementResult, 'verdict' | 'cause'>,
): RequirementResult | undefined {
  const broken = [...withVerdict(report, 'fail'), ...withVerdict(report, 'warn')];
  const blockers = blockersIn(report.requirements)(result);
  const isAlone =
    result.verdict === 'inconclusive' &&
    blockers.length > 0 &&
    blockers.every((each) => broken.some(({ id }) => id === each));
  return isAlone ? broken.find(({ id }) => blockers.includes(id)) : undefined;
}

/** Whether a failure that is in this report kept it from being decided: then it is not a finding of its own. */
export function isBlocked(report: Report, result: Pick<RequirementResult, 'verdict' | 'cause'>): boolean {
  const blocker = blockerOf(report, result);
  return blocker !== undefined && (blocker.verdict === 'fail' || report.run.strict);
}

/** The requirements that are undecided because of this cause. */
export function blockedBy(report: Report, cause: Cause): RequirementResult[] {
  const ids = cause.map(({ id }) => id);
  return withVerdict(report, 'inconclusive').filter((each) =>
    ids.includes(blockerOf(report, each)?.id ?? ''),
  );
}

/** The broken promises under which it is listed; none if it has a reason of its own. */
export function blockersOn(
  report: Report,
  result: Pick<RequirementResult, 'verdict' | 'cause'>,
): readonly string[] {
  return blockerOf(report, result) === undefined ? [] : blockersIn(report.requirements)(result);
}

/** A cause in a line: what is wrong, and what else it breaks or keeps from being decided. */
export function causeLine(report: Report, cause: Cause): string {
  const blocked = blockedBy(report, cause).length;
  return [
    `${causeInWords(report, cause)}${cause[0].waiver === null ? '' : ' (waived)'}`,
    ...(cause.length === 1 ? [] : [`${cause.length} requirements broken`]),
    ...(blocked === 0 ? [] : [`${blocked} undecided because of it`]),
  ].join('; ');
}

/** The undecided requirements that belong to no failure. */
export function undecidedAlone(report: Report, causes: readonly Cause[]): RequirementResult[] {
  const placed = new Set(causes.flatMap((cause) => blockedBy(report, cause)));
  return withVerdict(report, 'inconclusive').filter((each) => !placed.has(each));
}
