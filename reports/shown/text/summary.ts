/** Writes the result of a run as Markdown, for the job page of a CI system. */
import type { Evidence } from '../../../fixtures/exchange/exchange.ts';
import { findBlockedBy, writeCauseLine, findUndecidedAlone } from '../words/blocked.ts';
import { describeCause, findFailures, findWarnings, type Cause } from '../../document/causes.ts';
import { spellCommands, findKeyFile, findStart } from '../words/commands.ts';
import { spellCurl } from '../words/curl.ts';
import {
  escapeHtml,
  escapeMarkdown,
  writeMarkdownBlock,
  writeMarkdownCode,
  escapeLine,
} from '../words/escape.ts';
import { writeDifference } from '../words/difference-words.ts';
import {
  writeAnswerLine,
  makeEvidenceFinder,
  writeKeyLine,
  writeRequestLine,
} from '../words/evidence-lines.ts';
import { writeExampleLines } from '../words/example-lines.ts';
import { shortenBody, labelInput, writeWaiverLine } from '../words/failure-text.ts';
import { writeProfileLine, isQuestionAsked } from '../words/profile-words.ts';
import { writeShareLines } from '../words/share-lines.ts';
import { writeBrokenSince, writeSinceLine } from '../words/since-words.ts';
import { writeSubjectInFull } from '../words/subject-words.ts';
import { describePutOff } from '../words/put-off.ts';
import { findShortfall } from '../words/shortfall.ts';
import type { Report, RequirementResult, Verdict } from '../../document/report-document.ts';
import { groupBySection } from '../../document/group-by-section.ts';
import { findShowing } from '../../document/shown-exchange.ts';
import {
  countNoun,
  describeExitCode,
  writeHeadline,
  chooseSymbol,
  writeDuration,
  writeLegend,
  SYMBOLS,
  VERDICTS,
  VERDICT_WORDS,
} from '../words/verdict-words.ts';

/** At most MOST_SHOWN failures are shown in full; any other list has at most MOST_LISTED lines. */
const MOST_SHOWN = 10;
const MOST_LISTED = 20;
/** The most characters of a text from the target. */
const LONGEST_TEXT = 500;

/** Returns the run as Markdown for the job page of a CI system. */
export function renderSummary(report: Report): string {
  const { run, target, suite, specification } = report;
  const causes = findFailures(report);
  const putOff = describePutOff(run);
  return [
    `# ${chooseSymbol(report)} ${writeHeadline(report)}, ${describeExitCode(report)}`,
    ...[writeSinceLine(report) ?? []].flat().map((line) => `**${escapeMarkdown(line)}**`),
    escapeMarkdown(report.reason),
    ...renderShortfall(report),
    [
      `- Target: ${code(target.baseUrl)}${target.embedded ? ' (the embedded reference)' : ''}`,
      ...(target.subject == null ? [] : [`- Judged: ${code(writeSubjectInFull(target.subject))}`]),
      `- Interface ${escapeMarkdown(specification.version)}, judged by ${escapeMarkdown(suite.name)} ${escapeMarkdown(suite.version)}`,
      `- ${escapeMarkdown(run.startedAt)}, ${writeDuration(run.durationMs)}, ${countNoun(run.requests, 'request')}, ${run.mode}, seed ${run.seed}`,
      ...(putOff === null ? [] : [`- ${putOff}`]),
    ].join('\n'),
    renderCountsTable(report),
    ...renderSections(report),
    writeLegend(report),
    ...renderFailures(report, causes),
    ...renderResults(
      'Warnings',
      findWarnings(report).flat(),
      (each) => `expected ${code(each.expected ?? '')}, received ${code(each.received ?? '')}`,
    ),
    ...renderResults('Undecided, and what to do', findUndecidedAlone(report, causes), ({ reason }) =>
      escapeMarkdown(cut(reason ?? '')),
    ),
    ...renderFootprint(report),
    ...renderProfile(report),
    '',
  ].join('\n\n');
}

function renderShortfall(report: Report): string[] {
  const short = findShortfall(report);
  if (short === null) return [];
  return [
    `**${escapeMarkdown(short.what)}**${short.last === null ? '' : ` The last request was ${code(short.last)}.`} ${escapeMarkdown(short.remedy)}${short.command === null ? '' : ` A whole run decides: ${code(short.command)}`}`,
  ];
}

/** Returns one line for each section that has promises, with a symbol for each promise in the order of the document. */
function renderSections(report: Report): string[] {
  if (findShortfall(report)?.kind === 'unreachable') return [];
  const lines = groupBySection(report)
    .filter(({ requirements }) => requirements.length > 0)
    .map(({ title, requirements }) => {
      const signs = requirements.map(({ verdict }) => SYMBOLS[verdict]).join('');
      return `${signs}  ${title}`;
    });
  return [renderFold('Every promise in one look', [writeMarkdownBlock(lines.join('\n'), '')])];
}

function renderCountsTable({ counts }: Report): string {
  const row = (verdict: Verdict) =>
    `| ${SYMBOLS[verdict]} ${VERDICT_WORDS[verdict]} | ${counts.must[verdict]} | ${counts.should[verdict]} |`;
  const inPart =
    counts.must.inPart + counts.should.inPart > 0
      ? [`| of these in part | ${counts.must.inPart} | ${counts.should.inPart} |`]
      : [];
  const rows = VERDICTS.flatMap((verdict) =>
    verdict === 'pass' ? [row(verdict), ...inPart] : [row(verdict)],
  );
  return ['| | must | should |', '|---|--:|--:|', ...rows].join('\n');
}

function renderFailures(report: Report, causes: readonly Cause[]): string[] {
  if (causes.length === 0) return [];
  const more = causes.length - MOST_SHOWN;
  return [
    `## ${countNoun(causes.length, 'failure')}`,
    ...(causes.length === 1 ? [] : [causes.map((each) => renderCauseLine(report, each)).join('\n')]),
    ...causes.slice(0, MOST_SHOWN).map((each) => renderFailure(report, each)),
    ...(more > 0
      ? [`… and ${countNoun(more, 'more failure')}, all in conformance.html and report.json.`]
      : []),
  ];
}

/** Returns a line for a cause in the list at the top. */
function renderCauseLine(report: Report, cause: Cause): string {
  return `1. ${escapeMarkdown(writeCauseLine(report, cause))} ${code(cause[0].id)}`;
}

function renderFailure(report: Report, cause: Cause): string {
  const [first] = cause;
  const exchange = findShowing(makeEvidenceFinder(report)(first), first);
  const curl = exchange === undefined ? '' : spellCurl(exchange, report.target.baseUrl, findKeyFile(report));
  return [
    `<details open>\n<summary>${SYMBOLS[first.verdict]} ${escapeHtml(escapeLine(describeCause(report, cause)))} <code>${escapeHtml(first.id)}</code></summary>`,
    renderFacts(report, cause, exchange)
      .filter(([, text]) => text !== null)
      .map(([label, text]) => `- ${label}: ${text}`)
      .join('\n'),
    writeMarkdownBlock(
      [
        ...(curl === '' || curl.length > 4 * LONGEST_TEXT ? [] : [`# the same request\n${curl}`]),
        ...spellCommands(findStart(report), ...cause).map(
          ({ what, command }) => `# this ${what} again\n${command}`,
        ),
      ].join('\n\n'),
      'sh',
    ),
    '</details>',
  ].join('\n\n');
}

/** Joins texts in one line, as code; null if there are none. */
function renderInLine(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : texts.slice(0, MOST_LISTED).map(code).join('; ');
}

/** Returns facts about a cause with their labels. A fact whose text is null is not shown. */
function renderFacts(
  report: Report,
  cause: Cause,
  exchange: Evidence | undefined,
): [label: string, text: string | null][] {
  const [first, ...others] = cause;
  const { statement, section, expected, received, pointer, waiver, input } = first;
  const difference = writeDifference(first);
  const also = others.map(({ id }) => code(id)).join(', ');
  const blocked = findBlockedBy(report, cause).length;
  return [
    ['promise', `${escapeMarkdown(statement)} (section ${escapeMarkdown(section)})`],
    ['expected', code(expected ?? 'see the statement')],
    ['received', `${code(received ?? 'see the answer')}${pointer ? ` at ${code(pointer)}` : ''}`],
    ['differs', difference && code(difference)],
    ...(input === undefined ? [] : [[labelInput(input), code(input.text)] as [string, string]]),
    ['history', writeBrokenSince(report, first)],
    ['how often', renderInLine(writeShareLines(report, cause))],
    ['also fails', renderInLine(writeExampleLines(report, cause))],
    ['waived', waiver && escapeMarkdown(writeWaiverLine(waiver))],
    ['exchange', exchange === undefined ? null : renderExchangeInShort(exchange)],
    ['trace', exchange?.traceId == null ? null : code(exchange.traceId)],
    ['broken by the same cause', also || null],
    ['undecided because of this', blocked === 0 ? null : countNoun(blocked, 'requirement')],
  ];
}

function renderExchangeInShort(exchange: Evidence): string {
  const { body } = exchange.request;
  const sent = body === null ? '' : ` with ${code(shortenBody(body))}`;
  const key = writeKeyLine(exchange);
  return `${code(writeRequestLine(exchange))}${key === null ? '' : `, ${code(key)}`}${sent} → ${code(writeAnswerLine(exchange))}`;
}

/** Returns a heading and a line for each result; nothing if there are no results. */
function renderResults(
  title: string,
  all: readonly RequirementResult[],
  text: (result: RequirementResult) => string,
): string[] {
  if (all.length === 0) return [];
  const lines = all
    .slice(0, MOST_LISTED)
    .map((each) => `- ${code(each.id)} ${escapeMarkdown(each.statement)} ${text(each)}`);
  return [`## ${title}`, [...lines, ...renderRest(all.length)].join('\n')];
}

function renderFootprint({ footprint: left }: Report): string[] {
  if (left.length === 0) return ['## Footprint', 'The run left nothing behind.'];
  const lines = left.slice(0, MOST_LISTED).map(({ id, name }) => `- ${code(id)} ${code(name.slice(0, 300))}`);
  return [
    '## Footprint',
    `${countNoun(left.length, 'animal')} stayed in the store.`,
    renderFold('Which ones', [...lines, ...renderRest(left.length)]),
  ];
}

function renderProfile({ observations }: Report): string[] {
  if (observations.length === 0) return [];
  const asked = observations.filter(isQuestionAsked);
  const unasked = observations.length - asked.length;
  const title = `${countNoun(asked.length, 'open question')} answered; never judged${unasked === 0 ? '' : `; ${unasked} not asked`}`;
  return [
    '## Behaviour profile',
    renderFold(
      title,
      asked.map((each) => `- ${code(writeProfileLine(each))}`),
    ),
  ];
}

function renderFold(title: string, lines: string[]): string {
  return `<details>\n<summary>${escapeHtml(title)}</summary>\n\n${lines.join('\n')}\n\n</details>`;
}

/** Counts the lines that a list leaves out; empty if it has all. */
function renderRest(length: number): string[] {
  return length > MOST_LISTED ? [`- … and ${countNoun(length - MOST_LISTED, 'more', 'more')}`] : [];
}

function code(text: string): string {
  return writeMarkdownCode(cut(text));
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
