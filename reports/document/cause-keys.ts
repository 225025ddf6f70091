/** Names what two broken promises share if one change of the service would mend both, e.g. the wrong answer or its status. */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import { parseText } from '../../fixtures/exchange/memoize.ts';
import { ECHOES, ERROR_FORM } from '../../fixtures/interface/blame.ts';
import { isOfSuccess, LONE } from '../../fixtures/judgement/experiment.ts';
import { findDeparture, findError } from './departures.ts';
import type { Broken, RequirementResult } from './report-document.ts';
import { findShownExchange } from './shown-exchange.ts';

/**
 * Returns keys of a result, e.g. `["changed","name",null]`. Results with a common key have one cause. Each kind of key
 * names one thing that two results share. A waiver is a failure that the operator has accepted: it is a part of each key, so results
 * with different waivers have no key in common.
 */
export function listKeys(report: Broken, result: RequirementResult, isExplained: boolean): string[] {
  const { level, waiver } = result;
  const shown = findShownExchange(report, result);
  const status = findSuccessOfError(report, result);
  const error = findError(result, shown);
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
    // The error of any request.
    ['error', mayBeOfAnyRequest(result) ? error : null],
    // Every other failure with the same error explains the server error.
    ['answer', result.id === 'errors.no-server-error' ? findLeader(report, result, error) : null],
  ];
  return keys.filter(([, value]) => value != null).map((key) => JSON.stringify([...key, waiver]));
}

/**
 * Returns what decides if a promise is broken, as far as failures of several promises may share it.
 * - `beside others`: it is broken only while other requests are under way.
 * - `others`: it is broken by chance, or a repeat did not show it.
 * - `as each 5th request of a connection`: recorded answers show this circumstance.
 * - `user-agent: curl/8.5.0`, `a kept connection`: without these it is not broken.
 * Null for other traits, because two promises may be broken for one value, and if nothing is known to decide.
 */
export function findSharedDecision({ decision }: Pick<RequirementResult, 'decision'>): string | null {
  if (decision === undefined || ['always', 'unknown'].includes(decision.kind)) return null;
  // The first experiment sends the whole request alone, the others leave out a trait.
  const [first, ...others] = decision.experiments;
  if (decision.kind === 'concurrency') return 'beside others';
  if (decision.kind !== 'feature')
    return first === undefined || first.without === LONE ? 'others' : first.without;
  const names = others.map(({ without }) => without);
  return names.every((each) => /^(a missing |a kept |[\w-]+: )/.test(each)) ? names.join() : null;
}

/**
 * True if the failure may come for any request: it does not depend on the request alone, the plainest request gets it, or nothing is
 * known. Without the key, a service may fail before it reads the request.
 */
function mayBeOfAnyRequest({ id, statuses, decision }: RequirementResult): boolean {
  if (decision === undefined || decision.kind === 'unknown' || statuses?.promised === 401) return true;
  return decision.kind === 'always' ? isOfSuccess(id) : decision.kind !== 'feature';
}

/** Returns the operation and the status of the answer, if the operation refuses its plainest request with it each time. */
function findRefusal(report: Broken, result: RequirementResult): string | null {
  const nameAnswer = (each: RequirementResult) => {
    const { operation, response } = findShownExchange(report, each) ?? {};
    return response != null && response.status >= 400 ? `${operation} ${response.status}` : null;
  };
  const isRefused = report.requirements.some(
    (each) =>
      isOfSuccess(each.id) && each.decision?.kind === 'always' && nameAnswer(each) === nameAnswer(result),
  );
  return isRefused ? nameAnswer(result) : null;
}

/** Returns the answer that shows another broken promise with the same error, as a key. */
function findLeader(report: Broken, result: RequirementResult, error: string | null): string | null {
  const hasError = (each: RequirementResult) => findError(each, findShownExchange(report, each)) === error;
  const failures = report.requirements.filter((each) => each !== result && each.verdict === 'fail');
  const leader = error === null ? undefined : failures.find(hasError);
  return leader === undefined ? null : writeAnswerKey(leader);
}

/** Returns the answer that shows a result as a key: its id and a place in it, or its id with `expected` and `received`. */
export function writeAnswerKey({ id, evidence, pointer, expected, received }: RequirementResult): string {
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
const ERROR_FORMS: readonly string[] = [
  ...ERROR_FORM.filter((each) => each !== 'errors.status-equal'),
  ...['errors.undocumented', 'store-orders.error'],
];

/**
 * Returns the member of an animal that does not keep its value, `name` or `categoryId`; null if the result is about something else.
 * Ids such as `create-pet.name-exact` name the member. For `get-pet.agrees-with-list` the pointer names it.
 */
function findChangedMember({ id, pointer }: RequirementResult): string | null {
  const shown = id.includes('.agrees-with-') ? pointer?.split('/').at(-1) : undefined;
  // The member `categoryId` is `category-id` in an id.
  const isOf = (member: string) =>
    id.endsWith(`${member.replace(/[A-Z]/g, '-$&').toLowerCase()}-exact`) || member === shown;
  return Object.keys(ECHOES).find(isOf) ?? null;
}

/** Returns the status of the answer that shows the failure, if it is a success with an Error as its body; else null. */
export function findSuccessOfError(report: Broken, result: RequirementResult): number | null {
  const { status, body } = findShownExchange(report, result)?.response ?? { status: 500, body: '' };
  const { code, message } = (parseText(body) ?? {}) as Record<string, unknown>;
  return status < 300 && typeof code === 'string' && typeof message === 'string' ? status : null;
}
