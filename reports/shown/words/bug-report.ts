/** Writes one cause as a bug report in Markdown, ready to paste into a tracker. Pure. */
import { describeCause, type Cause } from '../../document/causes.ts';
import type { Report } from '../../document/report-document.ts';
import { findShowing } from '../../document/shown-exchange.ts';
import { layOutBody, writeBodyLine } from './body-lines.ts';
import { spellCommands, findKeyFile, findStart } from './commands.ts';
import { spellCurl } from './curl.ts';
import { writeDifference } from './difference-words.ts';
import { escapeMarkdown, writeMarkdownBlock, writeMarkdownCode } from './escape.ts';
import { writeAnswerLine, makeEvidenceFinder, writeRequestLine } from './evidence-lines.ts';
import { writeExampleLines } from './example-lines.ts';
import { writeShortFailure } from './failure-text.ts';
import { writeShareLines } from './share-lines.ts';
import { writeBrokenSince, writeMinute } from './since-words.ts';
import { capitalize } from './sentence.ts';
import { writeSubjectInFull } from './subject-words.ts';

/** A list has at most MOST_LISTED lines, a text at most LONGEST_TEXT characters. */
const MOST_LISTED = 12;
const LONGEST_TEXT = 1_000;

/** Returns title, target, promise, expected and received, the request with its answer, and the commands that repeat it. */
export function writeBugReport(report: Report, cause: Cause): string {
  const [first] = cause;
  return [
    // One `#` only: some CI systems read `##[` in a log as a command.
    `# ${escapeMarkdown(describeCause(report, cause))}`,
    writeJudgedLines(report),
    `**Promise** ${code(first.id)} (${first.level}, section “${escapeMarkdown(first.section)}”): ${escapeMarkdown(first.statement)}`,
    writeDifferenceLines(report, cause),
    ...writeExchangeParts(report, cause),
    ...writeListPart('The same fails for', writeExampleLines(report, cause).map(code)),
    ...writeListPart(
      'The same cause breaks',
      cause.slice(1).map((each) => `${code(each.id)}: ${escapeMarkdown(cut(writeShortFailure(each)))}`),
    ),
    '**Judge it again**',
    writeMarkdownBlock(
      spellCommands(findStart(report), ...cause)
        .map(({ command }) => command)
        .join('\n'),
      'sh',
    ),
  ].join('\n\n');
}

function writeJudgedLines({ target, run, suite, specification }: Report): string {
  const { baseUrl, subject } = target;
  return [
    `- Service: ${code(baseUrl)}${subject == null ? '' : `, ${code(writeSubjectInFull(subject))}`}`,
    `- Seen: ${writeMinute(run.startedAt)}, run ${code(run.id)}`,
    `- Judged by: interface ${escapeMarkdown(specification.version)}, ${escapeMarkdown(suite.name)} ${escapeMarkdown(suite.version)}`,
  ].join('\n');
}

function writeDifferenceLines(report: Report, cause: Cause): string {
  const [first] = cause;
  const { expected, received, pointer } = first;
  const difference = writeDifference(first);
  const since = writeBrokenSince(report, first);
  return [
    `- Expected: ${code(expected ?? 'see the promise')}`,
    `- Received: ${code(received ?? 'see the answer')}${pointer ? ` at ${code(pointer)}` : ''}`,
    ...(difference === null ? [] : [`- First difference: ${code(difference)}`]),
    ...(since === null ? [] : [`- ${capitalize(escapeMarkdown(since))}`]),
    ...writeShareLines(report, cause).map((line) => `- How often: ${code(line)}`),
  ].join('\n');
}

function writeExchangeParts(report: Report, [first]: Cause): string[] {
  const exchange = findShowing(makeEvidenceFinder(report)(first), first);
  if (exchange === undefined) return [];
  const { request, response, traceId, startedAt } = exchange;
  const headers = (response?.headers ?? []).map((each) => each.join(': '));
  const answer = [writeAnswerLine(exchange), ...headers, '', writeBody(response?.body ?? '', first.pointer)];
  const trace = traceId == null ? '' : `, trace ${code(traceId)}`;
  return [
    `**Request** ${code(writeRequestLine(exchange))} at ${escapeMarkdown(startedAt)}${trace}`,
    ...(request.body === null ? [] : [writeMarkdownBlock(cut(request.body), '')]),
    '**Answer**',
    writeMarkdownBlock(answer.join('\n').trimEnd(), ''),
    '**See it again** (the key in `API_KEY`)',
    writeMarkdownBlock(spellCurl(exchange, report.target.baseUrl, findKeyFile(report)), 'sh'),
  ];
}

/** Returns the body; of a long one, the lines around the place that is wrong. */
function writeBody(text: string, pointer: string | null): string {
  return text.length > LONGEST_TEXT ? layOutBody(text, pointer).map(writeBodyLine).join('\n') : text;
}

function writeListPart(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MOST_LISTED;
  return [
    `**${title}**`,
    [
      ...lines.slice(0, MOST_LISTED).map((line) => `- ${line}`),
      ...(more > 0 ? [`- … and ${more} more`] : []),
    ].join('\n'),
  ];
}

function code(text: string): string {
  return writeMarkdownCode(cut(text));
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
