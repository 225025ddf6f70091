/** Writes parts of a failure in one line each: expected and received, the generated input, the waiver, where texts differ. */
import { escapeLine } from './escape.ts';
import type { RequirementResult } from '../../document/report-document.ts';

/**
 * Returns the class of the generated input that shows a failure, e.g. `a number with a fraction as categoryId`. Null: it has no class, or
 * there is no such input. The value itself is of a generator: a reader does not understand `{"isEncoded":true}`.
 */
export function findInputClass({ input }: Pick<RequirementResult, 'input'>): string | null {
  return / \(([^()]*)\)$/.exec(input?.text ?? '')?.[1] ?? null;
}

/** The most characters of a text in a line, e.g. of a request's body. */
const LONGEST_IN_LINE = 300;

/** Cuts a text after `longest` characters. An empty text becomes `(empty)`, because a reader would not see it. */
export function shortenText(text: string, longest = LONGEST_IN_LINE): string {
  if (text === '') return '(empty)';
  if (text.trim() === '') return `(white space: ${JSON.stringify(text.slice(0, longest))})`;
  if (text.length <= longest) return text;
  return `${text.slice(0, longest)}… (${text.length} characters)`;
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
  const at = pointer ? ` (at ${pointer})` : '';
  const input = findInputClass(result);
  const by = input === null ? '' : `; generated: ${input}`;
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
  return { expected: shortenText(expected, LONGEST_SIDE), received: shortenText(received, LONGEST_SIDE) };
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

/** Writes a differing part with its first code: `"AME" (U+0041)`; an empty one as `the end`. */
function writeDifferingPart(part: string): string {
  const code = spellFirstCode(part);
  return part === '' ? code : `${JSON.stringify(part)} (${code})`;
}

/** Returns the code of the first character, e.g. `U+00DF`: some are invisible, and some look alike. Of an empty part: `the end`. */
export function spellFirstCode(part: string): string {
  const code = part.codePointAt(0);
  return code === undefined ? 'the end' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
