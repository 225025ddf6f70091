/**
 * Finds keys of broken promises, e.g. the answer that shows the promise broken. If two promises share a key, one change of the service
 * would mend both: `causes.ts` joins them. Pure.
 */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import { parseText } from '../../fixtures/exchange/memoize.ts';
import { ECHOES, ERROR_FORM } from '../../fixtures/interface/blame.ts';
import { isOfSuccess, LONE, NEW } from '../../fixtures/judgement/experiment.ts';
import { findDeparture, findError } from './departures.ts';
import type { Broken, RequirementResult } from './report-document.ts';
import { findShownExchange } from './shown-exchange.ts';

/**
 * Returns the keys of a result, e.g. `["changed","name",null]`. Results with a common key have one cause. The waiver ends each key, so
 * that a waived failure shares no cause with others; null: there is none.
 * @param isExplained true if another broken promise explains the result. Then the result has no key `opened`, because its explanation also
 * explains why the service lets the request in
 */
export function listCauseKeys(report: Broken, result: RequirementResult, isExplained: boolean): string[] {
  const { level, waiver } = result;
  const shown = findShownExchange(report, result);
  const status = findSuccessOfError(report, result);
  const error = findError(result, shown);
  const keys: readonly (readonly [kind: string, value: unknown])[] = [
    // The answer that shows the promise broken. It may show another promise broken too.
    ['answer', writeAnswerKey(result)],
    // The success status, e.g. 200, with which an operation sends an Error in place of its body.
    ['success-of-error', status === null ? null : [status, level]],
    // How an answer is wrong, e.g. 422 in place of 400.
    ['departure', findDeparture(result, shown)?.key],
    // The members of wrong Errors.
    ['error-form', findErrorForm(result, shown)],
    // The service lets a request in without the key, or with a wrong one.
    ['opened', isExplained ? null : findOpened(result)],
    // The member that does not keep its value.
    ['changed', findChangedMember(result)],
    // The status with which an operation refuses each request, e.g. 405.
    ['refused', findRefusal(report, result)],
    // The trait or situation that decides if the promise is broken, e.g. chance, other requests under way, or a header.
    ['decision', findSharedDecision(result)],
    // The error, e.g. `createPet 500 {"code":"db"}`, if no trait of the request is known to lead to it.
    ['error', mayBeOfAnyRequest(result) ? error : null],
    // `errors.no-server-error` takes the `answer` key of the promise that the same 500 broke, so both have one cause.
    ['answer', result.id === 'errors.no-server-error' ? findAnswerWithError(report, result, error) : null],
  ];
  return keys.filter(([, value]) => value != null).map((key) => JSON.stringify([...key, waiver]));
}

/**
 * Returns what decides if a promise is broken, if several promises may share it. `Decision` has an example of each kind of decision:
 * - `concurrency` gives `beside others`: it is broken only while other requests are under way.
 * - `chance` gives `others`.
 * - `history` gives its circumstance, e.g. `as each 5th request of a connection`; without a circumstance it gives `others`.
 * - `feature` gives `user-agent` or `a kept connection`: requests without this header, or on a new connection, do not break it.
 * Null for `always` and `unknown`, and if a value decides: two defects may show for one value, e.g. `limit=100`.
 */
export function findSharedDecision({ decision }: Pick<RequirementResult, 'decision'>): string | null {
  if (decision === undefined || ['always', 'unknown'].includes(decision.kind)) return null;
  const [first, ...afterFirst] = decision.experiments;
  if (decision.kind === 'concurrency') return 'beside others';
  // The first experiment is LONE (all traits, no other request under way) or a circumstance, e.g. `as each 5th request of a connection`.
  if (decision.kind !== 'feature')
    return first === undefined || first.without === LONE ? 'others' : shortenTrait(first.without);
  const traits = afterFirst.map(({ without }) => without);
  // True for a header or a connection: `a missing accept`, `accept: text/html`, `a kept connection`. False for a value: `limit=100`.
  const isOfAnyRequest = (trait: string) => /^(a (missing|kept|new) |\S+: )/.test(trait);
  return traits.every(isOfAnyRequest) ? traits.map(shortenTrait).join() : null;
}

/** Returns the name of the header that a trait is about; else the trait itself. Experiments call the first request of a connection NEW. */
function shortenTrait(trait: string): string {
  if (trait.startsWith('as the first request of a connection')) return NEW;
  // `accept` of `a missing accept`, `with no accept`, `accept: text/html`; `accept-encoding` of `with no br in its accept-encoding`.
  const match = /^(?:a missing |with (?:no |the header )?)?([a-z-]+)(?:: |$)| its ([a-z-]+)$/.exec(trait);
  return match?.[1] ?? match?.[2] ?? trait;
}

/**
 * True if any request may get the failure: if no trait of the request decides, if the plainest request of the operation fails each time,
 * or if nothing is known. Without the key (`promised` is 401), a service may fail before it reads the request.
 */
function mayBeOfAnyRequest({ id, statuses, decision }: RequirementResult): boolean {
  if (decision === undefined || decision.kind === 'unknown' || statuses?.promised === 401) return true;
  return decision.kind === 'always' ? isOfSuccess(id) : decision.kind !== 'feature';
}

/**
 * Returns the answer of the result, e.g. `createPet 405`, if the operation gives this answer each time to its plainest request. Else
 * returns null. The plainest request of createPet is the one of `create-pet.answers-201`.
 */
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

/** Returns the key of the answer that shows another failure with the same error; null if there is none. */
function findAnswerWithError(report: Broken, result: RequirementResult, error: string | null): string | null {
  const hasError = (each: RequirementResult) => findError(each, findShownExchange(report, each)) === error;
  const failures = report.requirements.filter((each) => each !== result && each.verdict === 'fail');
  const other = error === null ? undefined : failures.find(hasError);
  return other === undefined ? null : writeAnswerKey(other);
}

/** Returns the answer that shows a result as a key: with the wrong place, `["x531","/0/name"]`, else with expected and received. */
export function writeAnswerKey({ id, evidence, pointer, expected, received }: RequirementResult): string {
  const [shown] = evidence;
  if (shown === undefined) return id;
  return JSON.stringify(pointer ? [shown, pointer] : [shown, expected, received]);
}

/**
 * Returns `missing` if an operation succeeds without a key, `wrong` if it succeeds with a wrong key; else null. Operations with the same
 * word have one cause, because one check of the key often serves them all.
 */
function findOpened({ id, statuses }: RequirementResult): string | null {
  const [, kind] = /^authentication\.[a-z]+-pets?-(missing|wrong)-key$/.exec(id) ?? [];
  return kind === undefined || statuses === undefined || statuses.came >= 300 ? null : kind;
}

/**
 * Returns the member names of a wrong Error, e.g. `code,message`. Wrong Errors with the same members have one cause: one place in the
 * service writes them. Null if the result is not about the form of an Error.
 */
function findErrorForm(
  { id, statuses, pointer }: RequirementResult,
  shown: Evidence | undefined,
): string | null {
  // With `statuses` the status is wrong, not the form.
  const isOfForm = ERROR_FORMS.includes(id) && statuses === undefined;
  if (!isOfForm || shown?.response == null) return null;
  const value = parseText(shown.response.body);
  if (value == null || typeof value !== 'object') return `${pointer} no object`;
  return Object.keys(value).sort().join();
}

/** Promises about the form of an Error. `errors.status-equal` is about a value: the status in the body is the HTTP status. */
const ERROR_FORMS: readonly string[] = [
  ...ERROR_FORM.filter((each) => each !== 'errors.status-equal'),
  'errors.undocumented',
  'store-orders.error',
];

/**
 * Returns the member of an animal that does not keep its value, `name` or `categoryId`; null if the result is about something else.
 * Ids such as `create-pet.name-exact` name the member. For `get-pet.agrees-with-list` the pointer names it.
 */
function findChangedMember({ id, pointer }: RequirementResult): string | null {
  const pointed = id.includes('.agrees-with-') ? pointer?.split('/').at(-1) : undefined;
  // ECHOES has both members. The member `categoryId` is `category-id` in an id.
  const isOf = (member: string) =>
    id.endsWith(`${member.replace(/[A-Z]/g, '-$&').toLowerCase()}-exact`) || member === pointed;
  return Object.keys(ECHOES).find(isOf) ?? null;
}

/** Returns the status of the answer that shows the failure, if it is a success, e.g. 200, and its body is an Error; else null. */
export function findSuccessOfError(report: Broken, result: RequirementResult): number | null {
  const { status, body } = findShownExchange(report, result)?.response ?? { status: 500, body: '' };
  const { code, message } = (parseText(body) ?? {}) as Record<string, unknown>;
  return status < 300 && typeof code === 'string' && typeof message === 'string' ? status : null;
}
