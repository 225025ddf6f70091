import { styleText } from 'node:util';
import { blockedBy, undecidedAlone } from '../words/blocked.ts';
import { failuresOf, type Cause } from '../document/causes.ts';
import { commandsFor, startOf } from '../words/commands.ts';
import { terminal } from '../words/escape.ts';
import { answerLine, evidenceIn, requestLine } from '../words/evidence-lines.ts';
import { bodyInShort, waiverLine } from '../words/failure-text.ts';
import { profileLine } from '../words/profile-words.ts';
import { reasonBeside, shortfallOf } from '../words/remedy.ts';
import type { Report, RequirementResult, Verdict } from '../document/report.ts';
import { showing } from '../document/shown-exchange.ts';
import {
  counted,
  countsLine,
  exitCodeInWords,
  headline,
  headSymbol,
  lasted,
  SYMBOLS,
  toneOf,
  withVerdict,
} from '../words/verdict-words.ts';

/** How the text is set. `width` is in columns; `reportDir` is where the page to open lies, as people type it. */
export interface TerminalOptions {
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
/** Characters of any one text of the target. */
const LONGEST = 600;
/** Columns of a label such as `expected`. */
const LABEL = 10;
/** Causes that are told in full; the page has all. */
const TOLD = 10;
/** Requirements that a line names. */
const NAMED = 3;

/** The run as text for a terminal or a CI log: verdict, causes, little more. Nothing that the target sent reaches the terminal as a control character. */
export function terminalText(report: Report, options: TerminalOptions): string {
  // The caller has decided on colour; styleText would look at the environment again.
  const paint = (format: Format | Format[], text: string) =>
    options.colour ? styleText(format, text, { validateStream: false }) : text;
  const field = (label: string, text: string) => wrapped(text, options.width, `  ${label.padEnd(LABEL)}`);
  const heading = (text: string) => ['', paint('bold', text)];
  const start = startOf(report);

  const told = (cause: Cause): string[] => {
    const [first] = cause;
    const exchange = showing(evidenceIn(report)(first), first);
    return [
      '',
      `${paint(
        COLOURS[first.verdict],
        `${SYMBOLS[first.verdict]} ${cause
          .map(({ id }) => terminal(id))
          .slice(0, NAMED)
          .join(', ')}${cause.length > NAMED ? ` and ${cause.length - NAMED} more` : ''}`,
      )}${first.waiver === null ? '' : ' (waived)'}`,
      field('', first.statement),
      field('expected', first.expected ?? 'see the statement'),
      field(
        'received',
        `${first.received ?? 'see the answer'}${first.pointer ? ` at ${first.pointer}` : ''}`,
      ),
      ...(exchange === undefined
        ? []
        : [
            field('request', requestLine(exchange)),
            ...(exchange.request.body === null ? [] : [field('body', bodyInShort(exchange.request.body))]),
            field('answer', answerLine(exchange)),
          ]),
      ...(exchange?.traceId == null ? [] : [field('trace', exchange.traceId)]),
      ...(first.waiver === null ? [] : [field('waived', waiverLine(first.waiver))]),
      ...blockedLine(report, cause).map((line) => field('', line)),
      ...commandsFor(start, ...cause).map(
        (command) => `  ${'run again'.padEnd(LABEL)}${paint('cyan', terminal(command))}`,
      ),
    ];
  };
  const causes = failuresOf(report);
  const more = causes.length - TOLD;
  const rest = restOf(report, causes);
  const { target } = report;
  return [
    '',
    `  ${'target'.padEnd(LABEL)}${terminal(target.baseUrl)}${target.embedded ? ' (the embedded reference)' : ''}`,
    `  ${'verdict'.padEnd(LABEL)}${paint(['bold', COLOURS[toneOf(report)]], `${headSymbol(report)} ${terminal(headline(report))}`)}, ${exitCodeInWords(report)}`,
    ...because(report).map((line) => field('', line)),
    ...figures(report).map(([label, text]) => field(label, text)),
    ...observedLines(report).map((line) => field('observed', line)),
    ...(causes.length === 0
      ? []
      : [...heading(counted(causes.length, 'failure')), ...causes.slice(0, TOLD).flatMap(told)]),
    ...(more > 0 ? ['', `  … and ${counted(more, 'more failure')}; the page has all`] : []),
    ...(rest.length === 0
      ? []
      : [
          ...heading(causes.length === 0 ? 'Besides' : 'The rest'),
          ...rest.map(([verdict, line]) =>
            wrapped(line, options.width, `  ${SYMBOLS[verdict]} `, options.width * 2),
          ),
        ]),
    ...(options.reportDir === undefined
      ? []
      : [...heading('Open'), `  ${terminal(pageIn(options.reportDir))}`]),
    '',
  ].join('\n');
}

/** Why the verdict is what it is, and where a run fell short what would finish it: three lines, however many requirements that concerns. */
function because(report: Report): string[] {
  const short = shortfallOf(report);
  const told =
    short === null
      ? []
      : [`${short.told}${short.last === null ? '' : ` The last request was ${short.last}.`}`];
  const reason = reasonBeside(report, short) ?? [];
  if (short !== null)
    return [
      reason,
      told,
      `${short.remedy}${short.command === null ? '' : ` A whole run decides: ${short.command}`}`.trim(),
    ].flat();
  return [report.reason];
}

function figures(report: Report): [label: string, text: string][] {
  const { run, footprint } = report;
  const later =
    run.putOff !== undefined && run.putOff.answers > 0
      ? `; ${counted(run.putOff.answers, 'answer')} said to come back later (429 or 503), ${lasted(run.putOff.waitedMs)} waited`
      : '';
  return [
    ['must', countsLine(report, 'must')],
    ['should', countsLine(report, 'should')],
    ['sent', `${counted(run.requests, 'request')} in ${lasted(run.durationMs)}${later}`],
    ...(run.crossed === undefined || run.crossed.asked === 0
      ? []
      : [
          [
            'crossed',
            `${run.crossed.asked} of ${run.crossed.all} pairs of credential, shape and headers without the key`,
          ] as [string, string],
        ]),
    ['left', `${counted(footprint.length, 'animal')} in the store`],
  ];
}

/** What came of open questions that were asked for by name. */
function observedLines({ run, observations }: Report): string[] {
  return observations.filter(({ id }) => run.only.includes(id)).map(profileLine);
}

function blockedLine(report: Report, cause: Cause): string[] {
  const blocked = blockedBy(report, cause);
  return blocked.length === 0
    ? []
    : [`${counted(blocked.length, 'requirement')} could not be decided because of this.`];
}

/** What else there is, in at most five lines; the page tells it in full. */
function restOf(report: Report, causes: readonly Cause[]): [Verdict, string][] {
  const told = new Set(causes.flat());
  const warnings = withVerdict(report, 'warn').filter((each) => !told.has(each));
  // why a run stopped is told above, once
  const open = report.run.stopped === null ? undecidedAlone(report, causes) : [];
  const reasons = [...new Set(open.map(({ reason }) => reason ?? 'no reason was given'))];
  const groups = reasons.slice(0, 2).map((reason): [Verdict, string] => {
    const same = open.filter((each) => (each.reason ?? 'no reason was given') === reason);
    return ['inconclusive', `${counted(same.length, 'undecided', 'undecided')}: ${names(same)}: ${reason}`];
  });
  const notHere = withVerdict(report, 'not-applicable');
  const assuming = withVerdict(report, 'pass').filter(({ reason }) => reason?.includes('assumed: '));
  return [
    ...(warnings.length === 0
      ? []
      : [
          [
            'warn',
            `${counted(warnings.length, 'warning')}: ${names(warnings)}${warnings.length === 1 ? `: expected ${warnings[0]?.expected ?? 'otherwise'}, received ${warnings[0]?.received ?? 'something else'}` : ''}`,
          ] as [Verdict, string],
        ]),
    ...groups,
    ...(reasons.length > 2
      ? [
          [
            'inconclusive',
            `${counted(reasons.length - 2, 'more reason')} why something is undecided; the page has all`,
          ] as [Verdict, string],
        ]
      : []),
    ...(assuming.length === 0
      ? []
      : [
          [
            'pass',
            `${counted(assuming.length, 'pass', 'passes')} with an assumption: ${names(assuming)}: ${assuming[0]?.reason ?? ''}`,
          ] as [Verdict, string],
        ]),
    ...(notHere.length === 0
      ? []
      : [
          ['not-applicable', `${notHere.length} not applicable here: ${names(notHere)}`] as [Verdict, string],
        ]),
  ];
}

function names(results: readonly RequirementResult[]): string {
  const more = results.length - NAMED;
  return `${results
    .slice(0, NAMED)
    .map(({ id }) => id)
    .join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function pageIn(reportDir: string): string {
  return reportDir === '.' ? 'conformance.html' : `${reportDir.replace(/[/\\]$/, '')}/conformance.html`;
}

/** Sets a text in lines of the width, beside a label; a word longer than a line is broken. Every line is made harmless by itself. */
function wrapped(text: string, width: number, label: string, longest = LONGEST): string {
  const room = Math.max(width - label.length, 20);
  const whole = terminal(text.length > longest ? `${text.slice(0, longest)}…` : text);
  const lines = whole.match(new RegExp(`\\S.{0,${room - 1}}(?=\\s|$)|\\S{${room}}|\\S+`, 'gu')) ?? [''];
  return lines
    .map((line, index) => (index === 0 ? label : ' '.repeat(label.length)) + terminal(line))
    .join('\n');
}
