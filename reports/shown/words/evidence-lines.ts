/** Writes the parts of a recorded exchange (request and answer) in a line each. */
import { findHeader, type Evidence } from '../../../fixtures/exchange/exchange.ts';
import { writeDuration } from './verdict-words.ts';

export const NO_CREDENTIAL = '(none sent)';

/** Returns method and path of a request: `GET /pets?limit=5`. */
export function writeRequestLine({ request }: Evidence): string {
  return `${request.method} ${request.path}`;
}

/** Describes a credential other than the key: `Authorization: (none sent)`. Null if the request carries the key. */
export function writeKeyLine(request: Pick<Evidence['request'], 'headers'>): string | null {
  const value = findHeader(request, 'authorization');
  if (value === undefined) return `Authorization: ${NO_CREDENTIAL}`;
  return value === 'Bearer [key]' ? null : `Authorization: ${value}`;
}

/** Describes the answer: `200 OK after 12 ms`, or the reason why none came. */
export function writeAnswerLine({ response, error, durationMs }: Evidence): string {
  if (response === null) return `no answer${error === null ? '' : `: ${error.kind}, ${error.message}`}`;
  return `${`${response.status} ${response.statusText}`.trim()} after ${writeDuration(durationMs)}`;
}
