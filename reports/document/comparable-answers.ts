/** Which answers of a run can be compared with the wrong ones of a cause, and which of them are wrong as well. Pure. */
import type { Answered, Exchange } from '../../fixtures/exchange/exchange.ts';
import { isAnswered } from '../../fixtures/exchange/exchange.ts';
import { readJson, type Json } from '../../fixtures/exchange/json.ts';
import { PET_STATUSES } from '../../fixtures/interface/bodies.ts';
import { invalidBodyOf } from '../../fixtures/interface/request-oracle.ts';
import { isPlain } from '../../fixtures/interface/written-as.ts';
import { mustSucceed } from '../../fixtures/rules/documented.ts';
import type { Cause } from './causes.ts';
import { departs } from './departures.ts';
import type { RequirementResult } from './report.ts';

/** One answer that can be compared. `situation`: what was asked, as far as a promise depends on it. */
export interface Comparable {
  exchange: Answered;
  situation: string;
  isWrong: boolean;
}

type Members = Readonly<Record<string, Json | undefined>>;

/** What of a run answers are compared by. */
interface Run {
  exchanges: readonly Exchange[];
  /** Exchanges that findings cite, by the promise that they break. */
  cited: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The answers to requests of the situations in which a cause shows. A request whose answer the document leaves open is not among them. */
export function comparableAnswers(cause: Cause, { exchanges, cited }: Run): Comparable[] {
  const added = addedIn(exchanges);
  const answered = exchanges.filter(isAnswered).flatMap((exchange) => {
    const situation = situationOf(exchange, added);
    return situation === null ? [] : [{ exchange, situation }];
  });
  const judged = cause.map((result) => {
    const own = cited.get(result.id) ?? new Set();
    const shown = answered.filter(({ exchange }) => own.has(exchange.id) && isWrong(result, exchange, own));
    const situations = new Set(shown.map(({ situation }) => situation));
    return new Map(
      answered
        .filter(({ situation }) => situations.has(situation))
        .map((each) => [each, isWrong(result, each.exchange, own)]),
    );
  });
  return answered.flatMap((each) => {
    const verdicts = judged.map((verdictOf) => verdictOf.get(each) ?? null);
    return verdicts.every((verdict) => verdict === null)
      ? []
      : [{ ...each, isWrong: verdicts.includes(true) }];
  });
}

/** Null if the answer says nothing of the promise. */
function isWrong(
  result: RequirementResult,
  { id, ask, response }: Answered,
  cited: ReadonlySet<string>,
): boolean | null {
  if (result.statuses !== undefined) return departs(result, { response: textOf(response) });
  const byMember = departs(result, { response: textOf(response) });
  if (byMember !== null) return byMember;
  if (response.status >= 300) return null;
  const rows = OF_ROWS[result.id];
  if (rows === undefined) return cited.has(id) && isOfOperation(result, ask.operation);
  const value = valueOf(response);
  return Array.isArray(value) ? rows(value, new URLSearchParams(ask.path.split('?')[1] ?? '')) : null;
}

/** What one list shows to be wrong by itself; null if it is too short to show it. */
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

function isLonger(rows: readonly Json[], most: number): boolean | null {
  return rows.length < most ? null : rows.length > most;
}

function isOfOperation({ operation }: RequirementResult, asked: string): boolean {
  return !['listPets', 'createPet', 'getPet'].includes(operation) || operation === asked;
}

function textOf({ status, statusText, body }: Answered['response']) {
  return { status, statusText, headers: [], body: Buffer.from(body).toString(), bytes: body.length };
}

function valueOf({ body }: Answered['response']): Json | undefined {
  try {
    return readJson(Buffer.from(body).toString()).value;
  } catch {
    return undefined;
  }
}

/** Identifiers that createPet gave. */
function addedIn(exchanges: readonly Exchange[]): ReadonlySet<string> {
  const created = exchanges.filter(isAnswered).filter(({ ask, response }) => {
    return ask.operation === 'createPet' && response.status === 201;
  });
  return new Set(
    created.map(({ response }) => String((valueOf(response) as Members | undefined)?.['id'] ?? '')),
  );
}

/** What was asked, so that the document says one thing of all answers; null if it leaves them open. */
function situationOf({ ask }: Answered, added: ReadonlySet<string>): string | null {
  const { operation, credential, path } = ask;
  if (!isPlain(ask, 'accept', 'cache')) return null;
  if (credential === 'none') return operation === 'other' ? null : `${operation} without a key`;
  if (credential !== 'key') return null;
  switch (operation) {
    case 'listPets':
      return kindOfList(path);
    case 'getPet':
      return `getPet ${added.has(path.split('/').at(-1) ?? '') ? 'of an animal' : 'of no animal'}`;
    case 'createPet':
      return kindOfCreation(ask);
    default:
      return null;
  }
}

function kindOfCreation(ask: Exchange['ask']): string | null {
  const invalid = invalidBodyOf(typeof ask.body === 'string' ? ask.body : '');
  if (invalid !== null) return invalid.reason;
  return mustSucceed(ask) ? 'createPet' : null;
}

function kindOfList(path: string): string | null {
  const query = new URLSearchParams(path.split('?')[1] ?? '');
  const [limit, status] = [query.get('limit'), query.get('status')];
  const isDocumented =
    [...query.keys()].every((name) => ['limit', 'status'].includes(name)) &&
    (limit === null || /^([1-9]\d?|100)$/.test(limit)) &&
    (status === null || PET_STATUSES.some((each) => each === status));
  return isDocumented ? `listPets${limit === null ? '' : ' limit'}${status === null ? '' : ' status'}` : null;
}
