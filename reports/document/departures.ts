/** How an answer departs from what was promised, as far as one change in the service would mend several such answers. */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import type { RequirementResult } from './report.ts';

/** One way to be wrong. Results with one `key` are mended by one change; `words` say what was seen. */
export interface Departure {
  key: string;
  words: string;
}

type Statuses = NonNullable<RequirementResult['statuses']>;

/** Operations with promises of their own; any other promise holds for several operations. */
const OPERATIONS = ['listPets', 'createPet', 'getPet'];
/** A member of a request body, by the promise about it. */
const OF_MEMBER = /^create-pet\.(name|category-id|status)-(missing|type|integer|range|values)$/;
const MEMBERS: Readonly<Record<string, string>> = { 'category-id': 'categoryId' };
/** JSON types of the members of a Pet. */
const TYPES: Readonly<Record<string, string>> = {
  id: 'number',
  categoryId: 'number',
  name: 'string',
  status: 'string',
};
const TYPES_IN_WORDS: Readonly<Record<string, string>> = {
  number: 'a number',
  string: 'a string',
  boolean: 'a boolean',
  null: 'null',
  array: 'an array',
  object: 'an object',
  nothing: 'missing',
};

/** The departure that a result shows; null if it shows none that others may share. @param shown the exchange that shows it */
export function departureOf(result: RequirementResult, shown: Evidence | undefined): Departure | null {
  const { statuses } = result;
  return statuses === undefined ? ofMember(result) : ofStatus(result, statuses, shown);
}

/**
 * Whether an exchange departs as the result says: true or false for an answer that shows it, null for one that says nothing of it.
 * Which exchanges can be compared is not looked at.
 */
export function departs(result: RequirementResult, { response }: Pick<Evidence, 'response'>): boolean | null {
  if (response === null) return null;
  if (result.statuses !== undefined) return departsFrom(result.statuses, response.status);
  const wrong = wrongMember(result);
  if (wrong === null || response.status >= 300) return null;
  const types = typesIn(response.body, wrong.member);
  return types.length === 0 ? null : types.includes(wrong.type);
}

/** Beside a success, a refusal may be right as well, unless a refusal is what is wrong. */
function departsFrom({ promised, came }: Statuses, status: number): boolean | null {
  if (promised < 300 && isRefusal(status) && !isRefusal(came)) return null;
  return status !== promised;
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

/** The types with which a member is shown anywhere in a body, which may be cut. */
function typesIn(body: string, member: string): string[] {
  const values = body.matchAll(new RegExp(`"${member}"\\s*:\\s*([^\\s,}]+)`, 'g'));
  return [...values].flatMap(([, value = '']) => typeOf(value) ?? []);
}

function ofStatus(
  { id, operation }: RequirementResult,
  { promised, came }: Statuses,
  shown: Evidence | undefined,
): Departure | null {
  const who = OPERATIONS.includes(operation) ? operation : '';
  const place = `${operation} ${promised} ${came}`;
  const words = `${who || 'The service'} answers ${came} in place of ${promised}`;
  if (promised < 300) return came < 300 ? { key: place, words } : null;
  if (came >= 500) return { key: `${place} ${answerTo(shown)}`, words };
  if (came < 300) return accepted(id, place, words);
  // one filter in front of all operations looks at credentials
  return promised === 401
    ? { key: `401 ${came}`, words: `The service answers ${came} in place of 401` }
    : { key: place, words };
}

/** What had to be refused is taken: each check that is missing is a change of its own, all checks of one member are one. */
function accepted(id: string, place: string, words: string): Departure | null {
  // a key that is missing and a key that is odd pass different checks
  if (id.startsWith('authentication.')) return null;
  if (!id.startsWith('create-pet.')) return { key: place, words };
  const [, member] = OF_MEMBER.exec(id) ?? [];
  if (member === undefined) return null;
  const name = MEMBERS[member] ?? member;
  return { key: `${place} ${member}`, words: `createPet does not check ${name} as it must` };
}

/** A server error by its operation, its status and what it says; null if it is none. */
export function serverErrorOf(shown: Evidence | undefined): string | null {
  const status = shown?.response?.status ?? 0;
  return shown === undefined || status < 500 ? null : `${shown.operation} ${status} ${answerTo(shown)}`;
}

/** What a server error says, but for numbers and what was sent. */
function answerTo(shown: Evidence | undefined): string {
  const { response = null, request } = shown ?? {};
  const sent = request?.body || undefined;
  const said = response?.body ?? '';
  return (sent === undefined ? said : said.replaceAll(sent, '')).replace(/\d+/g, '#');
}

function ofMember(result: RequirementResult): Departure | null {
  const wrong = wrongMember(result);
  if (wrong === null) return null;
  const { member, type } = wrong;
  return { key: `${member} ${type}`, words: `${member} of a Pet is ${TYPES_IN_WORDS[type] ?? type}` };
}

/** The member of a Pet that has another type than the promised one, and that type. */
function wrongMember({ id, pointer, received }: RequirementResult): { member: string; type: string } | null {
  const member = pointer?.split('/').at(-1) ?? '';
  const promised = Object.hasOwn(TYPES, member) && !id.startsWith('errors.') ? TYPES[member] : undefined;
  const type = typeOf(received ?? '');
  return promised === undefined || type === null || type === promised ? null : { member, type };
}

/** The JSON type of a value as reports show it, which may be cut; null if it is no value. */
function typeOf(received: string): string | null {
  if (received === 'nothing' || received === 'absent') return 'nothing';
  if (/^"/.test(received)) return 'string';
  if (/^-?\d[\d.eE+-]*$/.test(received)) return 'number';
  if (received.startsWith('[')) return 'array';
  if (received.startsWith('{')) return 'object';
  if (received === 'null') return 'null';
  return received === 'true' || received === 'false' ? 'boolean' : null;
}
