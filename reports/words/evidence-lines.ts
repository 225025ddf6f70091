import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import { lasted } from './verdict-words.ts';
import type { Report } from '../document/report.ts';

/** A report has a thousand exchanges, and is asked for those of each requirement. */
const indexed = new WeakMap<Report['exchanges'], ReadonlyMap<string, Evidence>>();

/** The exchanges behind a result, in its order; ids that the report does not hold are left out. */
export function evidenceIn({ exchanges }: Report): (result: { evidence: readonly string[] }) => Evidence[] {
  const byId = indexed.get(exchanges) ?? new Map(exchanges.map((each) => [each.id, each]));
  indexed.set(exchanges, byId);
  return ({ evidence }) => evidence.flatMap((id) => byId.get(id) ?? []);
}

/** Method and path of a request: `GET /pets?limit=5`. */
export function requestLine({ request }: Evidence): string {
  return `${request.method} ${request.path}`;
}

/** How a request was authorized, if it was not by the key: `Authorization: (none sent)`. Null: by the key. */
export function keyLine({ request }: Evidence): string | null {
  const [, value] = request.headers.find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  if (value === undefined) return 'Authorization: (none sent)';
  return value === 'Bearer [key]' ? null : `Authorization: ${value}`;
}

/** How a request was answered: `200 OK after 12 ms`, or why it was not. */
export function answerLine({ response, error, durationMs }: Evidence): string {
  if (response === null) return `no answer${error === null ? '' : `: ${error.kind}, ${error.message}`}`;
  return `${`${response.status} ${response.statusText}`.trim()} after ${lasted(durationMs)}`;
}
