import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { JsonTooDeep, readJson } from '../../fixtures/exchange/json.ts';

/** A check of a value against a schema: every mistake in one line, with its place. */
export interface Check {
  (value: unknown): string[];
  /** A place in the words of whoever wrote the value. */
  placeOf?(pointer: string, value: unknown): string;
}

/** What was read, or what is wrong with it. */
export type Checked<T> = { value: T } | { mistakes: string[] };

/** Values in one file of JSON: neither the suite nor a person writes more. */
const MOST_VALUES = 2_000_000;
const UTF8 = new TextDecoder('utf-8', { fatal: true });
const MOMENT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** What the validator says of a mistake besides its words. */
interface Params {
  type?: string;
  format?: string;
  pattern?: string;
  missingProperty?: string;
  additionalProperty?: string;
  allowedValues?: unknown[];
}

/** What the entries of a list are called by whoever wrote it, and which member names one. */
interface Entries {
  noun: string;
  by: string;
}

/** An entry of a list as people count: `waiver 1 (list-pets.limit)`. */
export function entryInWords({ noun, by }: Entries, index: number, entry: unknown): string {
  const name = (entry as Record<string, unknown> | null)?.[by];
  return `${noun} ${index + 1}${typeof name === 'string' ? ` (${visible(name.slice(0, 64))})` : ''}`;
}

/**
 * Makes a check from a JSON Schema (2020-12). Compiled when first used. `mistakes`: all, if a person mends them; the
 * first, if a program wrote the file: one of others may have millions.
 */
export function checkAgainst(schema: object, mistakes: 'all' | 'first' = 'all', entries?: Entries): Check {
  let compiled: ValidateFunction | undefined;
  const placeOf = (pointer: string, value: unknown) =>
    entries === undefined ? visible(pointer) || 'it' : placeInWords(pointer, value, entries);
  const check = (value: unknown) => {
    compiled ??= compile(schema, mistakes === 'all');
    if (compiled(value)) return [];
    return (compiled.errors ?? [])
      .filter(({ schemaPath }) => mistakes === 'first' || !schemaPath.includes('/oneOf/'))
      .map((each) => `${placeOf(each.instancePath, value)} ${inWords(each)}`);
  };
  return Object.assign(check, { placeOf });
}

function placeInWords(pointer: string, value: unknown, entries: Entries): string {
  const [, first, ...rest] = pointer.split('/');
  if (first === undefined) return 'it';
  const index = Number(first);
  const entry = entryInWords(entries, index, (value as unknown[])[index]);
  return rest.length === 0 ? entry : `${entry}: ${JSON.stringify(rest.join('/'))}`;
}

/** Types of JSON as people call them. */
const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  string: 'a text',
};

/** What a person has to mend, if the words of the validator are those of its trade. */
function inWords({ keyword, message = 'is wrong', params: all, schema }: ErrorObject): string {
  const params = all as Params;
  if (keyword === 'oneOf' && Array.isArray(schema)) return `must have exactly one of ${namesIn(schema)}`;
  if (params.format === 'date') return 'must be a day, such as 2027-01-31';
  if (params.pattern === String.raw`\S`) return 'must not be empty';
  const kind = KINDS[params.type ?? ''];
  if (kind !== undefined) return `must be ${kind}`;
  if (params.missingProperty !== undefined) return `lacks ${JSON.stringify(params.missingProperty)}`;
  if (params.additionalProperty !== undefined)
    return `has ${JSON.stringify(params.additionalProperty)}, which does not belong there`;
  if (params.allowedValues !== undefined)
    return `must be one of ${params.allowedValues.map((each) => JSON.stringify(each)).join(', ')}`;
  return message;
}

/** The members of which alternatives demand one each. */
function namesIn(alternatives: readonly { required?: string[] }[]): string {
  return alternatives
    .flatMap(({ required = [] }) => required)
    .map((each) => JSON.stringify(each))
    .join(' and ');
}

function compile(schema: object, allErrors: boolean): ValidateFunction {
  const ajv = new Ajv2020({
    allErrors,
    // with the schema that was broken
    verbose: allErrors,
    strict: true,
    allowUnionTypes: true,
    // the schemas are ours
    meta: false,
    validateSchema: false,
  });
  formats.default(ajv);
  ajv.addFormat('date-time', isMoment);
  return ajv.compile(schema);
}

/**
 * Reads a text, or the bytes of one, as JSON and checks it. Two members of one name are a mistake: readers differ in which
 * of them they take.
 */
export function readChecked<T>(text: string | Uint8Array, check: Check): Checked<T> {
  const parsed = parse(text, check);
  if ('mistakes' in parsed) return parsed;
  const mistakes = check(parsed.value);
  return mistakes.length > 0 ? { mistakes } : { value: parsed.value as T };
}

function parse(text: string | Uint8Array, check: Check): Checked<unknown> {
  try {
    const plain = (typeof text === 'string' ? text : UTF8.decode(text)).replace(/^\ufeff/, '');
    const {
      duplicates: [twice],
    } = readJson(plain, MOST_VALUES);
    // numbers as every other reader has them
    const value: unknown = JSON.parse(plain);
    return twice === undefined
      ? { value }
      : { mistakes: [`${check.placeOf?.(twice, value) ?? visible(twice)} is there twice`] };
  } catch (error) {
    if (error instanceof JsonTooDeep) return { mistakes: [`it is not read: ${error.message}`] };
    return { mistakes: [error instanceof TypeError ? 'it is not UTF-8' : 'it is not JSON'] };
  }
}

/** One line, whatever a name of a member holds. */
function visible(pointer: string): string {
  return JSON.stringify(pointer).slice(1, -1);
}

/**
 * Whether a text is a moment of RFC 3339 that every part of the suite can reckon with. A leap second is none: JavaScript has
 * no time for it, and a comparison with no time always fails.
 */
function isMoment(text: string): boolean {
  const [, year = '', month = '', day = ''] = MOMENT.exec(text) ?? [];
  if (year === '' || Number.isNaN(Date.parse(text))) return false;
  // the 31st of a shorter month would be a day of the next one
  return new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() === Number(day);
}
