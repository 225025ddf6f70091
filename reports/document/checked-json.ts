import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** A check of a value against a schema: every mistake in one line, with its place. */
export type Check = (value: unknown) => string[];

/** Makes a check from a JSON Schema (2020-12). Compiled when first used. */
export function checkAgainst(schema: object): Check {
  let compiled: ValidateFunction | undefined;
  return (value) => {
    compiled ??= compile(schema);
    if (compiled(value)) return [];
    return (compiled.errors ?? []).map(({ instancePath, message, params }) => `${instancePath === '' ? 'the whole' : JSON.stringify(instancePath).slice(1, -1)} ${inWords(message ?? 'is wrong', params)}`);
  };
}

/** What a person has to mend, where the words of the validator are those of its trade. */
function inWords(message: string, params: { missingProperty?: string; additionalProperty?: string; allowedValues?: unknown[] }): string {
  if (params.missingProperty !== undefined) return `lacks ${JSON.stringify(params.missingProperty)}`;
  if (params.additionalProperty !== undefined) return `has ${JSON.stringify(params.additionalProperty)}, which does not belong there`;
  if (params.allowedValues !== undefined) return `must be one of ${params.allowedValues.map((each) => JSON.stringify(each)).join(', ')}`;
  return message;
}

function compile(schema: object): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  formats.default(ajv);
  return ajv.compile(schema);
}

/** Reads a text as JSON and checks it; either the value or what is wrong with the text. */
export function readChecked<T>(text: string, check: Check): { value: T } | { mistakes: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return { mistakes: ['it is not JSON'] };
  }
  const mistakes = check(value);
  return mistakes.length > 0 ? { mistakes } : { value: value as T };
}
