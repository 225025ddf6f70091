/**
 * Groups failures and warnings by their cause: promises that one change of the service would mend. Every report counts and
 * shows causes. The cause that explains most comes first.
 */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import { parseText } from '../../fixtures/exchange/memoize.ts';
import { ECHOES } from '../../fixtures/interface/blame.ts';
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import { KEPT, LONE, type Decision } from '../../fixtures/judgement/experiment.ts';
import { attribute } from '../../fixtures/judgement/attribute.ts';
import { describeBroken, describeErrorsSent } from './reasons/broken.ts';
import { findDeparture, findServerError, type Departure } from './departures.ts';
import type { Report, RequirementResult } from './report-document.ts';
import { chooseExamples, findShowing } from './shown-exchange.ts';

/** Results that one cause explains. The cause takes its name from the first result. */
export type Cause = readonly [first: RequirementResult, ...others: RequirementResult[]];

/** The parts of a report in which causes are looked for. */
export interface Broken extends Pick<Report, 'requirements' | 'exchanges'> {
  run: Pick<Report['run'], 'strict'>;
}

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
 * Else they are about the first promise.
 */
export function describeCause(report: Broken, cause: Cause): string {
  const [first] = cause;
  const status = findSharedSuccessOfErrors(report, cause);
  if (status !== null) return describeErrorsSent(status);
  return findCommonDeparture(report, cause)?.words ?? describeBroken(first);
}

/** Returns the departure of the first result, if a result about another answer has the same departure. */
function findCommonDeparture(report: Broken, cause: Cause): Departure | null {
  const [first, ...others] = cause.map((each) => ({
    answer: writeAnswerKey(each),
    departure: findDeparture(each, findShownExchange(report, each)),
  }));
  const isShared = others.some(
    ({ answer, departure }) => answer !== first?.answer && departure?.key === first?.departure?.key,
  );
  return isShared ? (first?.departure ?? null) : null;
}

/** Returns the exchanges that show a cause: for each promise the smallest exchange of each kind that failed. */
export function findExamples({ exchanges }: Pick<Report, 'exchanges'>, cause: Cause): Evidence[] {
  const byId = new Map(exchanges.map((each) => [each.id, each]));
  const all = cause.flatMap((each) =>
    chooseExamples(
      each.evidence.flatMap((id) => byId.get(id) ?? []),
      each,
    ),
  );
  return [...new Set(all)];
}

/**
 * Returns a function that names the broken promises behind an undecided requirement. If an undecided promise is one of them,
 * its own blockers are named in its place, unless the way leads in a circle (`seen`). The list is empty if the requirement has
 * another reason, and for reports before version 4, which lack the reason as data.
 */
export function findBlockers(
  requirements: Broken['requirements'],
): (result: Pick<RequirementResult, 'cause'>) => string[] {
  const byId = new Map(requirements.map((each) => [each.id, each]));
  const findRoots = (id: string, seen: readonly string[]): string[] => {
    const blocker = byId.get(id);
    if (blocker?.verdict !== 'inconclusive' || seen.includes(id)) return [id];
    const further = listDirectBlockers(blocker);
    return further.length === 0 ? [id] : further.flatMap((each) => findRoots(each, [...seen, id]));
  };
  return (result) => [...new Set(listDirectBlockers(result).flatMap((id) => findRoots(id, [])))];
}

function listDirectBlockers({ cause }: Pick<RequirementResult, 'cause'>): string[] {
  return cause?.requirement === undefined ? [] : [cause.requirement, ...(cause.also ?? [])];
}

/** Caches the causes: a page asks for the causes of one report for each card. */
const keptCauses = new WeakMap<Broken['requirements'], { exchanges: Broken['exchanges']; causes: Cause[] }>();

function getCauses(report: Broken): Cause[] {
  const known = keptCauses.get(report.requirements);
  if (known?.exchanges === report.exchanges) return known.causes;
  const causes = findCauses(report);
  keptCauses.set(report.requirements, { exchanges: report.exchanges, causes });
  return causes;
}

function findCauses(report: Broken): Cause[] {
  const broken = report.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const sorted = sortResults(report, broken);
  const explained = findExplainers(broken);
  const isExplained = ({ id }: RequirementResult) => explained.get(id)?.length !== 0;
  const numbers = joinConsequences(
    joinByKeys(sorted, (each) => listKeys(report, each, isExplained(each))),
    explained,
  );
  const causes = joinByKeys(sorted, ({ id }) => [String(numbers.get(id))]);
  return joinServerErrors(report, causes);
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
  const numbers = new Map(causes.flatMap((cause, number) => cause.map(({ id }) => [id, number])));
  const waiverOf = (number: number | undefined) => JSON.stringify(causes[number ?? -1]?.[0].waiver);
  const joinOne = () =>
    [...numbers].some(([id, own]) => {
      const [cause, ...others] = new Set(explained.get(id)?.map((each) => numbers.get(each)));
      if (cause === undefined || others.length > 0 || cause === own) return false;
      // A waiver is a failure that the operator has accepted.
      if (waiverOf(cause) !== waiverOf(own)) return false;
      for (const [each, number] of numbers) if (number === own) numbers.set(each, cause);
      return true;
    });
  while (joinOne());
  return numbers;
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
  const explained = attribute(broken.map(({ id }) => id));
  return new Map(
    [...explained].map(([id, explainers]) => [
      id,
      isAboutShownValue(id) ? explainers.filter((each) => !refusedOtherwise.has(each)) : explainers,
    ]),
  );
}

/**
 * Joins failures with a server error to a cause that has the same one: errors.no-server-error, requests without the key, and
 * requests that no experiment may repeat and that have the trait that decides.
 */
function joinServerErrors(report: Broken, causes: readonly Cause[]): Cause[] {
  const findErrors = (cause: Cause) =>
    cause.flatMap((result) => findServerError(findShownExchange(report, result)) ?? []);
  const isUndocumented = ([{ id }]: Cause) => id === 'errors.no-server-error';
  const isUnkeyed = ([{ statuses }]: Cause) => statuses?.promised === 401;
  const findLeader = (cause: Cause) => {
    const [first] = cause;
    const errors = findErrors(cause);
    if (first.waiver !== null || errors.length === 0) return undefined;
    if (!isUndocumented(cause) && !isUnkeyed(cause) && first.decision !== undefined) return undefined;
    return causes.find(
      (leader) =>
        leader !== cause &&
        leader[0].waiver === null &&
        !isUndocumented(leader) &&
        !isUnkeyed(leader) &&
        (isUndocumented(cause) ||
          leader.some((each) => isOfAnyRequest(each) || hasTrait(findShownExchange(report, first), each))) &&
        findErrors(leader).some((error) => errors.includes(error)),
    );
  };
  const leaders = new Map(causes.map((cause) => [cause, findLeader(cause)]));
  const findLast = (cause: Cause) => {
    const leader = leaders.get(cause);
    return leader && (leaders.get(leader) ?? leader);
  };
  return causes
    .filter((each) => leaders.get(each) === undefined)
    .map((each) => [...each, ...causes.filter((other) => findLast(other) === each).flat()]);
}

/** True if the request has the headers, or lacks them, that decide about the result. */
function hasTrait(shown: Evidence | undefined, { decision }: RequirementResult): boolean {
  const headers = shown?.request.headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`) ?? [];
  const traits = decision?.kind === 'feature' ? decision.experiments.slice(1) : [];
  const isSent = (trait: string) =>
    trait === KEPT ||
    headers.includes(trait.startsWith('a missing ') ? `${trait.slice('a missing '.length)}: ` : trait);
  return traits.length > 0 && traits.every(({ without }) => isSent(without));
}

/** True if the failure does not depend on the request alone, or comes for the plainest request. */
function isOfAnyRequest({ id, decision }: RequirementResult): boolean {
  const isPlain = id.includes('.answers-20') && decision?.kind === 'always';
  return isPlain || (decision !== undefined && ['chance', 'concurrency', 'history'].includes(decision.kind));
}

/**
 * Returns keys of a result, e.g. `["changed","name",null]`. Results with a common key have one cause. Each kind of key
 * names one thing that two results share. A waiver is a failure that the operator has accepted: it is a part of each key, so results
 * with different waivers have no key in common.
 */
function listKeys(report: Broken, result: RequirementResult, isExplained: boolean): string[] {
  const { level, waiver } = result;
  const shown = findShownExchange(report, result);
  const status = findSuccessOfError(report, result);
  const keys: readonly (readonly [kind: string, value: unknown])[] = [
    // The answer that shows both promises broken.
    ['answer', writeAnswerKey(result)],
    // The status under which two operations send an Error, e.g. 200.
    ['success-of-error', status === null ? null : [status, level]],
    // The way in which two answers are wrong, e.g. 422 in place of 400.
    ['departure', findDeparture(result, shown)?.key],
    // The members of wrong Errors.
    ['error-form', findErrorForm(result, shown)],
    // The check of the key that is missing. If another promise explains the result, the missing check is the other's.
    ['opened', isExplained ? null : findOpened(result)],
    // The member that does not keep its value.
    ['changed', findChangedMember(result)],
    // The status that an operation gives to each request, e.g. 405.
    ['refused', findRefusal(report, result)],
    // Chance, other requests under way, or a header.
    ['decision', findSharedDecision(result)],
  ];
  return keys.filter(([, value]) => value != null).map((key) => JSON.stringify([...key, waiver]));
}

/**
 * Returns the decision that failures of several promises share: headers, a kept connection, or what comes before or beside the
 * request (`others`). Null for other traits, because two promises may be broken for one value.
 */
function findSharedDecision({ decision }: RequirementResult): string | null {
  if (decision === undefined || decision.kind === 'always') return null;
  const [, ...others] = decision.experiments;
  if (decision.kind !== 'feature') return nameSharedSituation(decision);
  const names = others.map(({ without }) => without);
  return names.every((each) => /^(a missing |a kept |[\w-]+: )/.test(each)) ? names.join() : null;
}

/** Returns the circumstance that recorded answers show; `others` for chance, and for requests before or beside the failed one. */
function nameSharedSituation({ kind, experiments: [first, ...others] }: Decision): string | null {
  if (first !== undefined && first.without !== LONE) return first.without;
  return kind !== 'history' || others.some(({ wrong }) => wrong > 0) ? 'others' : null;
}

/** Returns the operation and the status of the answer, if the operation refuses its plainest request with it each time. */
function findRefusal(report: Broken, result: RequirementResult): string | null {
  const nameAnswer = (each: RequirementResult) => {
    const { operation, response } = findShownExchange(report, each) ?? {};
    return response != null && response.status >= 400 ? `${operation} ${response.status}` : null;
  };
  const isRefused = report.requirements.some(
    (each) =>
      each.id.includes('.answers-20') &&
      each.decision?.kind === 'always' &&
      nameAnswer(each) === nameAnswer(result),
  );
  return isRefused ? nameAnswer(result) : null;
}

/** Returns the evidence of a result as a key: an answer and a place in it, or an answer with `expected` and `received`. */
function writeAnswerKey({ id, evidence, pointer, expected, received }: RequirementResult): string {
  const [shown] = evidence;
  if (shown === undefined) return id;
  return JSON.stringify(pointer ? [shown, pointer] : [shown, expected, received]);
}

/**
 * Returns `missing` or `wrong` if an operation succeeds without a key or with a wrong one. Results about several operations with
 * the same word have one cause: one check is missing.
 */
function findOpened({ id, statuses }: RequirementResult): string | null {
  const [, kind] = /^authentication\.[a-z]+-pets?-(missing|wrong)-key$/.exec(id) ?? [];
  return kind === undefined || statuses === undefined || statuses.came >= 300 ? null : kind;
}

/**
 * Returns the member names of an Error with a wrong form, for example `code,message`. Wrong Errors with the same members have
 * one cause: one piece of the service's code writes them. Null if the result is not about the form of an Error.
 */
function findErrorForm(
  { id, statuses, pointer }: RequirementResult,
  shown: Evidence | undefined,
): string | null {
  if (!ERROR_FORMS.includes(id) || statuses !== undefined || shown?.response == null) return null;
  const value = parseText(shown.response.body);
  const isNoObject = value === undefined || value === null || typeof value !== 'object';
  return isNoObject ? `${pointer} no object` : Object.keys(value).sort().join();
}

/** Promises about the form of an Error. */
const ERROR_FORMS = [
  'errors.json',
  'errors.media-type',
  'errors.undocumented',
  'store-orders.error',
  'errors.code',
  'errors.message',
  'errors.status',
];

/**
 * Returns the member of an animal that does not keep its value, `name` or `categoryId`; null if the result is about
 * something else.
 */
function findChangedMember({ id, pointer }: RequirementResult): string | null {
  const shown = id.includes('.agrees-with-') ? pointer?.split('/').at(-1) : undefined;
  // The member `categoryId` is `category-id` in an id.
  const isOf = (member: string) =>
    id.endsWith(`${member.replace(/[A-Z]/g, '-$&').toLowerCase()}-exact`) || member === shown;
  return Object.keys(ECHOES).find(isOf) ?? null;
}

/**
 * Sorts results by these questions, in turn: Has it no waiver? Is it a must? Is it no server error without the key? Is it about any request, if
 * others decide? Does no other broken promise explain it? Is it a core
 * promise? How many requirements does it keep undecided? How many tests found it broken?
 */
function sortResults(report: Broken, results: readonly RequirementResult[]): RequirementResult[] {
  const { requirements } = report;
  const blocked = new Map<string, number>();
  for (const id of requirements.flatMap(findBlockers(requirements)))
    blocked.set(id, (blocked.get(id) ?? 0) + 1);
  const broken = new Set(results.map(({ id }) => id));
  const explained = findExplainers(results);
  // Results are compared by these numbers in turn; the higher number comes first. The comment of the function names them.
  const weigh = (result: RequirementResult) => {
    const { id, level, waiver, tests, statuses } = result;
    const isServerError = statuses?.promised === 401 && statuses.came >= 500;
    return [
      Number(waiver === null),
      Number(level === 'must'),
      Number(!isServerError),
      Number(findSharedDecision(result) !== 'others' || id.includes('.answers-20')),
      Number(!explained.get(id)?.length && !isCausedByStoredValue(report, result, broken)),
      Number(REQUIREMENTS[id]?.core === true),
      blocked.get(id) ?? 0,
      tests.length,
    ];
  };
  return results.toSorted((one, other) => {
    const [left, right] = [weigh(one), weigh(other)];
    const place = left.findIndex((weight, index) => weight !== right[index]);
    return place === -1 ? 0 : (right[place] ?? 0) - (left[place] ?? 0);
  });
}

/** Promises that a value is refused: a service that accepts such a value stores it, and may fail at each later read. */
const PROMISES_ABOUT_REFUSED_VALUES = [
  'create-pet.category-id-range',
  'create-pet.client-id',
  'create-pet.broken-characters',
  'create-pet.name-type',
];
const READ_PROMISES = [
  'list-pets.answers-200',
  'list-pets.limit-accepted',
  'list-pets.status-accepted',
  'get-pet.answers-200',
];

/**
 * True if a read failed with a server error because of a stored value: other reads of the operation succeed, and the service
 * accepted a value that may break reads (`PROMISES_ABOUT_REFUSED_VALUES`).
 */
function isCausedByStoredValue(
  { exchanges }: Broken,
  { id, operation, statuses }: RequirementResult,
  broken: ReadonlySet<string>,
): boolean {
  return (
    READ_PROMISES.includes(id) &&
    (statuses?.came ?? 0) >= 500 &&
    PROMISES_ABOUT_REFUSED_VALUES.some((each) => broken.has(each)) &&
    exchanges.some((each) => each.operation === operation && each.response?.status === 200)
  );
}

/** Returns the status, for example 200, if at least two answers of the cause have an Error under this status of success; else null. */
function findSharedSuccessOfErrors(report: Broken, cause: Cause): number | null {
  const [first, ...others] = cause;
  const status = findSuccessOfError(report, first);
  const isShared = others.some(
    (each) => findSuccessOfError(report, each) === status && writeAnswerKey(each) !== writeAnswerKey(first),
  );
  return isShared ? status : null;
}

/**
 * Returns the status of the answer that shows the failure, if it is a success with an Error as its body; null
 * otherwise.
 */
function findSuccessOfError(report: Broken, result: RequirementResult): number | null {
  const { response = null } = findShownExchange(report, result) ?? {};
  return response !== null && response.status < 300 && hasError(response) ? response.status : null;
}

function findShownExchange({ exchanges }: Broken, result: RequirementResult): Evidence | undefined {
  return findShowing(
    exchanges.filter(({ id }) => result.evidence.includes(id)),
    result,
  );
}

function hasError(response: NonNullable<Evidence['response']>): boolean {
  const { code, message } = (parseText(response.body) ?? {}) as Record<string, unknown>;
  return typeof code === 'string' && typeof message === 'string';
}

/**
 * Groups items that share a key, directly or through other items of the group: if one item has the keys a and b, items with a
 * and items with b are in one group. Groups and their items keep their order.
 */
function joinByKeys<T>(items: readonly T[], listKeysOf: (item: T) => readonly string[]): [T, ...T[]][] {
  const left = new Map(items.map((item) => [item, listKeysOf(item)]));
  return items.flatMap((first): [T, ...T[]][] => {
    const keys = new Set(left.get(first));
    if (!left.delete(first)) return [];
    const group = new Set<T>();
    // Each pass adds items that share a key with the group. It ends when a pass adds none; -1 makes the first pass run.
    for (let size = -1; size < group.size;) {
      size = group.size;
      for (const [item, own] of left) {
        if (!own.some((key) => keys.has(key))) continue;
        group.add(item);
        left.delete(item);
        own.forEach((key) => keys.add(key));
      }
    }
    return [[first, ...items.filter((each) => group.has(each))]];
  });
}
