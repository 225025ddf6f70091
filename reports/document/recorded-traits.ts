/**
 * Names the traits of a request because of which a service may answer it differently: headers, parameters, an id, members of a NewPet.
 * `circumstances.ts` looks for a trait that all wrong answers have. Pure.
 */
import { listClientHeaders } from '../../fixtures/exchange/client-headers.ts';
import type { Ask } from '../../fixtures/exchange/exchange.ts';
import { isInteger, readMembers } from '../../fixtures/exchange/json.ts';
import { parseText } from '../../fixtures/exchange/memoize.ts';

/** Headers that almost every request has: they name no trait. */
const NEEDED = /^(host|authorization|content-length|content-type)$/;
/** Headers that a client may lack: then `with no accept` is a trait. */
const MAY_LACK = ['accept', 'accept-encoding', 'user-agent'];
/** Limits, and numbers of characters and bytes, from which on services often answer differently, e.g. a column of 64 characters. */
const SIZES = [1, 10, 20, 32, 50, 64, 100, 128, 150, 200, 255];
/** Numbers by which a store may divide identifiers, e.g. to choose a table. */
const DIVISORS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 16];

/** Returns e.g. `with connection: close`, `with no user-agent`, `with limit=7`, `with the status "sold"`. */
export function nameTraits(ask: Ask): string[] {
  const id = /^\/pets\/([^?]+)/.exec(ask.path)?.[1];
  return [
    ...[...nameHeaders(ask), ...nameParameters(ask), ...nameMembers(ask)].map((each) => `with ${each}`),
    ...(id === undefined ? [] : nameId(id)),
  ];
}

/** Returns e.g. `with an id beyond 32 bits`, `with an id divisible by 7`. */
export function nameId(id: string): string[] {
  return nameNumber('an id', id, DIVISORS).map((each) => `with ${each}`);
}

/**
 * Names headers of ordinary clients, and headers that a test has chosen. It leaves out what the suite sends as itself, which most
 * requests have. All headers of a client together come first: a card names them if no single header decides better.
 */
function nameHeaders({ client, contentType, headers = [], without = [] }: Ask): string[] {
  const changed = new Set([...headers.map(([name]) => name.toLowerCase()), ...without]);
  const usual = client === undefined ? [] : listClientHeaders(client);
  const sent = [...usual.filter(([name]) => !changed.has(name.toLowerCase())), ...headers]
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !NEEDED.test(name));
  const mayLack = new Set([...without, ...(client === undefined ? [] : MAY_LACK)]);
  return [
    ...(client === undefined ? [] : [`the headers of ${client}`]),
    ...[...mayLack].flatMap((name) => (sent.some(([each]) => each === name) ? [] : [`no ${name}`])),
    ...(contentType == null ? [] : [`content-type: ${contentType}`]),
    ...(contentType?.includes(';') ? ['a parameter in its content-type'] : []),
    ...sent.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`, `the header ${name}`])),
  ];
}

function nameParameters({ operation, path }: Ask): string[] {
  if (operation !== 'listPets') return [];
  const query = new URLSearchParams(path.split('?')[1]);
  return [
    ...['limit', 'status'].flatMap((name) => {
      const value = query.get(name);
      return value === null ? [`no ${name}`] : [`a ${name}`, `${name}=${value}`];
    }),
    ...(query.has('limit') ? nameSize('a limit', Number(query.get('limit')), '') : []),
    ...(/status=.*limit=/.test(path) ? ['the status before the limit'] : []),
    ...(path.includes('%') ? ['escapes in its query'] : []),
  ];
}

/** Returns a name for each of SIZES: `a limit of more than 10`, `a limit of at most 20`. */
function nameSize(noun: string, size: number, unit: string): string[] {
  return SIZES.map((each) => `${noun} of ${size > each ? 'more than' : 'at most'} ${each}${unit}`);
}

/** Names the size of a number if it is unusual, and the divisors of an integer: `an id beyond 32 bits`, `an id divisible by 7`. */
function nameNumber(noun: string, text: string, divisors: readonly number[]): string[] {
  const number = Number(text);
  const isWhole = /^-?\d+$/.test(text);
  return [
    ...(number < -(2 ** 31) || number >= 2 ** 31 ? [`${noun} beyond 32 bits`] : []),
    ...(Math.abs(number) > 2 ** 53 ? [`${noun} beyond 53 bits`] : []),
    ...(number < 0 ? [`${noun} below 0`] : []),
    ...(number <= 0 ? [`${noun} of 0 or less`] : []),
    ...divisors.flatMap((each) =>
      isWhole && BigInt(text) % BigInt(each) === 0n ? [`${noun} divisible by ${each}`] : [],
    ),
  ];
}

/** Odd forms of names, with their words. */
const FORMS: readonly (readonly [form: RegExp, name: string])[] = [
  [/[\u{10000}-\u{10FFFF}]/u, 'a character beyond U+FFFF in its name'],
  [/[^ -~]/u, 'a character beyond ASCII in its name'],
  [/^[^\p{L}]/u, 'a name that begins with no letter'],
  [/ {2}/, 'two blanks in a row in its name'],
  [/^\s|\s$/, 'a blank at an end of its name'],
  [/^\d+$/, 'a name of digits only'],
];

/** Names the status of a NewPet, its category, the lengths of name and body, and what is odd in the name. */
function nameMembers({ method, body }: Ask): string[] {
  if (method !== 'POST' || typeof body !== 'string') return [];
  const sent = parseText(body);
  const { name, categoryId, status } = readMembers(sent);
  const text = typeof name === 'string' ? name : '';
  return [
    typeof status === 'string' ? `the status "${status}"` : 'no status',
    ...(isInteger(categoryId)
      ? [`the categoryId ${categoryId}`, ...nameNumber('a categoryId', String(categoryId), [10])]
      : []),
    // The record keeps only the beginning of a very long body: it is no JSON, and its name is nearly all of it.
    ...nameSize('a name', [...(sent === undefined ? body : text)].length, ' characters'),
    ...nameSize('a body', Buffer.byteLength(body), ' bytes'),
    ...FORMS.flatMap(([form, each]) => (form.test(text) ? [each] : [])),
    ...new Set(text.match(/[!-/:-@[-`{-~ ]/g)?.map((each) => `${JSON.stringify(each)} in its name`)),
    ...(/\\u[\da-f]{4}/i.test(body) ? ['escapes in its body'] : []),
  ];
}
