/**
 * Says how an answer departs from the document, e.g. `listPets answers 422 in place of 400`. One change of the service mends all
 * answers that depart in the same way, so reports join their promises to one cause. Pure.
 */
import { DOCUMENTED_OPERATIONS, type Evidence } from '../../fixtures/exchange/exchange.ts';
import { MISTAKE_PROMISES } from '../../fixtures/interface/blame.ts';
import newPetSchema from '../../schemas/new-pet.json' with { type: 'json' };
import petSchema from '../../schemas/pet.json' with { type: 'json' };
import type { RequirementResult } from './report-document.ts';

/** A way in which answers are wrong. Results with the same `key` have one cause; a report says `words`. */
export interface Departure {
  key: string;
  words: string;
}

type Statuses = NonNullable<RequirementResult['statuses']>;

/** The JSON type that the document promises for each member of a Pet, e.g. `number` for `id`. */
const TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries<object>({ ...petSchema.properties, ...newPetSchema.properties }).map(([member, schema]) => [
    member,
    'format' in schema && schema.format === 'int64' ? 'number' : 'string',
  ]),
);
/** Other types become e.g. `a number`. */
const TYPES_IN_WORDS: Readonly<Record<string, string>> = {
  null: 'null',
  array: 'an array',
  object: 'an object',
  nothing: 'missing',
};

/**
 * Returns the departure that a result shows; null if other results cannot share it.
 * @param shown the exchange that shows the result
 */
export function findDeparture(result: RequirementResult, shown: Evidence | undefined): Departure | null {
  const { statuses } = result;
  return statuses === undefined ? findMemberDeparture(result) : findStatusDeparture(result, statuses, shown);
}

/**
 * True if an exchange departs as the result does: it has another status than promised, or a member of the wrong type. The caller checks
 * that the exchange is about the same promise.
 */
export function isDeparting(result: RequirementResult, { response }: Pick<Evidence, 'response'>): boolean {
  if (response === null) return false;
  if (result.statuses !== undefined) return isOtherStatus(result.statuses, response.status);
  const wrong = findWrongType(result);
  if (wrong === null || response.status >= 300) return false;
  const types = listTypes(response.body, wrong.member);
  // The body has as many Pets as its most frequent member. A member that it has less often is missing in one.
  const pets = Math.max(...Object.keys(TYPES).map((member) => listTypes(response.body, member).length));
  return wrong.type === 'nothing' ? types.length < pets : types.includes(wrong.type);
}

/**
 * True if the answer has another status than promised. A refusal (4xx) in place of a promised success may be right for its request. So
 * it counts only if the status of the failure itself (`came`) is a refusal.
 */
function isOtherStatus({ promised, came }: Statuses, status: number): boolean {
  const mayBeRight = promised < 300 && isRefusal(status) && !isRefusal(came);
  return status !== promised && !mayBeRight;
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Returns the types that a member has anywhere in a body, e.g. `number` for `"id": 7`. The body may be cut. */
function listTypes(body: string, member: string): string[] {
  const values = body.matchAll(new RegExp(`"${member}"\\s*:\\s*([^\\s,}]+)`, 'g'));
  return [...values].flatMap(([, value = '']) => nameTypeOfText(value) ?? []);
}

/** Returns the departure of a wrong status; null if other results cannot share it. */
function findStatusDeparture(
  { id, operation }: RequirementResult,
  { promised, came }: Statuses,
  shown: Evidence | undefined,
): Departure | null {
  // Empty if the promise is about several operations.
  const who = DOCUMENTED_OPERATIONS.some((each) => each === operation) ? operation : '';
  const key = `${operation} ${promised} ${came}`;
  const words = `${who || 'The service'} answers ${came} in place of ${promised}`;
  // A success in place of another one, e.g. 200 in place of 201, is one departure for all requests. A refusal or an error in place of a
  // success is none, because it may depend on the request.
  if (promised < 300) return came < 300 ? { key, words } : null;
  if (came < 300) return findAccepted(id, { key, words });
  const error = came >= 500 ? ` ${abstractBody(shown)}` : '';
  // One place in a service often checks the credentials of all operations: a wrong answer in place of 401 is one departure for all.
  return promised === 401
    ? { key: `401 ${came}${error}`, words: `The service answers ${came} in place of 401` }
    : { key: `${key}${error}`, words };
}

/**
 * Returns the departure of a request that was accepted but had to be refused. All promises about one member of a NewPet share it,
 * because the service does not check this member. Other promises about createPet share none.
 * @param ofStatus the departure of requests of other operations
 */
function findAccepted(id: string, ofStatus: Departure): Departure | null {
  // Services often check a missing key and a wrong key in different places: their results share no departure.
  if (id.startsWith('authentication.')) return null;
  if (!id.startsWith('create-pet.')) return ofStatus;
  // MISTAKE_PROMISES has the promises about each member, e.g. `create-pet.name-type` for `name`.
  const [member] =
    Object.entries(MISTAKE_PROMISES).find(([, each]) => Object.values(each).some((own) => own === id)) ?? [];
  if (member === undefined) return null;
  return { key: `${ofStatus.key} ${member}`, words: `createPet does not check ${member} as it must` };
}

/**
 * Describes the error that a failure shows, e.g. `createPet 500 {"code":"db"}`; null if it shows none. A failure without `statuses` is
 * not about the status: then a 4xx is right, and only a 5xx is an error.
 */
export function findError({ statuses }: RequirementResult, shown: Evidence | undefined): string | null {
  const status = shown?.response?.status ?? 0;
  if (shown === undefined || status < (statuses === undefined ? 500 : 400)) return null;
  return `${shown.operation} ${status} ${abstractBody(shown)}`;
}

/** Returns the body of an error without what differs from request to request: the sent body, and numbers, which become `#`. */
function abstractBody(shown: Evidence | undefined): string {
  const { response = null, request } = shown ?? {};
  const sent = request?.body || undefined;
  const said = response?.body ?? '';
  return (sent === undefined ? said : said.replaceAll(sent, '')).replace(/\d+/g, '#');
}

function findMemberDeparture(result: RequirementResult): Departure | null {
  const wrong = findWrongType(result);
  if (wrong === null) return null;
  const { member, type } = wrong;
  return { key: `${member} ${type}`, words: `${member} of a Pet is ${TYPES_IN_WORDS[type] ?? `a ${type}`}` };
}

/** Returns the member of a Pet that has another type than promised, with that type; null if there is none. */
function findWrongType(result: RequirementResult): { member: string; type: string } | null {
  const { id, pointer, received } = result;
  const member = pointer?.split('/').at(-1) ?? '';
  const promised = Object.hasOwn(TYPES, member) && !id.startsWith('errors.') ? TYPES[member] : undefined;
  const type = nameTypeOfText(received ?? '');
  return promised === undefined || type === null || type === promised ? null : { member, type };
}

/** Returns the JSON type of a value as reports show it, e.g. `string` for `"a…`, which is cut. Null if the text is not a value. */
function nameTypeOfText(received: string): string | null {
  if (received === 'nothing' || received === 'absent') return 'nothing';
  if (/^"/.test(received)) return 'string';
  if (/^(the number )?-?\d[\d.eE+-]*$/.test(received)) return 'number';
  if (received.startsWith('[')) return 'array';
  if (received.startsWith('{')) return 'object';
  if (received === 'null') return 'null';
  return received === 'true' || received === 'false' ? 'boolean' : null;
}
