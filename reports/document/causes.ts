/**
 * Groups failures and warnings by their cause: promises that one change of the service would mend. Every report counts and
 * shows causes. The cause that explains most comes first.
 */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import { memoizeByObject } from '../../fixtures/exchange/memoize.ts';
import { attribute } from '../../fixtures/judgement/attribute.ts';
import { findSuccessOfError, listKeys, writeAnswerKey } from './cause-keys.ts';
import { sortResults } from './cause-order.ts';
import { findDeparture } from './departures.ts';
import { describeBroken } from './reasons/broken.ts';
import type { Broken, RequirementResult } from './report-document.ts';
import { chooseExamples, findShownExchange, listEvidence } from './shown-exchange.ts';

/** Results that one cause explains. The cause takes its name from the first result. */
export type Cause = readonly [first: RequirementResult, ...others: RequirementResult[]];

/**
 * Returns the causes that fail a run, the first cause first. One cause is one failure, however many promises it breaks. A cause
 * also holds the warnings that the same change of the service would mend. In strict mode a warning is a failure. Every kind of
 * report counts failures with this function.
 */
export function findFailures(report: Broken): Cause[] {
  return getCauses(report).filter((cause) => isFailure(report, cause));
}

/** Returns the causes that hold warnings only. In strict mode there are none. */
export function findWarnings(report: Broken): Cause[] {
  return getCauses(report).filter((cause) => !isFailure(report, cause));
}

function isFailure({ run }: Broken, cause: Cause): boolean {
  return run.strict || cause.some(({ verdict }) => verdict === 'fail');
}

/**
 * Says in a few plain words what is wrong. If several answers are wrong in one way, e.g. 422 in place of 400, the words name it.
 * If they are wrong in several ways, the words are about the first promise.
 */
export function describeCause(report: Broken, cause: Cause): string {
  const [first, ...others] = cause;
  const byOtherAnswers = others.filter((each) => writeAnswerKey(each) !== writeAnswerKey(first));
  const status = findSuccessOfError(report, first);
  const isShared = byOtherAnswers.some((each) => findSuccessOfError(report, each) === status);
  if (status !== null && isShared) return `Errors come with status ${status}`;
  const depart = (each: RequirementResult) => findDeparture(each, findShownExchange(report, each));
  const departure = depart(first);
  const hasEqual = byOtherAnswers.some((each) => depart(each)?.key === departure?.key);
  const { answers = '' } = first;
  const isCommon = others.every((each) => each.answers === answers || answers.includes(each.operation));
  const broken = describeBroken(first);
  return (
    (hasEqual ? departure?.words : undefined) ??
    (isCommon && answers !== '' ? `${broken} (${answers})` : broken)
  );
}

/** Returns the exchanges that show a cause: for each promise the smallest exchange of each kind that failed. */
export function findExamples(report: Pick<Broken, 'exchanges'>, cause: Cause): Evidence[] {
  return [...new Set(cause.flatMap((each) => chooseExamples(listEvidence(report, each), each)))];
}

/** Keeps the causes: a page asks for the causes of one report for each card. */
const getCauses = memoizeByObject<Broken, Cause[]>(findCauses, ({ exchanges }) => exchanges.length);

function findCauses(report: Broken): Cause[] {
  const broken = report.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const explained = findExplainers(broken);
  const sorted = sortResults(report, broken, explained);
  const isExplained = ({ id }: RequirementResult) => explained.get(id)?.length !== 0;
  // Results with a common key have one cause, then consequences join their cause.
  const causeOf = joinConsequences(
    joinByKeys(sorted, (each) => listKeys(report, each, isExplained(each))),
    explained,
  );
  return joinByKeys(sorted, ({ id }) => [String(causeOf.get(id))]);
}

/**
 * Joins each result to the cause that explains it. If several causes explain a result, no single change of the service would mend
 * it: it joins none of them, and stays a cause of its own behind them.
 * @returns the number of its cause for each id
 */
function joinConsequences(
  causes: readonly Cause[],
  explained: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  // By the id of each result: the number of its cause.
  const causeOf = new Map(causes.flatMap((cause, number) => cause.map(({ id }) => [id, number])));
  const waiverOf = (number: number | undefined) => JSON.stringify(causes[number ?? -1]?.[0].waiver);
  // Joins the cause of one result to the only cause that explains it. False if no cause can be joined.
  const joinOne = () =>
    [...causeOf].some(([id, own]) => {
      const [explainer, ...more] = new Set(explained.get(id)?.map((each) => causeOf.get(each)));
      if (explainer === undefined || more.length > 0 || explainer === own) return false;
      // A waiver is a failure that the operator has accepted.
      if (waiverOf(explainer) !== waiverOf(own)) return false;
      for (const [each, number] of causeOf) if (number === own) causeOf.set(each, explainer);
      return true;
    });
  while (joinOne());
  return causeOf;
}

/**
 * Returns the broken promises that explain each result. A promise about 400 that was broken with another 4xx, e.g. 422, explains
 * no wrong value that an answer shows: the service refused the value with 422, so it did not store it.
 */
function findExplainers(broken: readonly RequirementResult[]): ReadonlyMap<string, readonly string[]> {
  const refusedOtherwise = new Set(
    broken.flatMap(({ id, statuses }) =>
      statuses?.promised === 400 && statuses.came > 400 && statuses.came < 500 ? [id] : [],
    ),
  );
  const isAboutShownValue = (id: string) => id.startsWith('representation.');
  const explained = attribute(broken);
  return new Map(
    [...explained].map(([id, explainers]) => [
      id,
      isAboutShownValue(id) ? explainers.filter((each) => !refusedOtherwise.has(each)) : explainers,
    ]),
  );
}

/**
 * Groups items that share a key, directly or through other items of the group: if one item has the keys a and b, items with a
 * and items with b are in one group. Groups and their items keep their order.
 */
function joinByKeys<T>(items: readonly T[], listKeysOf: (item: T) => readonly string[]): [T, ...T[]][] {
  const ungrouped = new Map(items.map((item) => [item, listKeysOf(item)]));
  return items.flatMap((first): [T, ...T[]][] => {
    const keys = new Set(ungrouped.get(first));
    if (!ungrouped.delete(first)) return [];
    const group = new Set<T>();
    // Each pass adds items that share a key with the group. It ends when a pass adds none; -1 makes the first pass run.
    for (let size = -1; size < group.size;) {
      size = group.size;
      for (const [item, own] of ungrouped) {
        if (!own.some((key) => keys.has(key))) continue;
        group.add(item);
        ungrouped.delete(item);
        own.forEach((key) => keys.add(key));
      }
    }
    return [[first, ...items.filter((each) => group.has(each))]];
  });
}
