/** Which exchange says most to a reader: the one that a failure is about, or the smallest one that shows a promise kept. */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import { layout } from './json-place.ts';
import type { RequirementResult } from './report.ts';

/** How many requests that were under way together one command sends. */
const MOST_TOGETHER = 8;
/** So many lone creations that were answered 201 say that it takes several at once to break the promise. */
const LONE = 3;

/** Whether the input is this request. It says the key before the body, and goes on with what is odd about it. */
export function showsInput(
  { request: { method, path, body } }: Evidence,
  { input }: Pick<RequirementResult, 'input'>,
): boolean {
  return `${input?.text} `.startsWith(`${method} ${path} `) && (input?.text.includes(body ?? '') ?? false);
}

/** What a result says of its failure. */
type Shown = Pick<RequirementResult, 'pointer' | 'received' | 'input'>;

/** The one exchange that the failure is about; undefined if there is no evidence. Of equal ones the first: others may be of other findings. */
export function showing(exchanges: readonly Evidence[], result: Shown): Evidence | undefined {
  const ranked = exchanges.map((exchange, index) => ({ exchange, index, rank: rankOf(exchange, result) }));
  return ranked.toSorted((left, right) => right.rank - left.rank || left.index - right.index)[0]?.exchange;
}

/** The smallest answer of those that show a promise kept. */
export function smallest(exchanges: readonly Evidence[]): Evidence | undefined {
  return exchanges.toSorted((left, right) => sizeOf(left) - sizeOf(right))[0];
}

/**
 * The creations that were under way together with the one that shows the failure, itself among them, in their order; empty
 * if it is not a matter of time: a lone creation shows it too, or too little is known of lone ones. Of a promise about
 * concurrency a list may show that it was broken: then the creations of its evidence are meant. Reads together are nothing
 * odd: the run always asks several things at once.
 * @param all every exchange of the report
 */
export function together(
  shown: Evidence,
  exchanges: readonly Evidence[],
  { id, ...result }: Shown & Pick<RequirementResult, 'id'>,
  all: readonly Evidence[],
): Evidence[] {
  const creations = creationsIn(exchanges);
  const isOfConcurrency = id.includes('concurrent');
  if (!isOfConcurrency && !needsCompany(shown, creations, result, creationsIn(all))) return [];
  const around = shown.request.method === 'POST' ? overlapping(creations, shown) : [];
  const others = isOfConcurrency ? creations.map((each) => overlapping(creations, each)) : [];
  const group = [around, ...others].find(({ length }) => length > 1) ?? [];
  return group.slice(0, MOST_TOGETHER);
}

/** Whether creations show the failure only together: none that shows it was alone, and several lone ones were answered 201. */
function needsCompany(
  shown: Evidence,
  creations: readonly Evidence[],
  result: Shown,
  all: readonly Evidence[],
): boolean {
  const rank = rankOf(shown, result);
  const showing = creations.filter((each) => rankOf(each, result) === rank);
  const isAlone = (each: Evidence) => overlapping(all, each).length === 1;
  const kept = all.filter(
    (each) => each.response?.status === 201 && isAlone(each) && !showing.includes(each),
  );
  return showing.length > 1 && !showing.some(isAlone) && kept.length >= LONE;
}

function creationsIn(exchanges: readonly Evidence[]): Evidence[] {
  return exchanges
    .filter(({ request }) => request.method === 'POST')
    .toSorted((left, right) => spanOf(left)[0] - spanOf(right)[0]);
}

/** Those that were under way at the same time as this one, itself among them. */
function overlapping(creations: readonly Evidence[], one: Evidence): Evidence[] {
  const [begin, end] = spanOf(one);
  return creations.filter((each) => spanOf(each)[0] < end && spanOf(each)[1] > begin);
}

/** How surely an exchange shows what was received: it is the input that is shown, its place holds it, it has the place, its status is shown. */
function rankOf(exchange: Evidence, { pointer, received, input }: Shown): number {
  const { response, error } = exchange;
  const shown = received ?? '';
  if (showsInput(exchange, { input })) return 5;
  if (response === null) return error !== null && shown.includes(error.message) ? 4 : 0;
  const value = valueAt(pointer, response.body);
  if (value !== null) return value !== '' && shown.includes(value) ? 4 : 3;
  return new RegExp(`\\b${response.status}\\b`).test(shown) ? 2 : 1;
}

/** What is at a place within a body; null if it has no such place. The whole body is not a place: every answer has one. */
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
