/** Writes failures as plain text, in full and in one line, for reports that other tools read. */
import { spellCommands, findKeyFile, findStart } from './commands.ts';
import { describeCause, findFailures, findWarnings, type Cause } from '../../document/causes.ts';
import { spellCurl } from './curl.ts';
import { escapeLine } from './escape.ts';
import { writeDifference } from './difference-words.ts';
import { writeAnswerLine, makeEvidenceFinder, writeKeyLine, writeRequestLine } from './evidence-lines.ts';
import type { Report, RequirementResult } from '../../document/report-document.ts';

/** A text shows this many exchanges and counts the others. */
const MOST_SHOWN = 3;

/** Returns one failure as plain text with all that a vendor needs to see it, and the other promises that its cause breaks. */
export function writeFailure(report: Report, result: RequirementResult): string {
  const exchanges = makeEvidenceFinder(report)(result);
  const cause = findCause(report, result);
  // Only the first result of a cause names the others.
  const [, ...others] = cause?.[0].id === result.id ? cause : [];
  const { id, level, section, statement, expected, received, pointer, waiver } = result;
  return [
    `${id} (${level}): ${statement}`,
    `section:  ${section}`,
    `expected: ${escapeLine(expected ?? 'see the statement')}`,
    `received: ${escapeLine(received ?? 'see the answer')}`,
    ...(writeDifference(result) === null ? [] : [`differs:  ${escapeLine(writeDifference(result) ?? '')}`]),
    ...writeInputLines(result),
    ...(pointer === null ? [] : [`at:       ${escapeLine(pointer) || 'the whole body'}`]),
    ...(others.length === 0
      ? []
      : [`also:     ${others.map((each) => each.id).join(', ')}, broken by the same cause`]),
    ...(waiver === null ? [] : [`waived:   ${writeWaiverLine(waiver)}`]),
    ...exchanges
      .slice(0, MOST_SHOWN)
      .flatMap((exchange) => [
        '',
        `request:  ${escapeLine(writeRequestLine(exchange))}`,
        ...(writeKeyLine(exchange) === null ? [] : [`key:      ${escapeLine(writeKeyLine(exchange) ?? '')}`]),
        ...(exchange.request.body === null
          ? []
          : [`body:     ${escapeLine(shortenBody(exchange.request.body))}`]),
        `answer:   ${escapeLine(writeAnswerLine(exchange))}`,
        ...(exchange.traceId == null ? [] : [`trace:    ${exchange.traceId}`]),
        spellCurl(exchange, report.target.baseUrl, findKeyFile(report)),
      ]),
    ...(exchanges.length > MOST_SHOWN
      ? ['', `and ${exchanges.length - MOST_SHOWN} more in report.json`]
      : []),
    '',
    ...spellCommands(findStart(report), result, ...others).map(
      ({ what, command }) => `${what === 'requirement' ? 'run again' : 'replay'}: ${command}`,
    ),
  ].join('\n');
}

function findCause(report: Report, { id }: RequirementResult): Cause | undefined {
  return [...findFailures(report), ...findWarnings(report)].find((cause) =>
    cause.some((each) => each.id === id),
  );
}

/** Describes a failure in one line that begins with its cause. */
export function writeCauseAndFailure(report: Report, result: RequirementResult): string {
  const cause = findCause(report, result);
  const title = cause === undefined ? '' : `${escapeLine(describeCause(report, cause))}: `;
  return `${title}${writeShortFailure(result)}`;
}

function writeInputLines({ input }: RequirementResult): string[] {
  return input === undefined ? [] : [`${`${labelInput(input)}:`.padEnd(9)} ${escapeLine(input.text)}`];
}

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
