/** Writes the result of a run as text: for a terminal, as Markdown for a job page, and one cause as a bug report for a tracker. */
import { styleText } from 'node:util';
import type { Evidence } from '../../../fixtures/exchange/exchange.ts';
import {
  describeCause,
  findFailures,
  findWarnings,
  nameFirstFailure,
  type Cause,
} from '../../document/causes.ts';
import { joinSome, keepFirstLines } from '../../document/join-some.ts';
import type { Report, Verdict } from '../../document/report-document.ts';
import { findShownExchange } from '../../document/shown-exchange.ts';
import { findOtherUndecided, groupByReason, writeCauseLine, type ReasonGroup } from '../words/blocked.ts';
import { layOutBody, writeBodyLine } from '../words/body-lines.ts';
import { listCauseCommands, listCauseFacts, dropEmptyFacts, type Fact } from '../words/cause-facts.ts';
import {
  escapeHtml,
  escapeMarkdown,
  escapeTerminal,
  writeMarkdownBlock,
  writeMarkdownCode,
} from '../words/escape.ts';
import { writeAnswerLine } from '../words/evidence-lines.ts';
import { writeShortFailure, writeSides } from '../words/failure-text.ts';
import { listNextSteps } from '../words/next-steps.ts';
import { isQuestionAsked, writeProfileLine } from '../words/profile-words.ts';
import { findOtherReason, findShortfall } from '../words/shortfall.ts';
import { writeMinute, writeSinceLine } from '../words/since-words.ts';
import { writeSubjectInFull } from '../words/subject-words.ts';
import {
  chooseSymbol,
  chooseTone,
  countNoun,
  describeExitCode,
  filterByVerdict,
  isWaived,
  SYMBOLS,
  writeCounts,
  writeDuration,
  writeHeadline,
  writeLegend,
  describePutOff,
} from '../words/verdict-words.ts';

/** How a terminal shows a run. */
interface TerminalOptions {
  colour: boolean;
  /** In columns. */
  width: number;
  /** The folder of the page, as a user types it; absent: no page was written. */
  reportDir?: string;
}

/** The name of a colour or style for `styleText`, e.g. `bold`. */
type Format = Extract<Parameters<typeof styleText>[0], string>;

const COLOURS: Record<Verdict, Format> = {
  fail: 'red',
  warn: 'yellow',
  inconclusive: 'magenta',
  pass: 'green',
  'not-applicable': 'dim',
  excused: 'dim',
};
/** The most characters of a text from the target, and of a body in a bug report. */
const [LONGEST_TEXT, LONGEST_BODY] = [600, 1_000];
/** The width of a label such as `expected`, in columns. */
const LABEL_WIDTH = 10;
/** The most causes that get a line each, and the most that are shown in full. */
const MOST_LISTED = 20;
const MOST_SHOWN = { terminal: 5, markdown: 10 };

/** Returns the run as text for a terminal or a CI log. Control characters from the target are escaped. */
export function renderTerminal(report: Report, { colour, width, reportDir }: TerminalOptions): string {
  // The caller has decided about colours. Without this option styleText would read NO_COLOR and the terminal again.
  const paint = (format: Format | Format[], text: string) =>
    colour ? styleText(format, text, { validateStream: false }) : text;
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', paint('bold', title), ...lines];
  const writeFact = ([label, ...lines]: Fact) =>
    lines.map((line, index) => wrapLines(line, width, `  ${(index === 0 ? label : '').padEnd(LABEL_WIDTH)}`));
  const causes = findFailures(report);
  const notes = listNotes(report, causes);
  const steps = listNextSteps(report, reportDir);
  const more = causes.length - MOST_SHOWN.terminal;
  const verdict = paint(
    ['bold', COLOURS[chooseTone(report)]],
    `${chooseSymbol(report)} ${writeHeadline(report)}`,
  );
  const writeCause = (cause: Cause) => {
    const { 'same request': curl, 'send its input again': replay } = listCauseCommands(report, cause);
    return [
      '',
      paint(COLOURS[cause[0].verdict], escapeTerminal(writeTitle(report, cause))),
      ...listCauseFacts(report, cause).flatMap(writeFact),
      ...(curl?.split('\n') ?? []).map((line) => `  ${paint('cyan', escapeTerminal(line))}`),
      ...(replay ? [`  ${'replay'.padEnd(LABEL_WIDTH)}${paint('cyan', escapeTerminal(replay))}`] : []),
    ];
  };
  return [
    '',
    ...listTargetFacts(report).flatMap(writeFact),
    `  ${'verdict'.padEnd(LABEL_WIDTH)}${verdict}, ${describeExitCode(report)}`,
    ...listRunFacts(report).flatMap(writeFact),
    ...part(countNoun(causes.length, 'failure'), [
      ...listCauses(report, causes).map((line, index) =>
        wrapLines(line, width, (index < MOST_LISTED ? `${index + 1}  ` : '').padStart(6)),
      ),
      ...causes.slice(0, MOST_SHOWN.terminal).flatMap(writeCause),
      ...(more > 0 ? ['', `  … and ${countNoun(more, 'more failure')} in full on the page`] : []),
    ]),
    ...part(
      'Also',
      notes.map(([sign, line]) => wrapLines(line, width, `  ${SYMBOLS[sign]} `, width * 3)),
    ),
    ...part(
      'Next',
      steps.flatMap(({ what, command }) => [
        wrapLines(what, width, '  '),
        ...(command ? [`    ${paint('cyan', escapeTerminal(command))}`] : []),
      ]),
    ),
    ...(reportDir === undefined
      ? []
      : ['', paint('bold', wrapLines(writeLeadIn(report), width, '')), escapeTerminal(spellPage(reportDir))]),
    '',
  ].join('\n');
}

/** Returns a line for each of the first causes; none if there is only one cause. */
function listCauses(report: Report, causes: readonly Cause[]): string[] {
  const lines = causes.map((cause) => writeCauseLine(report, cause));
  return causes.length < 2 ? [] : keepFirstLines(lines, MOST_LISTED);
}

/**
 * Returns the line before the path of the page. After a failure it has the verdict again, for a reader at the end of a long log.
 * If all failures are waived and a waiver is stale, it names that waiver in place of the failure: `list-pets.limit passes now`.
 */
function writeLeadIn(report: Report): string {
  const failure = nameFirstFailure(report);
  if (failure === null) return 'Open';
  const stale = isWaived(report) ? (report.staleWaivers ?? []) : [];
  const broken =
    stale.length > 0 ? `${stale.join(', ')} ${stale.length === 1 ? 'passes' : 'pass'} now` : failure;
  return `${chooseSymbol(report)} ${writeHeadline(report)}: ${broken}`;
}

/** Returns the path of the page, with an indent: `  reports/out/conformance.html`. */
function spellPage(reportDir: string): string {
  return `  ${reportDir === '.' ? '' : `${reportDir.replace(/[/\\]$/, '')}/`}conformance.html`;
}

/** Returns the run as Markdown for the job page of a CI system. */
export function renderSummary(report: Report): string {
  const causes = findFailures(report);
  const more = causes.length - MOST_SHOWN.markdown;
  const notes = listNotes(report, causes);
  const observed = report.observations.filter(isQuestionAsked).map(writeProfileLine);
  const parts = [
    `# ${chooseSymbol(report)} ${writeHeadline(report)}, ${describeExitCode(report)}`,
    [...listTargetFacts(report), ...listRunFacts(report)].flatMap(writeItems).join('\n'),
    causes.length > 0 && `## ${countNoun(causes.length, 'failure')}`,
    causes.length > 1 &&
      causes
        .map((cause) => `1. ${escapeMarkdown(writeCauseLine(report, cause))} ${code(cause[0].id)}`)
        .join('\n'),
    ...causes
      .slice(0, MOST_SHOWN.markdown)
      .map((cause) =>
        [
          `<details open>\n<summary>${escapeHtml(escapeTerminal(writeTitle(report, cause)))}</summary>`,
          ...writeCauseParts(report, cause),
          '</details>',
        ].join('\n\n'),
      ),
    more > 0 && `… and ${countNoun(more, 'more failure')}, all in conformance.html and report.json.`,
    notes.length > 0 && '## Also',
    notes.length > 0 &&
      notes.map(([sign, line]) => `- ${SYMBOLS[sign]} ${escapeMarkdown(shorten(line))}`).join('\n'),
    observed.length > 0 &&
      `<details>\n<summary>${countNoun(observed.length, 'open question')} answered; never judged</summary>\n\n${observed.map((line) => `- ${code(line)}`).join('\n')}\n\n</details>`,
    '',
  ];
  return parts.filter((part) => part !== false).join('\n\n');
}

/** Returns one cause as a bug report in Markdown, ready to paste into a tracker. */
export function writeBugReport(report: Report, cause: Cause): string {
  const { run, suite, specification } = report;
  const [first, ...others] = cause;
  return [
    // One `#` only: some CI systems read `##[` in a log as a command.
    `# ${escapeMarkdown(describeCause(report, cause))}`,
    dropEmptyFacts([
      ['service', ...listTargetFacts(report).map(([, line]) => line)],
      [
        'seen',
        `${writeMinute(run.startedAt)}, run ${run.id}, interface ${specification.version}, ${suite.name} ${suite.version}`,
      ],
      ['the same cause breaks', ...others.map((each) => `${each.id}: ${writeShortFailure(each)}`)],
    ])
      .flatMap(writeItems)
      .join('\n'),
    ...writeCauseParts(report, cause),
    ...writeAnswerParts(findShownExchange(report, first), first.pointer),
  ].join('\n\n');
}

/** Returns the answer as a Markdown block with its title. Of a long body, it has the lines around the value at the pointer. */
function writeAnswerParts(shown: Evidence | undefined, pointer: string | null): string[] {
  if (shown === undefined) return [];
  const { headers = [], body = '' } = shown.response ?? {};
  const text = body.length > LONGEST_BODY ? layOutBody(body, pointer).map(writeBodyLine).join('\n') : body;
  const lines = [writeAnswerLine(shown), ...headers.map((each) => each.join(': ')), '', text];
  return ['**Answer**', writeMarkdownBlock(lines.join('\n').trimEnd(), '')];
}

/** Returns the facts about a cause, and its commands in one block, in Markdown. A command that is too long is left out. */
function writeCauseParts(report: Report, cause: Cause): string[] {
  const commands = Object.entries(listCauseCommands(report, cause));
  const shown = commands.filter(([, each]) => each.length <= 4 * LONGEST_TEXT);
  return [
    listCauseFacts(report, cause).flatMap(writeItems).join('\n'),
    writeMarkdownBlock(shown.map(([label, each]) => `# ${label}\n${each}`).join('\n\n'), 'sh'),
  ];
}

function writeItems([label, ...lines]: Fact): string[] {
  return lines.map((line) => `- ${label === '' ? escapeMarkdown(shorten(line)) : `${label}: ${code(line)}`}`);
}

function writeTitle(report: Report, cause: Cause): string {
  const [{ verdict, waiver }] = cause;
  return `${SYMBOLS[verdict]} ${describeCause(report, cause)}${waiver === null ? '' : ' (waived)'}`;
}

/** Returns the address of the target and, if somebody named it, the judged implementation. */
function listTargetFacts({ target: { baseUrl, embedded, subject } }: Report): Fact[] {
  return dropEmptyFacts([
    ['target', `${baseUrl}${embedded ? ' (the embedded reference)' : ''}`],
    ['judged', subject == null ? null : writeSubjectInFull(subject)],
  ]);
}

/** Returns the reason for the verdict and the figures of the run. A run that reached nothing, or asked nothing, has no counts. */
function listRunFacts(report: Report): Fact[] {
  const { run, footprint, observations } = report;
  const shortfall = findShortfall(report);
  const isCounted = shortfall?.kind !== 'not-begun' && report.requirements.length > 0;
  // With `--only`, a user who mended one of several requirements looks for the line `asked`.
  const passing = filterByVerdict(report, 'pass').filter(({ id }) => run.only.includes(id));
  const isNamed = passing.length > 0 && findFailures(report).length > 0;
  const sent = `${countNoun(run.requests, 'request')} in ${writeDuration(run.durationMs)}`;
  return dropEmptyFacts([
    ['', writeSinceLine(report), ...writeReason(report)],
    ['must', isCounted ? writeCounts(report, 'must') : null],
    ['should', isCounted ? writeCounts(report, 'should') : null],
    ['words', isCounted ? writeLegend(report) : null],
    ['sent', [sent, describePutOff(run) ?? []].flat().join('; ')],
    ['left', `${countNoun(footprint.length, 'animal')} in the store`],
    [
      'asked',
      isNamed ? `${joinSome(passing.map(({ id }) => id))} ${passing.length === 1 ? 'passes' : 'pass'}` : null,
    ],
    ['observed', ...observations.filter(({ id }) => run.only.includes(id)).map(writeProfileLine)],
  ]);
}

/** Returns the reason for the verdict and, if the run did not ask everything, what would ask the rest. */
function writeReason(report: Report): (string | null)[] {
  const shortfall = findShortfall(report);
  if (shortfall === null) return [report.reason];
  const { what, last, remedy, command } = shortfall;
  const lastRequest = last === null ? '' : ` The last request was ${last}.`;
  const wholeRun = command === null ? '' : ` A whole run decides: ${command}`;
  return [findOtherReason(report, shortfall), `${what}${lastRequest}`, `${remedy}${wholeRun}`.trim() || null];
}

/** One line about other results. The verdict gives the line its symbol. */
type Note = [verdict: Verdict, text: string];

/** The most warnings and reasons that have a line each. */
const MOST_LINES = 2;

/** Returns lines about warnings, undecided promises, assumed passes, and promises that do not apply. The page shows all of these. */
function listNotes(report: Report, causes: readonly Cause[]): Note[] {
  const warnings = findWarnings(report).map((cause) => {
    const { expected, received } = writeSides(cause[0]);
    return `${describeCause(report, cause)}: expected ${expected}, received ${received}`;
  });
  const assuming = filterByVerdict(report, 'pass').filter(({ cause }) => cause?.kind === 'assumed');
  // After a failure the counts are enough.
  const notHere = causes.length === 0 ? filterByVerdict(report, 'not-applicable') : [];
  // After an early stop the head of the text says the reason.
  const open = report.run.stopped === null ? findOtherUndecided(report, causes) : [];
  const write = (what: string) => (each: ReasonGroup) => `${each.same.length} ${what}: ${writeGroup(each)}`;
  const undecided = groupByReason(open).map(write('undecided'));
  const assumed = groupByReason(assuming).map(write('passed with an assumption'));
  const notes: (Note | false)[] = [
    ...keepFirstLines(warnings, MOST_LINES).map((line): Note => ['warn', line]),
    ...keepFirstLines(undecided, MOST_LINES).map((line): Note => ['inconclusive', line]),
    ...keepFirstLines(assumed, MOST_LINES).map((line): Note => ['pass', line]),
    notHere.length > 0 && [
      'not-applicable',
      `${notHere.length} not applicable here: ${joinSome(notHere.map(({ id }) => id))}`,
    ],
  ];
  return notes.filter((each) => each !== false);
}

function writeGroup({ reason, same }: ReasonGroup): string {
  return `${joinSome(same.map(({ id }) => id))}: ${reason}`;
}

function code(text: string): string {
  return writeMarkdownCode(shorten(text));
}

function shorten(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

/**
 * Breaks a text into lines of this width, with a label before the first one. It cuts words longer than a line, and escapes each line.
 * @param longest a text with more characters is cut before it is broken into lines
 */
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
