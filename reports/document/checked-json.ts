import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { JsonTooDeep, readJson } from '../../fixtures/exchange/json.ts';

/** A check of a value against a schema: every mistake in one line, with its place. */
export type Check = (value: unknown) => string[];

/** What was read, or what is wrong with it. */
export type Checked<T> = { value: T } | { mistakes: string[] };

/** Values in one file of JSON: beyond, it is none that the suite or a person wrote. */
const MOST_VALUES = 2_000_000;
const UTF8 = new TextDecoder('utf-8', { fatal: true });
const MOMENT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Makes a check from a JSON Schema (2020-12). Compiled when first used. `mistakes`: all, where a person mends them; the
 * first, where a program wrote the file: one of others may have millions.
 */
export function checkAgainst(schema: object, mistakes: 'all' | 'first' = 'all'): Check {
  let compiled: ValidateFunction | undefined;
  return (value) => {
    compiled ??= compile(schema, mistakes === 'all');
    if (compiled(value)) return [];
    return (compiled.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath === '' ? 'the whole' : visible(instancePath)} ${inWords(message ?? 'is wrong', params)}`,
    );
  };
}

/** What a person has to mend, where the words of the validator are those of its trade. */
function inWords(
  message: string,
  params: { missingProperty?: string; additionalProperty?: string; allowedValues?: unknown[] },
): string {
  if (params.missingProperty !== undefined) return `lacks ${JSON.stringify(params.missingProperty)}`;
  if (params.additionalProperty !== undefined)
    return `has ${JSON.stringify(params.additionalProperty)}, which does not belong there`;
  if (params.allowedValues !== undefined)
    return `must be one of ${params.allowedValues.map((each) => JSON.stringify(each)).join(', ')}`;
  return message;
}

function compile(schema: object, allErrors: boolean): ValidateFunction {
  const ajv = new Ajv2020({
    allErrors,
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
  const parsed = parse(text);
  if ('mistakes' in parsed) return parsed;
  const mistakes = check(parsed.value);
  return mistakes.length > 0 ? { mistakes } : { value: parsed.value as T };
}

function parse(text: string | Uint8Array): Checked<unknown> {
  try {
    const plain = (typeof text === 'string' ? text : UTF8.decode(text)).replace(/^\ufeff/, '');
    const {
      duplicates: [twice],
    } = readJson(plain, MOST_VALUES);
    // numbers as every other reader has them
    return twice === undefined
      ? { value: JSON.parse(plain) as unknown }
      : { mistakes: [`${visible(twice)} is there twice`] };
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
