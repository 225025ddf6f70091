/**
 * Chooses the exchanges that a report shows. For a failure: the one that shows it best, and the smallest of each other kind of request
 * that fails. For a pass: the smallest one. Pure.
 */
import { plainPath } from '../../fixtures/interface/plain-path.ts';
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import { memoizeByObject } from '../../fixtures/exchange/memoize.ts';
import { explainInvalidBody } from '../../fixtures/interface/request-oracle.ts';
import { keepFirsts } from '../../fixtures/judgement/finding.ts';
import { isDeparting } from './departures.ts';
import type { Broken, RequirementResult } from './report-document.ts';

/** The most concurrent requests that one command sends. */
const MOST_TOGETHER = 8;

/** Returns the exchanges by id. Each requirement asks for it, so the Map is kept while the list has the same length. */
const indexById = memoizeByObject(
  (exchanges: Evidence[]) => new Map(exchanges.map((each) => [each.id, each])),
  ({ length }) => length,
);

/** Returns the exchanges of a result in its order. Ids that the report lacks are left out. */
export function listEvidence(
  { exchanges }: Pick<Broken, 'exchanges'>,
  { evidence }: Pick<RequirementResult, 'evidence'>,
): Evidence[] {
  const byId = indexById(exchanges);
  return evidence.flatMap((id) => byId.get(id) ?? []);
}

/** Returns the exchange that shows a result: the first one, which has the wrong answer. Undefined if the report has none. */
export function findShownExchange(report: Broken, result: RequirementResult): Evidence | undefined {
  return listEvidence(report, result)[0];
}

/**
 * Returns the exchanges that show a failure: first the one that shows it best, then the smallest of each other kind of request. Each of
 * them alone breaks the promise, e.g. with a wrong status.
 */
export function chooseExamples(exchanges: readonly Evidence[], result: RequirementResult): Evidence[] {
  const [best] = exchanges;
  if (best === undefined) return [];
  const others = exchanges
    .filter((each) => each !== best && isDeparting(result, each))
    .toSorted((one, other) => computeSize(one) - computeSize(other));
  // Without `statuses`, the failure is about a member of the body. Every list shows it: one exchange of each operation is enough.
  const isOfMember = result.statuses === undefined;
  return keepFirsts([best, ...others], isOfMember ? ({ operation }) => operation : describeExchangeKind);
}

/**
 * Returns the exchange with the plainest request: its path is spelled as usual (else it counts as 100 headers), it has no wrong key (10
 * headers), and the fewest headers. The suite sends fewer headers than the clients that it imitates.
 * @param repeated method and path of the request that an experiment repeated: an exchange with it comes first
 */
export function findPlainest(exchanges: readonly Evidence[], repeated?: string): Evidence | undefined {
  const weigh = ({ request: { method, headers, path, credential } }: Evidence) =>
    headers.length -
    (`${method} ${path}` === repeated ? 1_000 : 0) +
    (path === plainPath(path) ? 0 : 100) +
    (typeof credential === 'object' ? 10 : 0);
  return exchanges.toSorted((left, right) => weigh(left) - weigh(right))[0];
}

/** Returns the exchange with the smallest request and answer. */
export function findSmallest(exchanges: readonly Evidence[]): Evidence | undefined {
  return exchanges.toSorted((left, right) => computeSize(left) - computeSize(right))[0];
}

/**
 * Returns the createPets that must be sent together to show the failure again, in their order; empty if one request is enough.
 * 1. Two createPets got one identifier: all createPets of the evidence, also if they were sent one after the other.
 * 2. Experiments have shown that the failure needs several requests: `shown`, and the createPets that were under way with it.
 * 3. The promise is about concurrency: as in 2; else, e.g. if `shown` is a list, the first createPets that were under way together.
 * @param exchanges the evidence of the result
 */
export function findTogether(
  shown: Evidence,
  exchanges: readonly Evidence[],
  { id, decision }: Pick<RequirementResult, 'id' | 'decision'>,
): Evidence[] {
  const creations = listCreations(exchanges);
  if (/^create-pet\.(unique-id|equal-pets)$/.test(id) && creations.length > 1)
    return creations.slice(0, MOST_TOGETHER);
  const isOfConcurrency = id.includes('concurrent');
  if (!isOfConcurrency && decision?.kind !== 'concurrency') return [];
  const around = shown.request.method === 'POST' ? findOverlapping(creations, shown) : [];
  const others = isOfConcurrency ? creations.map((each) => findOverlapping(creations, each)) : [];
  const group = [around, ...others].find(({ length }) => length > 1) ?? [];
  return group.slice(0, MOST_TOGETHER);
}

function listCreations(exchanges: readonly Evidence[]): Evidence[] {
  return exchanges
    .filter(({ request }) => request.method === 'POST')
    .toSorted((left, right) => computeTimes(left)[0] - computeTimes(right)[0]);
}

/** Returns the creations that were under way at the same time as this one, which is among them. */
function findOverlapping(creations: readonly Evidence[], exchange: Evidence): Evidence[] {
  const [begin, end] = computeTimes(exchange);
  return creations.filter((each) => computeTimes(each)[0] < end && computeTimes(each)[1] > begin);
}

function computeSize({ request, response }: Evidence): number {
  return (request.body?.length ?? 0) + (response?.bytes ?? 0) + request.path.length;
}

/** Returns when the exchange began and ended. */
function computeTimes({ startedAt, durationMs }: Evidence): [begin: number, end: number] {
  const begin = Date.parse(startedAt);
  return [begin, begin + durationMs];
}

/** Describes the kind of an exchange, e.g. `listPets GET limit&status key 200`. Values make no kind of their own, e.g. each limit. */
export function describeExchangeKind({ operation, request, response }: Evidence): string {
  const { method, path, body, credential = 'key' } = request;
  const names = [...new URLSearchParams(path.split('?')[1] ?? '').keys()].sort();
  const asked =
    method === 'POST' && body !== null ? (explainInvalidBody(body)?.kind ?? 'valid') : names.join('&');
  const who = typeof credential === 'string' ? credential : 'other';
  return [operation, method, asked, who, response?.status].join(' ');
}
