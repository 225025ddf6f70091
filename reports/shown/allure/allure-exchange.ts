/** Writes a recorded exchange in Allure's format for HTTP, which Allure shows beside a result. */
import { ALLURE_HTTP_REDACTED_VALUE, type HttpExchange, type HttpExchangeBody } from 'allure-js-commons/http';
import { findHeader, type Evidence, type Header } from '../../../fixtures/exchange/exchange.ts';
import { PLACEHOLDER } from '../../../fixtures/evidence/redaction/redactor.ts';

/**
 * Returns an exchange in Allure's format.
 * @param baseUrl has no trailing slash
 */
export function makeAllureExchange(
  { request, response, error, startedAt, durationMs }: Evidence,
  baseUrl: string,
): HttpExchange {
  const start = Date.parse(startedAt);
  return {
    schemaVersion: 1,
    request: {
      method: request.method,
      url: baseUrl + request.path,
      headers: request.headers.map(makePair),
      ...makeBody(request.headers, request.body),
    },
    ...(response && {
      response: {
        status: response.status,
        statusText: response.statusText,
        headers: response.headers.map(makePair),
        ...makeBody(response.headers, response.body, response.bytes),
      },
    }),
    ...(error && { error: { name: error.kind, message: error.message } }),
    start,
    stop: Math.round(start + durationMs),
  };
}

/** Masks a value that holds the real key as a whole. A changed key is described in words, so it stays. */
function makePair([name, value]: Header): { name: string; value: string } {
  return { name, value: value.includes(PLACEHOLDER) ? ALLURE_HTTP_REDACTED_VALUE : value };
}

function makeBody(
  headers: readonly Header[],
  value: string | null,
  size?: number,
): { body?: HttpExchangeBody } {
  if (value === null || value === '') return {};
  const contentType = findHeader({ headers }, 'content-type');
  return {
    body: {
      ...(contentType !== undefined && { contentType }),
      encoding: 'utf8',
      value,
      ...(size !== undefined && { size }),
    },
  };
}
