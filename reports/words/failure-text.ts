import { commandsFor, keyFileOf, startOf } from './commands.ts';
import { describeCause, findFailures, findWarnings, type Cause } from '../document/causes.ts';
import { curlCommand } from './curl.ts';
import { visible } from './escape.ts';
import { differenceLine } from './difference-words.ts';
import { answerLine, evidenceIn, keyLine, requestLine } from './evidence-lines.ts';
import type { Report, RequirementResult } from '../document/report.ts';

/** A text shows this many exchanges and counts the others. */
const SHOWN = 3;

/**
 * Returns one failure as plain text with all that a vendor needs to see it, and the other promises that its
 * cause breaks.
 */
export function failureText(report: Report, result: RequirementResult): string {
  const exchanges = evidenceIn(report)(result);
  const cause = causeOf(report, result);
  const [, ...others] = cause?.[0].id === result.id ? cause : [];
  const { id, level, section, statement, expected, received, pointer, waiver } = result;
  return [
    `${id} (${level}): ${statement}`,
    `section:  ${section}`,
    `expected: ${visible(expected ?? 'see the statement')}`,
    `received: ${visible(received ?? 'see the answer')}`,
    ...(differenceLine(result) === null ? [] : [`differs:  ${visible(differenceLine(result) ?? '')}`]),
    ...inputLines(result),
    ...(pointer === null ? [] : [`at:       ${visible(pointer) || 'the whole body'}`]),
    ...(others.length === 0
      ? []
      : [`also:     ${others.map((each) => each.id).join(', ')}, broken by the same cause`]),
    ...(waiver === null ? [] : [`waived:   ${waiverLine(waiver)}`]),
    ...exchanges
      .slice(0, SHOWN)
      .flatMap((exchange) => [
        '',
        `request:  ${visible(requestLine(exchange))}`,
        ...(keyLine(exchange) === null ? [] : [`key:      ${visible(keyLine(exchange) ?? '')}`]),
        ...(exchange.request.body === null
          ? []
          : [`body:     ${visible(bodyInShort(exchange.request.body))}`]),
        `answer:   ${visible(answerLine(exchange))}`,
        ...(exchange.traceId == null ? [] : [`trace:    ${exchange.traceId}`]),
        curlCommand(exchange, report.target.baseUrl, keyFileOf(report)),
      ]),
    ...(exchanges.length > SHOWN ? ['', `and ${exchanges.length - SHOWN} more in report.json`] : []),
    '',
    ...commandsFor(startOf(report), result, ...others).map(
      ({ what, command }) => `${what === 'requirement' ? 'run again' : 'replay'}: ${command}`,
    ),
  ].join('\n');
}

function causeOf(report: Report, { id }: RequirementResult): Cause | undefined {
  return [...findFailures(report), ...findWarnings(report)].find((cause) =>
    cause.some((each) => each.id === id),
  );
}

/** Describes a failure in one line that begins with its cause. */
export function causeAndFailure(report: Report, result: RequirementResult): string {
  const cause = causeOf(report, result);
  const title = cause === undefined ? '' : `${visible(describeCause(report, cause))}: `;
  return `${title}${shortFailure(result)}`;
}

function inputLines({ input }: RequirementResult): string[] {
  return input === undefined ? [] : [`${`${inputLabel(input)}:`.padEnd(9)} ${visible(input.text)}`];
}

/** Returns the label of an input that shows a failure. */
export function inputLabel({ isSmallest }: NonNullable<RequirementResult['input']>): string {
  return isSmallest ? 'smallest' : 'shown by';
}

/** The most characters of a request's body in a line. */
const LONGEST_BODY = 300;

/**
 * Shortens the body of a request to one line.
 * @param longest the most characters that fit
 */
export function bodyInShort(body: string, longest = LONGEST_BODY): string {
  if (body === '') return '(empty)';
  if (body.trim() === '') return `(white space: ${JSON.stringify(body.slice(0, longest))})`;
  if (body.length <= longest) return body;
  return `${body.slice(0, longest)}… (${body.length} characters)`;
}

/** Returns a waiver in one line: until when, the owner, the ticket and the reason. */
export function waiverLine({
  expires,
  owner,
  ticket,
  reason,
}: NonNullable<RequirementResult['waiver']>): string {
  return visible(`until ${expires} by ${owner} (${ticket}): ${reason}`);
}

/** Returns expected and received in one line, for places without room for more. */
export function shortFailure({ expected, received, pointer, reason, input }: RequirementResult): string {
  if (expected === null && received === null) return visible(reason ?? 'see the report');
  const at = pointer ? ` at ${pointer}` : '';
  const by = input === undefined ? '' : `; ${inputLabel(input)}: ${input.text}`;
  return visible(`expected ${expected ?? 'otherwise'}; received ${received ?? 'something else'}${at}${by}`);
}
