/** Writes the result of a run for a terminal or a CI log: verdict, causes of failures, and the next steps. */
import { styleText } from 'node:util';
import type { Evidence } from '../../../fixtures/exchange/exchange.ts';
import { findBlockedBy, writeCauseLine, findUndecidedAlone } from '../words/blocked.ts';
import { describeCause, findFailures, type Cause } from '../../document/causes.ts';
import { spellCommands, findStart } from '../words/commands.ts';
import { escapeTerminal } from '../words/escape.ts';
import { writeDifference } from '../words/difference-words.ts';
import {
  writeAnswerLine,
  makeEvidenceFinder,
  writeKeyLine,
  writeRequestLine,
} from '../words/evidence-lines.ts';
import { writeExampleLines } from '../words/example-lines.ts';
import { shortenBody, labelInput, writeWaiverLine } from '../words/failure-text.ts';
import { listNextSteps } from '../words/next-steps.ts';
import { describeMost } from '../../document/reasons/broken.ts';
import { writeProfileLine } from '../words/profile-words.ts';
import { writeShareLines } from '../words/share-lines.ts';
import { writeBrokenSince, writeSinceLine } from '../words/since-words.ts';
import { writeSubjectInFull } from '../words/subject-words.ts';
import { describePutOff } from '../words/put-off.ts';
import { findOtherReason, findShortfall } from '../words/shortfall.ts';
import type { Report, RequirementResult, Verdict } from '../../document/report-document.ts';
import { findShowing, isShowingInput } from '../../document/shown-exchange.ts';
import {
  countNoun,
  writeCounts,
  describeExitCode,
  writeHeadline,
  isWaived,
  chooseSymbol,
  writeDuration,
  writeLegend,
  SYMBOLS,
  chooseTone,
  filterByVerdict,
} from '../words/verdict-words.ts';

/** `width` is in columns. `reportDir` is the folder of the page, as a user types it. */
interface TerminalOptions {
  colour: boolean;
  width: number;
  reportDir?: string;
}

type Format = Extract<Parameters<typeof styleText>[0], string>;

const COLOURS: Record<Verdict, Format> = {
  fail: 'red',
  warn: 'yellow',
  inconclusive: 'magenta',
  pass: 'green',
  'not-applicable': 'dim',
  excused: 'dim',
};
/** The most characters of a text from the target. */
const LONGEST_TEXT = 600;
/** The width of a label such as `expected`, in columns. */
const LABEL_WIDTH = 10;
/** Labels for the commands that ask again. */
const COMMAND_LABELS = { requirement: 'run again', counterexample: 'replay' } as const;
/** At most MOST_LISTED causes get one line, and at most MOST_SHOWN causes are shown in full. The page has all. */
const MOST_LISTED = 20;
const MOST_SHOWN = 5;
/** The most other requests that are listed for one cause. */
const MOST_EXAMPLES = 12;
/** The most requirements that a line names. */
const MOST_NAMED = 3;
/** The most reasons of undecided requirements that are shown. */
const MOST_REASONS = 2;

/** Functions that format text for one terminal. */
interface Typesetting {
  width: number;
  paint: (format: Format | Format[], text: string) => string;
  /** Formats a text beside its label. */
  field: (label: string, text: string) => string;
  heading: (text: string) => string[];
}

function makeTypesetting({ colour, width }: TerminalOptions): Typesetting {
  // The caller has decided about colours. Without this option styleText would read NO_COLOR and the terminal again.
  const paint: Typesetting['paint'] = (format, text) =>
    colour ? styleText(format, text, { validateStream: false }) : text;
  return {
    width,
    paint,
    field: (label, text) => wrapLines(text, width, `  ${label.padEnd(LABEL_WIDTH)}`),
    heading: (text) => ['', paint('bold', text)],
  };
}

/** Returns the run as text for a terminal or a CI log: verdict and causes. Control characters from the target are escaped. */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const set = makeTypesetting(options);
  const causes = findFailures(report);
  return [
    '',
    ...renderHead(report, set),
    ...renderCauses(report, causes, set),
    ...renderRest(report, causes, set),
    ...renderNext(report, causes, options, set),
    ...renderEnd(report, causes, options, set),
    '',
  ].join('\n');
}

/** Returns the path of the page and, after a failure, the verdict again: a reader at the end of a log does not see its head. */
function renderEnd(
  report: Report,
  [first, ...others]: readonly Cause[],
  { reportDir }: TerminalOptions,
  { width, paint, heading }: Typesetting,
): string[] {
  if (reportDir === undefined) return [];
  const page = `  ${escapeTerminal(writePagePath(reportDir))}`;
  if (first === undefined) return [...heading('Open'), page];
  const stale = isWaived(report) ? (report.staleWaivers ?? []) : [];
  const broken =
    stale.length > 0
      ? `${stale.join(', ')} ${stale.length === 1 ? 'passes' : 'pass'} now`
      : describeMost(describeCause(report, first), others.length);
  const verdict = wrapLines(`${chooseSymbol(report)} ${writeHeadline(report)}: ${broken}`, width, '');
  return ['', paint(['bold', COLOURS[chooseTone(report)]], verdict), page];
}

/** Returns the target, the verdict with its reason, and the figures of the run. */
function renderHead(report: Report, { paint, field }: Typesetting): string[] {
  const { baseUrl, embedded, subject } = report.target;
  const verdict = `${chooseSymbol(report)} ${escapeTerminal(writeHeadline(report))}`;
  return [
    `  ${'target'.padEnd(LABEL_WIDTH)}${escapeTerminal(baseUrl)}${embedded ? ' (the embedded reference)' : ''}`,
    ...(subject == null ? [] : [field('judged', writeSubjectInFull(subject))]),
    `  ${'verdict'.padEnd(LABEL_WIDTH)}${paint(['bold', COLOURS[chooseTone(report)]], verdict)}, ${describeExitCode(report)}`,
    ...[writeSinceLine(report) ?? []].flat().map((line) => field('', line)),
    ...renderReason(report).map((line) => field('', line)),
    ...renderFigures(report).map(([label, text]) => field(label, text)),
    ...renderAsked(report).map((line) => field('asked', line)),
    ...renderObserved(report).map((line) => field('observed', line)),
  ];
}

function renderCauses(report: Report, causes: readonly Cause[], set: Typesetting): string[] {
  if (causes.length === 0) return [];
  const more = causes.length - MOST_SHOWN;
  return [
    ...set.heading(countNoun(causes.length, 'failure')),
    ...(causes.length === 1 ? [] : renderList(report, causes, set)),
    ...causes.slice(0, MOST_SHOWN).flatMap((cause) => renderCause(report, cause, set)),
    ...(more > 0 ? ['', `  … and ${countNoun(more, 'more failure')} in full on the page`] : []),
  ];
}

/** Returns a line for each cause, above the causes in full. */
function renderList(report: Report, causes: readonly Cause[], { width }: Typesetting): string[] {
  const more = causes.length - MOST_LISTED;
  return [
    ...causes
      .slice(0, MOST_LISTED)
      .map((cause, index) =>
        wrapLines(writeCauseLine(report, cause), width, `${String(index + 1).padStart(4)}  `),
      ),
    ...(more > 0 ? [`      … and ${more} more`] : []),
  ];
}

function renderCause(report: Report, cause: Cause, { paint, field }: Typesetting): string[] {
  const [{ verdict, waiver }] = cause;
  const title = paint(
    COLOURS[verdict],
    `${SYMBOLS[verdict]} ${escapeTerminal(describeCause(report, cause))}`,
  );
  return [
    '',
    `${title}${waiver === null ? '' : ' (waived)'}`,
    ...renderFacts(report, cause).flatMap(([label, text]) => (text == null ? [] : [field(label, text)])),
    ...spellCommands(findStart(report), ...cause).map(
      ({ what, command }) =>
        `  ${COMMAND_LABELS[what].padEnd(LABEL_WIDTH)}${paint('cyan', escapeTerminal(command))}`,
    ),
  ];
}

/** Returns facts about a cause with their labels. A fact whose text is null is not shown; an empty label stands below the one before. */
function renderFacts(report: Report, cause: Cause): [label: string, text: string | null | undefined][] {
  const [first] = cause;
  const { statement, expected, received, pointer, waiver, input } = first;
  const exchange = findShowing(makeEvidenceFinder(report)(first), first);
  return [
    ['', `${joinNames(cause)}: ${statement}`],
    ['expected', expected ?? 'see the statement'],
    ['received', `${received ?? 'see the answer'}${pointer ? ` at ${pointer}` : ''}`],
    ['differs', writeDifference(first)],
    [input === undefined ? '' : labelInput(input), input?.text],
    ...(exchange === undefined ? [] : renderExchangeFacts(exchange, isShowingInput(exchange, first))),
    ['history', writeBrokenSince(report, first)],
    ...writeShareLines(report, cause).map((line, index): [string, string] => [
      index === 0 ? 'how often' : '',
      line,
    ]),
    ...renderAlsoFails(report, cause),
    ['waived', waiver && writeWaiverLine(waiver)],
    ['', renderBlocked(report, cause)],
  ];
}

/** @param isSaid true if the input of the result is this request, so it is shown already */
function renderExchangeFacts(
  exchange: Evidence,
  isSaid: boolean,
): [label: string, text: string | null | undefined][] {
  const { body } = exchange.request;
  return [
    ['request', isSaid ? null : writeRequestLine(exchange)],
    ['', writeKeyLine(exchange)],
    ['body', isSaid || body === null ? null : shortenBody(body)],
    ['answer', writeAnswerLine(exchange)],
    ['trace', exchange.traceId],
  ];
}

/**
 * Returns other kinds of requests that fail for the same cause. Somebody who mends only one kind would see the others
 * fail in the next run.
 */
function renderAlsoFails(report: Report, cause: Cause): [label: string, text: string][] {
  const lines = writeExampleLines(report, cause);
  const more = lines.length - MOST_EXAMPLES;
  return [
    ...lines
      .slice(0, MOST_EXAMPLES)
      .map((line, index): [string, string] => [index === 0 ? 'also' : '', line]),
    ...(more > 0 ? [['', `… and ${more} more on the page`] as [string, string]] : []),
  ];
}

function renderBlocked(report: Report, cause: Cause): string | null {
  const blocked = findBlockedBy(report, cause).length;
  return blocked === 0 ? null : `${countNoun(blocked, 'requirement')} could not be decided because of this.`;
}

function renderRest(report: Report, causes: readonly Cause[], { width, heading }: Typesetting): string[] {
  const rest = listRest(report, causes);
  if (rest.length === 0) return [];
  return [
    ...heading('Also'),
    ...rest.map(([verdict, line]) => wrapLines(line, width, `  ${SYMBOLS[verdict]} `, width * 3)),
  ];
}

/** Returns the next steps, without commands that are shown beside a failure. */
function renderNext(
  report: Report,
  causes: readonly Cause[],
  { reportDir }: TerminalOptions,
  { paint, heading, width }: Typesetting,
): string[] {
  const shown = causes.slice(0, MOST_SHOWN).flatMap((cause) => spellCommands(findStart(report), ...cause));
  const steps = listNextSteps(report, reportDir).filter(
    (step) => !shown.some(({ command }) => command === step.command),
  );
  if (steps.length === 0) return [];
  return [
    ...heading('Next'),
    ...steps.flatMap(({ what, command }) => [
      wrapLines(what, width, '  '),
      ...(command === null ? [] : [`    ${paint('cyan', escapeTerminal(command))}`]),
    ]),
  ];
}

/** Returns the reason for the verdict and, if the run is not whole, what would finish it: at most three lines. */
function renderReason(report: Report): string[] {
  const short = findShortfall(report);
  if (short === null) return [report.reason];
  const last = short.last === null ? '' : ` The last request was ${short.last}.`;
  const whole = short.command === null ? '' : ` A whole run decides: ${short.command}`;
  return [
    findOtherReason(report, short) ?? [],
    `${short.what}${last}`,
    `${short.remedy}${whole}`.trim(),
  ].flat();
}

function renderFigures(report: Report): [label: string, text: string][] {
  const { run, footprint } = report;
  const counts: [label: string, text: string][] = [
    ['must', writeCounts(report, 'must')],
    ['should', writeCounts(report, 'should')],
    ['', writeLegend(report)],
  ];
  return [
    ...(findShortfall(report)?.kind === 'unreachable' || report.requirements.length === 0 ? [] : counts),
    ['sent', `${countNoun(run.requests, 'request')} in ${writeDuration(run.durationMs)}${renderPutOff(run)}`],
    ['left', `${countNoun(footprint.length, 'animal')} in the store`],
  ];
}

/** Says how long the run waited because the target asked it to come back later; empty if it never did. */
function renderPutOff(run: Report['run']): string {
  const said = describePutOff(run);
  return said === null ? '' : `; ${said}`;
}

/**
 * If something failed, names the requirements that `--only` named and that pass: somebody who mended one of them looks for this
 * line.
 */
function renderAsked(report: Report): string[] {
  const passing = filterByVerdict(report, 'pass').filter(({ id }) => report.run.only.includes(id));
  return passing.length === 0 || findFailures(report).length === 0
    ? []
    : [`${joinNames(passing)} ${passing.length === 1 ? 'passes' : 'pass'}`];
}

/** Returns the observations for open questions that `--only` named. */
function renderObserved({ run, observations }: Report): string[] {
  return observations.filter(({ id }) => run.only.includes(id)).map(writeProfileLine);
}

/** One line about other results. The verdict gives the line its symbol. */
type RestLine = [verdict: Verdict, text: string];

/** Returns lines about all other results, at most six; the page shows them in full. */
function listRest(report: Report, causes: readonly Cause[]): RestLine[] {
  const shown = new Set(causes.flat());
  const warnings = filterByVerdict(report, 'warn').filter((each) => !shown.has(each));
  const assuming = filterByVerdict(report, 'pass').filter(({ cause }) => cause?.kind === 'assumed');
  // After a failure the counts are enough.
  const notHere = causes.length === 0 ? filterByVerdict(report, 'not-applicable') : [];
  return [
    ...makeLine(
      warnings,
      (first) =>
        `${countNoun(warnings.length, 'warning')}: ${joinNames(warnings)}${warnings.length === 1 ? `: ${renderVersus(first)}` : ''}`,
    ),
    ...renderUndecided(report, causes),
    ...makeLine(
      assuming,
      ({ reason }) =>
        `${countNoun(assuming.length, 'pass', 'passes')} with an assumption: ${joinNames(assuming)}: ${reason ?? ''}`,
    ),
    ...makeLine(notHere, () => `${notHere.length} not applicable here: ${joinNames(notHere)}`),
  ];
}

/** Returns a line about results with one verdict; no line if there are no results. */
function makeLine(
  results: readonly RequirementResult[],
  text: (first: RequirementResult) => string,
): RestLine[] {
  const [first] = results;
  return first === undefined ? [] : [[first.verdict, text(first)]];
}

function renderVersus({ expected, received }: RequirementResult): string {
  return `expected ${expected ?? 'otherwise'}, received ${received ?? 'something else'}`;
}

/** Returns lines about undecided requirements, one line for each reason. After an early stop the head of the text says the reason. */
function renderUndecided(report: Report, causes: readonly Cause[]): RestLine[] {
  if (report.run.stopped !== null) return [];
  const open = findUndecidedAlone(report, causes);
  const reasonOf = ({ reason }: RequirementResult) => reason ?? 'no reason was given';
  const reasons = [...new Set(open.map(reasonOf))];
  const lines = reasons.slice(0, MOST_REASONS).map((reason) => {
    const same = open.filter((each) => reasonOf(each) === reason);
    return `${countNoun(same.length, 'undecided', 'undecided')}: ${joinNames(same)}: ${reason}`;
  });
  const more = reasons.length - MOST_REASONS;
  if (more > 0) lines.push(`${countNoun(more, 'more reason')} why something is undecided; the page has all`);
  return lines.map((line) => ['inconclusive', line]);
}

/** Joins the first ids, and counts the others: `a, b, c and 2 more`. */
function joinNames(results: readonly Pick<RequirementResult, 'id'>[]): string {
  const more = results.length - MOST_NAMED;
  const first = results.slice(0, MOST_NAMED).map(({ id }) => id);
  return `${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function writePagePath(reportDir: string): string {
  return reportDir === '.' ? 'conformance.html' : `${reportDir.replace(/[/\\]$/, '')}/conformance.html`;
}

/** Breaks a text into lines of this width, beside a label. It cuts words that are longer than a line, and escapes each line. */
function wrapLines(text: string, width: number, label: string, longest = LONGEST_TEXT): string {
  const room = Math.max(width - label.length, 20);
  // A text that is too long is cut at a blank, if there is one near the end.
  const whole = escapeTerminal(
    text.length > longest ? `${text.slice(0, longest).replace(/\s\S{0,20}$/, '')} …` : text,
  );
  // A line takes as many whole words as fit; else the next part of a word that is longer than a line.
  const lines = whole.match(new RegExp(`\\S.{0,${room - 1}}(?=\\s|$)|\\S{${room}}|\\S+`, 'gu')) ?? [''];
  // Each line is escaped again: CI systems read `::` at the beginning of a line as a command.
  return lines
    .map((line, index) => (index === 0 ? label : ' '.repeat(label.length)) + escapeTerminal(line))
    .join('\n');
}
