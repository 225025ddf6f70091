/**
 * Chooses the exchange to show: the one that a failure is about, or the smallest one that shows that a promise
 * was kept.
 */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import { layOutJson } from './json-place.ts';
import type { RequirementResult } from './report-document.ts';

/** The most concurrent requests that one command sends. */
const MOST_TOGETHER = 8;
/** This many creations that were sent alone and got 201 show that the failure needs concurrent creations. */
const LONE = 3;

/**
 * True if the request is the generated input of the result. The text of an input begins with method and path;
 * the key and the oddness of the request follow.
 */
export function isShowingInput(
  { request: { method, path, body } }: Evidence,
  { input }: Pick<RequirementResult, 'input'>,
): boolean {
  return `${input?.text} `.startsWith(`${method} ${path} `) && (input?.text.includes(body ?? '') ?? false);
}

/** The members of a result that describe its failure. */
type Shown = Pick<RequirementResult, 'pointer' | 'received' | 'input'>;

/**
 * Returns the one exchange that a failure is about; undefined without evidence. If several fit equally, the
 * first one: later ones may belong to other findings.
 */
export function findShowing(exchanges: readonly Evidence[], result: Shown): Evidence | undefined {
  const ranked = exchanges.map((exchange, index) => ({
    exchange,
    index,
    rank: rankExchange(exchange, result),
  }));
  return ranked.toSorted((left, right) => right.rank - left.rank || left.index - right.index)[0]?.exchange;
}

/** Returns the exchange with the smallest request and answer. */
export function findSmallest(exchanges: readonly Evidence[]): Evidence | undefined {
  return exchanges.toSorted((left, right) => sizeOf(left) - sizeOf(right))[0];
}

/**
 * Returns the creations that ran at the same time as the shown one, itself included, in their order. Empty if
 * time does not matter: a lone creation shows the failure too, or too few lone creations are known. For a
 * promise about concurrency a list may show the failure: then any creations of its evidence that overlap are
 * returned. Reads are never returned: every run reads concurrently.
 * @param all every exchange of the report
 */
export function findTogether(
  shown: Evidence,
  exchanges: readonly Evidence[],
  { id, ...result }: Shown & Pick<RequirementResult, 'id'>,
  all: readonly Evidence[],
): Evidence[] {
  const creations = listCreations(exchanges);
  const isOfConcurrency = id.includes('concurrent');
  if (!isOfConcurrency && !isShownOnlyTogether(shown, creations, result, listCreations(all))) return [];
  const around = shown.request.method === 'POST' ? findOverlapping(creations, shown) : [];
  const others = isOfConcurrency ? creations.map((each) => findOverlapping(creations, each)) : [];
  const group = [around, ...others].find(({ length }) => length > 1) ?? [];
  return group.slice(0, MOST_TOGETHER);
}

/** True if creations show the failure only together: no lone creation shows it, and several lone ones got 201. */
function isShownOnlyTogether(
  shown: Evidence,
  creations: readonly Evidence[],
  result: Shown,
  all: readonly Evidence[],
): boolean {
  const rank = rankExchange(shown, result);
  const showing = creations.filter((each) => rankExchange(each, result) === rank);
  const isAlone = (each: Evidence) => findOverlapping(all, each).length === 1;
  const kept = all.filter(
    (each) => each.response?.status === 201 && isAlone(each) && !showing.includes(each),
  );
  return showing.length > 1 && !showing.some(isAlone) && kept.length >= LONE;
}

function listCreations(exchanges: readonly Evidence[]): Evidence[] {
  return exchanges
    .filter(({ request }) => request.method === 'POST')
    .toSorted((left, right) => computeSpan(left)[0] - computeSpan(right)[0]);
}

/** Returns the creations that ran at the same time as `one`, itself included. */
function findOverlapping(creations: readonly Evidence[], one: Evidence): Evidence[] {
  const [begin, end] = computeSpan(one);
  return creations.filter((each) => computeSpan(each)[0] < end && computeSpan(each)[1] > begin);
}

/** Received where a member was missing: the answer that lacks it shows that. */
const ABSENT: readonly string[] = ['absent', 'nothing'];

/**
 * How surely an exchange shows what was received.
 * 5: it is the generated input.
 * 4: the text holds the value at the pointer, or the error.
 * 3: it has the place.
 * 2: the text holds its status.
 * 1: it has an answer.
 * 0: it has none.
 */
function rankExchange(exchange: Evidence, result: Shown): number {
  const { response, error } = exchange;
  const shown = result.received ?? '';
  if (isShowingInput(exchange, result)) return 5;
  if (response === null) return error !== null && shown.includes(error.message) ? 4 : 0;
  return rankAnswer(response, result.pointer, shown);
}

function rankAnswer(
  { status, body }: NonNullable<Evidence['response']>,
  pointer: string | null,
  shown: string,
): number {
  const value = findValueText(pointer, body);
  if (pointer && ABSENT.includes(shown)) return value === null && status < 300 ? 4 : 1;
  if (value !== null) return value !== '' && shown.includes(value) ? 4 : 3;
  return new RegExp(`\\b${status}\\b`).test(shown) ? 2 : 1;
}

/** Returns the value at a place within a body; null if the body lacks the place, or if `pointer` is `''`, the whole body. */
function findValueText(pointer: string | null, body: string): string | null {
  if (pointer === '') return null;
  const { place } = layOutJson(body, pointer);
  return place?.exact ? body.slice(place.start, place.end) : null;
}

function sizeOf({ request, response }: Evidence): number {
  return (request.body?.length ?? 0) + (response?.bytes ?? 0) + request.path.length;
}

type Span = [begin: number, end: number];

function computeSpan({ startedAt, durationMs }: Evidence): Span {
  const begin = Date.parse(startedAt);
  return [begin, begin + durationMs];
}
