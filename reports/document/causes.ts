/**
 * Groups broken promises by their cause: one change of the service would mend all promises of a cause. Every report counts and shows
 * causes with these functions. `cause-keys.ts` says what promises of one cause share, `cause-order.ts` which cause comes first.
 */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import { memoizeByObject } from '../../fixtures/exchange/memoize.ts';
import { attribute } from '../../fixtures/judgement/attribute.ts';
import { findSuccessOfError, listCauseKeys, writeAnswerKey } from './cause-keys.ts';
import { sortResults } from './cause-order.ts';
import { findDeparture } from './departures.ts';
import { describeBroken } from './reasons/broken.ts';
import type { Broken, RequirementResult } from './report-document.ts';
import { chooseExamples, findShownExchange, listEvidence } from './shown-exchange.ts';

/** The broken promises of one cause. The first one says most about the cause: reports name the cause by it. */
export type Cause = readonly [first: RequirementResult, ...others: RequirementResult[]];

/**
 * Returns the causes that fail a run, in the order of reports. One cause is one failure, however many promises it breaks; it may also
 * hold warnings. In strict mode a cause of warnings only is a failure too.
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
 * Says in a few plain words what is wrong: what several answers share, e.g. `createPet answers 422 in place of 400`; else how the
 * first promise is broken.
 */
export function describeCause(report: Broken, cause: Cause): string {
  const [first, ...others] = cause;
  // One answer may break several promises. Only another answer shows that the fault is shared. `status`: e.g. a 200 with an Error as body.
  const ofOtherAnswers = others.filter((each) => writeAnswerKey(each) !== writeAnswerKey(first));
  const status = findSuccessOfError(report, first);
  const isStatusShared = ofOtherAnswers.some((each) => findSuccessOfError(report, each) === status);
  if (status !== null && isStatusShared) return `Errors come with status ${status}`;
  const findOwnDeparture = (each: RequirementResult) => findDeparture(each, findShownExchange(report, each));
  const departure = findOwnDeparture(first);
  const isDepartureShared = ofOtherAnswers.some((each) => findOwnDeparture(each)?.key === departure?.key);
  if (departure !== null && isDepartureShared) return departure.words;
  // A text such as `401 of createPet`. It is named if the other promises are about the same answers, or about an operation in this text.
  const { answers = '' } = first;
  const isOfAll = others.every((each) => each.answers === answers || answers.includes(each.operation));
  return answers !== '' && isOfAll ? `${describeBroken(first)} (${answers})` : describeBroken(first);
}

/** Names the first failure, and counts the others; null if nothing fails the run. In strict mode a warning may be the first. */
export function nameFirstFailure(report: Broken): string | null {
  const [first, ...others] = findFailures(report);
  if (first === undefined) return null;
  const more = others.length === 1 ? 'failure' : 'failures';
  return describeCause(report, first) + (others.length === 0 ? '' : `, and ${others.length} more ${more}`);
}

/** Returns the exchanges that show a cause: for each promise the smallest exchange of each kind that failed. */
export function findExamples(report: Pick<Broken, 'exchanges'>, cause: Cause): Evidence[] {
  return [...new Set(cause.flatMap((each) => chooseExamples(listEvidence(report, each), each)))];
}

/** Returns the causes of a report. A page asks for them for each card, so they are kept until the report gets more exchanges. */
const getCauses = memoizeByObject<Broken, Cause[]>(findCauses, ({ exchanges }) => exchanges.length);

function findCauses(report: Broken): Cause[] {
  const broken = report.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const explained = findExplainers(broken);
  const sorted = sortResults(report, broken, explained);
  const isExplained = ({ id }: RequirementResult) => (explained.get(id) ?? []).length > 0;
  // 1. Results with a common key get one cause, e.g. all promises that one wrong answer breaks.
  const sharing = joinByKeys(sorted, (each) => listCauseKeys(report, each, isExplained(each)));
  // 2. A consequence joins the cause that explains it.
  const causeOf = joinConsequences(sharing, explained);
  // 3. The results are grouped again, by the numbers of their causes. This restores the order of `sorted`.
  return joinByKeys(sorted, ({ id }) => [String(causeOf.get(id))]);
}

/**
 * Joins each cause to the cause that explains one of its results. Example: createPet loses names (cause 0), so lists show wrong names
 * (cause 1): then all results of cause 1 get the number 0. A result that several causes explain does not join: no single change of the
 * service would mend it.
 * @param explained the ids of the results that explain each result, by its id
 * @returns the number of its cause, by the id of each result
 */
function joinConsequences(
  causes: readonly Cause[],
  explained: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const causeOf = new Map(causes.flatMap((cause, number) => cause.map(({ id }) => [id, number])));
  const waiverOf = (number: number | undefined) => JSON.stringify(causes[number ?? -1]?.[0].waiver);
  // Returns the numbers of the first two causes that can be joined; null if there are none.
  const findJoin = () => {
    for (const [id, own] of causeOf) {
      const [explainer, ...more] = new Set(explained.get(id)?.map((each) => causeOf.get(each)));
      if (explainer === undefined || more.length > 0 || explainer === own) continue;
      // The operator has accepted a waived failure: no other failure may hide behind it.
      if (waiverOf(explainer) === waiverOf(own)) return { from: own, to: explainer };
    }
    return null;
  };
  for (let join = findJoin(); join !== null; join = findJoin())
    for (const [id, number] of causeOf) if (number === join.from) causeOf.set(id, join.to);
  return causeOf;
}

/**
 * Returns the broken promises that explain each result, by its id (`attribute`), with one exception. If only the last digits of a status are
 * wrong, e.g. 422 in place of 400, or 200 in place of 201, the service stores and refuses as promised. So this breach explains no wrong
 * value in a later answer (`representation.*`), and no missing animal (`list-pets.shows-*`).
 */
function findExplainers(broken: readonly RequirementResult[]): ReadonlyMap<string, readonly string[]> {
  const hasOtherDigits = ({ statuses }: RequirementResult) =>
    statuses !== undefined && Math.floor(statuses.promised / 100) === Math.floor(statuses.came / 100);
  const withOtherDigits = new Set(broken.filter(hasOtherDigits).map(({ id }) => id));
  const isAboutShownValue = (id: string) => /^(representation|list-pets\.shows)/.test(id);
  const explained = attribute(broken);
  return new Map(
    [...explained].map(([id, explainers]) => [
      id,
      isAboutShownValue(id) ? explainers.filter((each) => !withOtherDigits.has(each)) : explainers,
    ]),
  );
}

/**
 * Groups items that share a key, directly or through others: if an item has the keys a and b, all items with a or with b are in its
 * group. Groups and their items keep their order.
 */
function joinByKeys<T>(items: readonly T[], listKeysOf: (item: T) => readonly string[]): [T, ...T[]][] {
  const ungrouped = new Map(items.map((item) => [item, listKeysOf(item)]));
  return items.flatMap((first): [T, ...T[]][] => {
    // The keys of all items in the group. An item that is not in `ungrouped` any more has a group already.
    const keys = new Set(ungrouped.get(first));
    if (!ungrouped.delete(first)) return [];
    const group = new Set<T>();
    const findNext = () => [...ungrouped].find(([, own]) => own.some((key) => keys.has(key)));
    for (let next = findNext(); next !== undefined; next = findNext()) {
      const [item, own] = next;
      group.add(item);
      ungrouped.delete(item);
      own.forEach((key) => keys.add(key));
    }
    return [[first, ...items.filter((each) => group.has(each))]];
  });
}
