/** Writes parts of a failure in one line. */
import { escapeLine } from './escape.ts';
import type { RequirementResult } from '../../document/report-document.ts';

/** Returns the label of an input that shows a failure. */
export function labelInput({ isSmallest }: NonNullable<RequirementResult['input']>): string {
  return isSmallest ? 'smallest' : 'shown by';
}

/** The most characters of a request's body in a line. */
const LONGEST_BODY = 300;

/**
 * Shortens the body of a request to one line.
 * @param longest the most characters that fit
 */
export function shortenBody(body: string, longest = LONGEST_BODY): string {
  if (body === '') return '(empty)';
  if (body.trim() === '') return `(white space: ${JSON.stringify(body.slice(0, longest))})`;
  if (body.length <= longest) return body;
  return `${body.slice(0, longest)}… (${body.length} characters)`;
}

/** Returns a waiver in one line: until when, the owner, the ticket and the reason. */
export function writeWaiverLine({
  expires,
  owner,
  ticket,
  reason,
}: NonNullable<RequirementResult['waiver']>): string {
  return escapeLine(`until ${expires} by ${owner} (${ticket}): ${reason}`);
}

/** Returns expected and received in one line, for places without room for more. */
export function writeShortFailure({ expected, received, pointer, reason, input }: RequirementResult): string {
  if (expected === null && received === null) return escapeLine(reason ?? 'see the report');
  const at = pointer ? ` at ${pointer}` : '';
  const by = input === undefined ? '' : `; ${labelInput(input)}: ${input.text}`;
  return escapeLine(
    `expected ${expected ?? 'otherwise'}; received ${received ?? 'something else'}${at}${by}`,
  );
}
