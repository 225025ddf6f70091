/** Reads JSON files, checks them by a JSON Schema, and says each mistake in plain words: `waiver 1 (list-pets.limit) lacks "owner"`. */
import { Ajv2020, type DefinedError, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { JsonTooLarge, readJson } from '../../fixtures/exchange/json.ts';

/** Checks a value against a schema. Returns one line for each mistake, with its place. */
export interface SchemaCheck {
  (value: unknown): string[];
  /** Names a place as the person who wrote the file knows it, e.g. `waiver 1 (list-pets.limit): "owner"`; absent: as a pointer. */
  placeOf?(pointer: string, value: unknown): string;
}

/** The value that was read, or the mistakes in it. */
export type Checked<T> = { value: T } | { mistakes: string[] };

/** The most values that one JSON file may hold. Files of the suite and files that people write hold fewer. */
const MOST_VALUES = 2_000_000;
const UTF8 = new TextDecoder('utf-8', { fatal: true });
/** The form of a moment in RFC 3339, such as `2027-01-31T10:00:00Z`. */
const MOMENT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** How messages name an entry of a list. */
interface Entries {
  /** The kind of an entry, e.g. `waiver`. */
  noun: string;
  /** The member that identifies an entry, e.g. `requirement`. */
  by: string;
}

/** Names an entry of a list, counted from 1: `waiver 1 (list-pets.limit)`. */
export function nameEntry({ noun, by }: Entries, index: number, entry: unknown): string {
  const name = (entry as Record<string, unknown> | null)?.[by];
  return `${noun} ${index + 1}${typeof name === 'string' ? ` (${escapePointer(name.slice(0, 64))})` : ''}`;
}

/**
 * Makes a check from a JSON Schema (2020-12). The schema is compiled when the check is first used.
 * @param mistakes `'all'` for files that a person mends; `'first'` for other files, which may have millions of mistakes
 * @param entries given if the value is a list: messages then name its entries
 */
export function makeSchemaCheck(
  schema: object,
  mistakes: 'all' | 'first' = 'all',
  entries?: Entries,
): SchemaCheck {
  let compiled: ValidateFunction | undefined;
  const placeOf = (pointer: string, value: unknown) =>
    entries === undefined ? escapePointer(pointer) || 'it' : writeEntryPlace(pointer, value, entries);
  const check = (value: unknown) => {
    compiled ??= compileSchema(schema, mistakes === 'all');
    if (compiled(value)) return [];
    return (
      (compiled.errors ?? [])
        // Ajv adds the mistakes of each alternative of a `oneOf`. With `'all'` the mistake of `oneOf` itself is enough: `describeWrong` names
        // the alternatives. With `'first'` it cannot, because the schema is missing (`verbose`). So the first alternative's mistake stays.
        .filter(({ schemaPath }) => mistakes === 'first' || !schemaPath.includes('/oneOf/'))
        .map((each) => `${placeOf(each.instancePath, value)} ${describeWrong(each)}`)
    );
  };
  return Object.assign(check, { placeOf });
}

/** Names a place in a list: `/0/owner` is `waiver 1 (list-pets.limit): "owner"`. */
function writeEntryPlace(pointer: string, value: unknown, entries: Entries): string {
  const [, first, ...rest] = pointer.split('/');
  if (first === undefined) return 'it';
  const index = Number(first);
  const entry = nameEntry(entries, index, (value as unknown[])[index]);
  return rest.length === 0 ? entry : `${entry}: ${JSON.stringify(rest.join('/'))}`;
}

const quote = (value: unknown) => JSON.stringify(value);

/** JSON types in the words of people. */
const KINDS: Readonly<Record<string, string>> = { array: 'a list', object: 'an object', string: 'a text' };

/** Says a mistake in plain words. The words of ajv stay if they need no knowledge of JSON Schema. */
function describeWrong(error: ErrorObject): string {
  const { keyword, message, params, schema } = error as DefinedError;
  if (keyword === 'oneOf' && Array.isArray(schema)) return `must have exactly one of ${joinRequired(schema)}`;
  if (keyword === 'format' && params.format === 'date') return 'must be a day, such as 2027-01-31';
  if (keyword === 'pattern' && params.pattern === String.raw`\S`) return 'must not be empty';
  if (keyword === 'type' && params.type in KINDS) return `must be ${KINDS[params.type]}`;
  if (keyword === 'required') return `lacks ${quote(params.missingProperty)}`;
  if (keyword === 'additionalProperties')
    return `has ${quote(params.additionalProperty)}, which does not belong there`;
  if (keyword === 'enum') return `must be one of ${params.allowedValues.map(quote).join(', ')}`;
  // Ajv leaves messages out only if it is told to.
  return message as string;
}

/** Returns the members that the alternatives of a `oneOf` require, joined by `and`. */
function joinRequired(alternatives: readonly unknown[]): string {
  const all = alternatives as readonly { required?: string[] }[];
  return all.flatMap(({ required = [] }) => required.map(quote)).join(' and ');
}

function compileSchema(schema: object, allErrors: boolean): ValidateFunction {
  const ajv = new Ajv2020({
    allErrors,
    // A schema is used a few times: to optimize the code of its check takes longer than the check.
    code: { optimize: false },
    // `verbose` adds the broken schema to each mistake: `describeWrong` reads it.
    verbose: allErrors,
    strict: true,
    allowUnionTypes: true,
    // The schemas belong to the suite and need no check.
    meta: false,
    validateSchema: false,
  });
  formats.default(ajv);
  ajv.addFormat('date-time', isMoment);
  return ajv.compile(schema);
}

/**
 * Reads a text, or its UTF-8 bytes, as JSON and checks the value. A member that occurs twice is a mistake: some readers take
 * the first one, others the last one.
 */
export function readChecked<T>(text: string | Uint8Array, check: SchemaCheck): Checked<T> {
  const parsed = parse(text, check);
  if ('mistakes' in parsed) return parsed;
  const mistakes = check(parsed.value);
  return mistakes.length > 0 ? { mistakes } : { value: parsed.value as T };
}

function parse(text: string | Uint8Array, check: SchemaCheck): Checked<unknown> {
  try {
    const plain = (typeof text === 'string' ? text : UTF8.decode(text)).replace(/^\ufeff/, '');
    const [twice] = readJson(plain, MOST_VALUES).duplicates;
    // `readJson` finds duplicate names. The value is the one of JSON.parse, because all other readers of the file use that.
    const value: unknown = JSON.parse(plain);
    return twice === undefined
      ? { value }
      : { mistakes: [`${check.placeOf?.(twice, value) ?? escapePointer(twice)} is there twice`] };
  } catch (error) {
    if (error instanceof JsonTooLarge) return { mistakes: [`it is not read: ${error.message}`] };
    return { mistakes: [error instanceof TypeError ? 'it is not UTF-8' : 'it is not JSON'] };
  }
}

/** Escapes line breaks and control characters, which a member name may have. */
function escapePointer(pointer: string): string {
  return JSON.stringify(pointer).slice(1, -1);
}

/**
 * True if a text is a moment of RFC 3339 that `Date` can read. A leap second (`23:59:60`) is refused:
 * `Date.parse` returns NaN for it, and every comparison with NaN is false.
 */
export function isMoment(text: string): boolean {
  const [, year = '', month = '', day = ''] = MOMENT.exec(text) ?? [];
  if (year === '' || Number.isNaN(Date.parse(text))) return false;
  // `Date.parse` reads `2026-02-31` as a day of March.
  return new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() === Number(day);
}
