/**
 * Finds the answers of a run that can be compared with the wrong answers of a cause: answers to the same kind of request. Says
 * of each one if it is wrong, so that a report can say `3 of 12 answers were wrong`. Pure.
 */
import type { AnsweredExchange, Exchange } from '../../fixtures/exchange/exchange.ts';
import { isAnswered } from '../../fixtures/exchange/exchange.ts';
import type { Json } from '../../fixtures/exchange/json.ts';
import { parseText } from '../../fixtures/exchange/memoize.ts';
import { readListQuery } from '../../fixtures/interface/list-query.ts';
import { invalidBodyOf } from '../../fixtures/interface/request-oracle.ts';
import { isPlain } from '../../fixtures/interface/request-departures.ts';
import { mustSucceed } from '../../fixtures/interface/documented.ts';
import type { Cause } from './causes.ts';
import { isDeparting } from './departures.ts';
import type { RequirementResult } from './report-document.ts';

/**
 * One answer that can be compared. `situation` names the kind of its request, e.g. `listPets limit` for every list with a limit
 * and without a status.
 */
export interface Comparable {
  exchange: AnsweredExchange;
  situation: string;
  isWrong: boolean;
}

type Members = Readonly<Record<string, Json | undefined>>;

/** The parts of a run that comparing needs. */
interface Run {
  exchanges: readonly Exchange[];
  /** Ids of the exchanges that findings cite, by the id of the broken promise. */
  cited: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Returns the answers to requests in the same situations as the wrong answers of a cause. Requests whose answer the document
 * leaves open are left out.
 */
export function findComparableAnswers(cause: Cause, { exchanges, cited }: Run): Comparable[] {
  const added = listAdded(exchanges);
  const answered = exchanges.filter(isAnswered).flatMap((exchange) => {
    const situation = nameSituation(exchange, added);
    return situation === null ? [] : [{ exchange, situation }];
  });
  // For each result of the cause: the answers in the situations of its wrong answers, each one with true if it is wrong.
  const judged = cause.map((result) => {
    const own = cited.get(result.id) ?? new Set();
    const shown = answered.filter(({ exchange }) => own.has(exchange.id) && isWrong(result, exchange));
    const situations = new Set(shown.map(({ situation }) => situation));
    return new Map(
      answered
        .filter(({ situation }) => situations.has(situation))
        .map((each) => [each, isWrong(result, each.exchange)]),
    );
  });
  // An answer is wrong if it is wrong for one of the results. It is left out if it shows nothing about any of them.
  return answered.flatMap((each) => {
    const verdicts = judged.map((verdictOf) => verdictOf.get(each) ?? null);
    return verdicts.every((verdict) => verdict === null)
      ? []
      : [{ ...each, isWrong: verdicts.includes(true) }];
  });
}

/**
 * True if the answer breaks the promise of the result, false if it keeps it. Null if the answer alone does not show it: a name
 * that getPet changed is seen only beside the answer of createPet.
 */
function isWrong(result: RequirementResult, { ask, response }: AnsweredExchange): boolean | null {
  const isOdd = isDeparting(result, { response: readAsText(response) });
  if (isOdd !== null || result.statuses !== undefined || response.status >= 300) return isOdd;
  const value = parseText(Buffer.from(response.body).toString());
  const rows = OF_ROWS[result.id];
  return rows !== undefined && Array.isArray(value)
    ? rows(value, new URLSearchParams(ask.path.split('?')[1] ?? ''))
    : null;
}

/** True if one list alone shows that the promise is broken; null if the list is too short to show it. */
const OF_ROWS: Readonly<Record<string, (rows: readonly Json[], query: URLSearchParams) => boolean | null>> = {
  'list-pets.limit': (rows, query) => isLonger(rows, Number(query.get('limit') ?? Infinity)),
  'list-pets.default-limit': (rows, query) => (query.has('limit') ? null : isLonger(rows, 20)),
  'list-pets.status': (rows, query) =>
    query.has('status') && rows.length > 0
      ? rows.some((row) => (row as Members | null)?.['status'] !== query.get('status'))
      : null,
  'list-pets.unique-ids': (rows) =>
    rows.length < 2
      ? null
      : new Set(rows.map((row) => String((row as Members | null)?.['id']))).size < rows.length,
};

/** True if the list has more rows than `most`. Null if it has fewer: then the limit may not have acted. */
function isLonger(rows: readonly Json[], most: number): boolean | null {
  return rows.length < most ? null : rows.length > most;
}

function readAsText({ status, statusText, body }: AnsweredExchange['response']) {
  return { status, statusText, headers: [], body: Buffer.from(body).toString(), bytes: body.length };
}

/** Returns identifiers in answers of createPet with 201. */
function listAdded(exchanges: readonly Exchange[]): ReadonlySet<string> {
  const created = exchanges.filter(isAnswered).filter(({ ask, response }) => {
    return ask.operation === 'createPet' && response.status === 201;
  });
  return new Set(
    created.map(({ response }) =>
      String((parseText(Buffer.from(response.body).toString()) as Members | undefined)?.['id'] ?? ''),
    ),
  );
}

/**
 * Names the situation of a request for which the document allows one answer only, for example `getPet of no animal`.
 * Null if the document leaves the answer open.
 */
function nameSituation({ ask }: AnsweredExchange, added: ReadonlySet<string>): string | null {
  const { operation, credential, path } = ask;
  if (!isPlain(ask, 'accept', 'cache')) return null;
  if (credential === 'none') return operation === 'other' ? null : `${operation} without a key`;
  if (credential !== 'key') return null;
  switch (operation) {
    case 'listPets':
      return classifyListRequest(path);
    case 'getPet':
      return `getPet ${added.has(path.split('/').at(-1) ?? '') ? 'of an animal' : 'of no animal'}`;
    case 'createPet':
      return classifyCreation(ask);
    default:
      return null;
  }
}

function classifyCreation(ask: Exchange['ask']): string | null {
  const invalid = invalidBodyOf(typeof ask.body === 'string' ? ask.body : '');
  if (invalid !== null) return invalid.reason;
  return mustSucceed(ask) ? 'createPet' : null;
}

function classifyListRequest(path: string): string | null {
  const query = readListQuery(path);
  return query && `listPets${query.hasLimit ? ' limit' : ''}${query.filter === '' ? '' : ' status'}`;
}
