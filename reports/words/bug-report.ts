/** Writes one cause as a bug report in Markdown, ready to paste into a tracker. Pure. */
import { describeCause, type Cause } from '../document/causes.ts';
import type { Report } from '../document/report.ts';
import { findShowing } from '../document/shown-exchange.ts';
import { commandsFor, keyFileOf, startOf } from './commands.ts';
import { curlCommand } from './curl.ts';
import { differenceLine } from './difference-words.ts';
import { markdown, markdownBlock, markdownCode } from './escape.ts';
import { answerLine, evidenceIn, requestLine } from './evidence-lines.ts';
import { exampleLines } from './example-lines.ts';
import { shortFailure } from './failure-text.ts';
import { shareLines } from './shares.ts';
import { brokenSinceLine, minuteOf } from './since-words.ts';
import { subjectInFull } from './subject.ts';

/** LISTED limits the lines of a list, LONGEST the characters of a text. */
const LISTED = 12;
const LONGEST = 1_000;

/**
 * Returns title, target, promise, expected and received, the request with its answer, and the commands that
 * repeat it.
 */
export function bugReport(report: Report, cause: Cause): string {
  const [first] = cause;
  return [
    // One `#` only: some CI systems read `##[` in a log as a command.
    `# ${markdown(describeCause(report, cause))}`,
    judgedLines(report),
    `**Promise** ${code(first.id)} (${first.level}, section “${markdown(first.section)}”): ${markdown(first.statement)}`,
    differenceLines(report, cause),
    ...exchangeParts(report, cause),
    ...listPart('The same fails for', exampleLines(report, cause).map(code)),
    ...listPart(
      'The same cause breaks',
      cause.slice(1).map((each) => `${code(each.id)}: ${markdown(cut(shortFailure(each)))}`),
    ),
    '**Judge it again**',
    markdownBlock(
      commandsFor(startOf(report), ...cause)
        .map(({ command }) => command)
        .join('\n'),
      'sh',
    ),
  ].join('\n\n');
}

function judgedLines({ target, run, suite, specification }: Report): string {
  const { baseUrl, subject } = target;
  return [
    `- Service: ${code(baseUrl)}${subject == null ? '' : `, ${code(subjectInFull(subject))}`}`,
    `- Seen: ${minuteOf(run.startedAt)}, run ${code(run.id)}`,
    `- Judged by: interface ${markdown(specification.version)}, ${markdown(suite.name)} ${markdown(suite.version)}`,
  ].join('\n');
}

function differenceLines(report: Report, cause: Cause): string {
  const [first] = cause;
  const { expected, received, pointer } = first;
  const difference = differenceLine(first);
  const often = [brokenSinceLine(report, first) ?? [], shareLines(report, cause)].flat();
  return [
    `- Expected: ${code(expected ?? 'see the promise')}`,
    `- Received: ${code(received ?? 'see the answer')}${pointer ? ` at ${code(pointer)}` : ''}`,
    ...(difference === null ? [] : [`- First difference: ${code(difference)}`]),
    ...often.map((line) => `- How often: ${code(line)}`),
  ].join('\n');
}

function exchangeParts(report: Report, [first]: Cause): string[] {
  const exchange = findShowing(evidenceIn(report)(first), first);
  if (exchange === undefined) return [];
  const { request, response, traceId, startedAt } = exchange;
  const headers = (response?.headers ?? []).map((each) => each.join(': '));
  const answer = [answerLine(exchange), ...headers, '', cut(response?.body ?? '')];
  const trace = traceId == null ? '' : `, trace ${code(traceId)}`;
  return [
    `**Request** ${code(requestLine(exchange))} at ${markdown(startedAt)}${trace}`,
    ...(request.body === null ? [] : [markdownBlock(cut(request.body), '')]),
    '**Answer**',
    markdownBlock(answer.join('\n').trimEnd(), ''),
    '**See it again** (the key in `API_KEY`)',
    markdownBlock(curlCommand(exchange, report.target.baseUrl, keyFileOf(report)), 'sh'),
  ];
}

function listPart(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - LISTED;
  return [
    `**${title}**`,
    [
      ...lines.slice(0, LISTED).map((line) => `- ${line}`),
      ...(more > 0 ? [`- … and ${more} more`] : []),
    ].join('\n'),
  ];
}

function code(text: string): string {
  return markdownCode(cut(text));
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
