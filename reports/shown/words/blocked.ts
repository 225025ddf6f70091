/**
 * Finds which broken promise (blocker) keeps a requirement undecided, so that reports list the requirement under this failure. Example:
 * createPet answers 500, so nothing about getPet can be asked: `get-pet.answers-200` is listed under createPet. Pure.
 */
import { findBlockers } from '../../document/cause-order.ts';
import { describeCause, type Cause } from '../../document/causes.ts';
import type { Report, RequirementResult } from '../../document/report-document.ts';
import { filterByVerdict } from './verdict-words.ts';

/** `cause` of a result is the reason why it is undecided. A `Cause` is another thing: broken promises that one change would mend. */
type Judged = Pick<RequirementResult, 'verdict' | 'cause'>;

/**
 * Returns the broken promise that keeps a requirement undecided; of several, the first failure, else the first warning. Undefined if
 * anything else keeps it undecided too, e.g. a budget: then `findBlockers` also returns an undecided result, which is not broken.
 */
function chooseBlocker(report: Report, result: Judged): RequirementResult | undefined {
  const broken = [...filterByVerdict(report, 'fail'), ...filterByVerdict(report, 'warn')];
  const blockers = findBlockers(report.requirements)(result);
  const isOnlyReason =
    result.verdict === 'inconclusive' && blockers.every((each) => broken.some(({ id }) => id === each));
  return isOnlyReason ? broken.find(({ id }) => blockers.includes(id)) : undefined;
}

/** True if a failure of this report keeps the requirement undecided. A warning is a failure in strict mode only. */
export function isBlocked(report: Report, result: Judged): boolean {
  const blocker = chooseBlocker(report, result);
  return blocker !== undefined && (blocker.verdict === 'fail' || report.run.strict);
}

/** Returns the requirements that this cause keeps undecided. */
export function findBlockedBy(report: Report, cause: Cause): RequirementResult[] {
  const ids = cause.map(({ id }) => id);
  return filterByVerdict(report, 'inconclusive').filter((each) =>
    ids.includes(chooseBlocker(report, each)?.id ?? ''),
  );
}

/** Returns the broken promises under which an undecided requirement is listed; empty if it has another reason. */
export function listBlockers(report: Report, result: Judged): readonly string[] {
  return chooseBlocker(report, result) === undefined ? [] : findBlockers(report.requirements)(result);
}

/** Describes a cause in one line, with the number of promises that it breaks and of requirements that it keeps undecided. */
export function writeCauseLine(report: Report, cause: Cause): string {
  const blocked = findBlockedBy(report, cause).length;
  // A cause that fails may also hold warnings: they are not counted, because other reports count them as warnings.
  const broken = cause.filter(({ verdict }) => verdict === cause[0].verdict);
  return [
    `${describeCause(report, cause)}${cause[0].waiver === null ? '' : ' (waived)'}`,
    ...(broken.length < 2 ? [] : [`${broken.length} requirements broken`]),
    ...(blocked === 0 ? [] : [`${blocked} undecided because of it`]),
  ].join('; ');
}

/** Returns the undecided requirements that none of these causes keeps undecided. */
export function findOtherUndecided(report: Report, causes: readonly Cause[]): RequirementResult[] {
  const placed = new Set(causes.flatMap((cause) => findBlockedBy(report, cause)));
  return filterByVerdict(report, 'inconclusive').filter((each) => !placed.has(each));
}

/** Results that have one reason. */
export interface ReasonGroup {
  reason: string;
  same: RequirementResult[];
}

/** Groups results by reason. Several words may say that the run was stopped: these results are one group, with the shortest words. */
export function groupByReason(results: readonly RequirementResult[]): ReasonGroup[] {
  const reasonOf = ({ reason }: RequirementResult) => reason ?? 'no reason was given';
  const groupOf = (each: RequirementResult) => (each.cause?.kind === 'stopped' ? 'stopped' : reasonOf(each));
  return [...new Set(results.map(groupOf))].map((group) => {
    const same = results.filter((each) => groupOf(each) === group);
    const [reason = ''] = same.map(reasonOf).toSorted((one, other) => one.length - other.length);
    return { reason, same };
  });
}
