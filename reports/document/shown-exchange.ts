/** Which exchange tells a reader most: the smallest one that shows the failure, or that shows a promise kept. */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import { layout } from './json-place.ts';
import type { RequirementResult } from './report.ts';

/** How many requests that were under way together one command sends. */
const MOST_TOGETHER = 8;

/** The one exchange that shows the failure; undefined where there is no evidence. */
export function showing(
  exchanges: readonly Evidence[],
  result: Pick<RequirementResult, 'pointer' | 'received'>,
): Evidence | undefined {
  const ranked = exchanges.map((exchange, index) => ({ exchange, index, rank: rankOf(exchange, result) }));
  return ranked.toSorted(
    (left, right) =>
      right.rank - left.rank || sizeOf(left.exchange) - sizeOf(right.exchange) || left.index - right.index,
  )[0]?.exchange;
}

/** The smallest answer of those that show a promise kept. */
export function smallest(exchanges: readonly Evidence[]): Evidence | undefined {
  return exchanges.toSorted((left, right) => sizeOf(left) - sizeOf(right))[0];
}

/**
 * The creations that were under way together with the one that shows the failure, itself among them, in their order; empty
 * where it was alone. Of a promise about concurrency a list may show that it was broken: then the creations of its evidence
 * are meant. Reads together are nothing odd: the run always asks several things at once.
 */
export function together(
  shown: Evidence,
  exchanges: readonly Evidence[],
  { id }: Pick<RequirementResult, 'id'>,
): Evidence[] {
  const creations = exchanges
    .filter(({ request }) => request.method === 'POST')
    .toSorted((left, right) => spanOf(left)[0] - spanOf(right)[0]);
  const overlapping = ([begin, end]: Span) =>
    creations.filter((each) => spanOf(each)[0] < end && spanOf(each)[1] > begin);
  const around = shown.request.method === 'POST' ? overlapping(spanOf(shown)) : [];
  const others = id.includes('concurrent') ? creations.map((each) => overlapping(spanOf(each))) : [];
  const group = [around, ...others].find(({ length }) => length > 1) ?? [];
  return group.slice(0, MOST_TOGETHER);
}

/** How surely an exchange shows what was received: its place holds it, it has the place, its status is told. */
function rankOf(
  { response, error }: Evidence,
  { pointer, received }: Pick<RequirementResult, 'pointer' | 'received'>,
): number {
  const told = received ?? '';
  if (response === null) return error !== null && told.includes(error.message) ? 4 : 0;
  const value = valueAt(pointer, response.body);
  if (value !== null) return value !== '' && told.includes(value) ? 4 : 3;
  return new RegExp(`\\b${response.status}\\b`).test(told) ? 2 : 1;
}

/** What stands at a place within a body; null where it has no such place. The whole body is no place: every answer has one. */
function valueAt(pointer: string | null, body: string): string | null {
  if (pointer === '') return null;
  const { place } = layout(body, pointer);
  return place?.exact ? body.slice(place.start, place.end) : null;
}

function sizeOf({ request, response }: Evidence): number {
  return (request.body?.length ?? 0) + (response?.bytes ?? 0) + request.path.length;
}

type Span = [begin: number, end: number];

function spanOf({ startedAt, durationMs }: Evidence): Span {
  const begin = Date.parse(startedAt);
  return [begin, begin + durationMs];
}
