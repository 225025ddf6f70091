/** Writes parts of a failure in one line each: expected and received, the generated input, the waiver, where texts differ. */
import { escapeLine } from './escape.ts';
import type { RequirementResult } from '../../document/report-document.ts';

/**
 * Returns the class of the generated input that shows a failure, e.g. `a number with a fraction as categoryId`, with its label. Null: it has
 * no class, or there is no such input. The value itself is of a generator: a reader does not understand `{"isEncoded":true}`.
 */
export function findInput({ input }: Pick<RequirementResult, 'input'>): [label: string, text: string] | null {
  const [, inputClass] = / \(([^()]*)\)$/.exec(input?.text ?? '') ?? [];
  return inputClass === undefined ? null : ['generated', inputClass];
}

/** The most characters of a request's body in a line. */
const LONGEST_BODY = 300;

/** Cuts the body of a request after `longest` characters. An empty body becomes `(empty)`, because a reader would not see it. */
export function shortenBody(body: string, longest = LONGEST_BODY): string {
  if (body === '') return '(empty)';
  if (body.trim() === '') return `(white space: ${JSON.stringify(body.slice(0, longest))})`;
  if (body.length <= longest) return body;
  return `${body.slice(0, longest)}… (${body.length} characters)`;
}

/** Returns a waiver in one line: until when, the owner, the ticket and the reason. */
export function writeWaiverLine(waiver: NonNullable<RequirementResult['waiver']>): string {
  const { expires, owner, ticket, reason } = waiver;
  return escapeLine(`until ${expires} by ${owner} (${ticket}): ${reason}`);
}

/** Returns expected and received in one line, for places without room for more. */
export function writeShortFailure(result: RequirementResult): string {
  const { pointer } = result;
  const { expected, received } = shortenSides(result);
  const at = pointer ? ` at ${pointer}` : '';
  const input = findInput(result);
  const by = input === null ? '' : `; ${input.join(': ')}`;
  return escapeLine(`expected ${expected}; received ${received}${at}${by}`);
}

/** The most characters of `expected` and `received`, if another line shows the place where they differ. */
const LONGEST_SIDE = 40;

/** The right value and the received one, in words. */
type Sides = Record<'expected' | 'received', string>;

/** Returns expected and received. A report that others wrote may lack them. */
export function writeSides({ expected, received, reason }: RequirementResult): Sides {
  return {
    expected: expected ?? 'what the statement says',
    received: received ?? reason ?? 'see the answer',
  };
}

/** Returns expected and received. If they differ somewhere in long texts, returns their beginnings: another line shows the place. */
export function shortenSides(result: RequirementResult): Sides {
  const { expected, received } = writeSides(result);
  if (result.difference === undefined) return { expected, received };
  return { expected: shortenBody(expected, LONGEST_SIDE), received: shortenBody(received, LONGEST_SIDE) };
}

/**
 * Returns one line: `from character 9 on, behind "a long n": "AME" (U+0041) in place of "ame" (U+0061)`; null if the result has
 * no difference.
 */
export function writeDifference({ difference }: Pick<RequirementResult, 'difference'>): string | null {
  if (difference === undefined) return null;
  const { character, before, expected, received } = difference;
  return `from character ${character} on, behind ${JSON.stringify(before)}: ${writeDifferingPart(received)} in place of ${writeDifferingPart(expected)}`;
}

/** Writes an empty part as `the end`, because the text has no character there. */
function writeDifferingPart(part: string): string {
  const [first] = part;
  if (first === undefined) return 'the end';
  return `${JSON.stringify(part)} (${spellCode(first)})`;
}

/** Returns the code of a character, for example `U+00DF`: some characters are invisible, and some look alike. */
export function spellCode(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
