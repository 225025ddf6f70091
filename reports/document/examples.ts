/** Chooses examples of a failure: the smallest exchange for each kind of request that fails. */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import type { Json } from '../../fixtures/exchange/json.ts';
import { parseText } from '../../fixtures/exchange/memoize.ts';
import { invalidBodyOf } from '../../fixtures/interface/request-oracle.ts';
import { isDeparting } from './departures.ts';
import type { RequirementResult } from './report-document.ts';
import { findShowing } from './shown-exchange.ts';

/**
 * Returns the exchanges that show a failure, the smallest of each kind. The exchange that shows the failure best comes first.
 */
export function chooseExamples(exchanges: readonly Evidence[], result: RequirementResult): Evidence[] {
  const best = findShowing(exchanges, result);
  if (best === undefined) return [];
  const others = exchanges
    .filter((each) => each !== best && isDeparting(result, each) === true)
    .toSorted((one, other) => computeSize(one) - computeSize(other));
  // Without `statuses`, the failure is about a member of the body. Every list shows it, so one exchange of each operation is
  // enough.
  const isOfMember = result.statuses === undefined;
  return keepFirstOfEach([best, ...others], isOfMember ? ({ operation }) => operation : describeExchangeKind);
}

/** Returns the first exchange of each kind. */
export function chooseOneOfEachKind(exchanges: readonly Evidence[]): Evidence[] {
  return keepFirstOfEach(exchanges, describeExchangeKind);
}

function keepFirstOfEach(exchanges: readonly Evidence[], keyOf: (exchange: Evidence) => string): Evidence[] {
  const firsts = new Map<string, Evidence>();
  for (const each of exchanges) if (!firsts.has(keyOf(each))) firsts.set(keyOf(each), each);
  return [...firsts.values()];
}

/** Describes the kind of request and the status of the answer. Values of one class have equal words, e.g. every limit. */
function describeExchangeKind({ operation, request, response }: Evidence): string {
  const { method, path, body, credential = 'key' } = request;
  const names = [...new URLSearchParams(path.split('?')[1] ?? '').keys()].sort();
  const asked = method === 'POST' && body !== null ? describeBodyKind(body) : names.join('&');
  const who = typeof credential === 'string' ? credential : 'other';
  return [operation, method, asked, who, response?.status].join(' ');
}

/** Names the flaw of a body, for example `create-pet.name-type: null`; of a body without a flaw, the types of its members. */
function describeBodyKind(text: string): string {
  return invalidBodyOf(text)?.kind ?? nameBodyTypes(text);
}

function nameBodyTypes(text: string): string {
  const value = parseText(text);
  if (value === undefined) return 'not JSON';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return nameJsonType(value);
  return Object.entries(value)
    .map(([name, each]) => `${name} ${nameJsonType(each)}`)
    .join();
}

function nameJsonType(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function computeSize({ request }: Evidence): number {
  return request.path.length + (request.body?.length ?? 0);
}
