import { styleText } from 'node:util';
import { commandsFor } from './commands.ts';
import { terminal } from './escape.ts';
import { answerLine, evidenceIn, requestLine } from './evidence.ts';
import { waiverLine } from './failure-text.ts';
import type { Report, RequirementResult, Verdict } from './report.ts';
import { counted, headline, headSymbol, lasted, SYMBOLS, VERDICTS, withVerdict, WORDS } from './verdict-words.ts';

/** How the text is set. `width` is in columns; `reportDir` is named at the end where it is given. */
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

/** The run as text for a terminal or a CI log. Nothing that the target sent reaches the terminal as a control character. */
export function terminalText(report: Report, options: TerminalOptions): string {
  // The caller has decided on colour; styleText would look at the environment again.
  const paint = (format: Format | Format[], text: string) => (options.colour ? styleText(format, text, { validateStream: false }) : text);
  const field = (label: string, text: string) => wrapped(text, options.width, `  ${label.padEnd(LABEL)}`);
  const title = ({ id, verdict }: RequirementResult) => paint(COLOURS[verdict], `${SYMBOLS[verdict]} ${id}`);
  const exchanges = evidenceIn(report);

  const shown = (result: RequirementResult) => [
    '',
    `${title(result)}${result.waiver === null ? '' : ' (waived)'}`,
    field('', result.statement),
    field('section', result.section),
    field('expected', result.expected ?? 'see the statement'),
    field('received', `${result.received ?? 'see the answer'}${result.pointer ? ` at ${result.pointer}` : ''}`),
    ...exchanges(result).slice(0, 1).flatMap((each) => [field('request', requestLine(each)), field('answer', answerLine(each))]),
    ...(result.waiver === null ? [] : [field('waived', waiverLine(result.waiver))]),
    ...commandsFor(result).map((command) => `  ${'run again'.padEnd(LABEL)}${paint('cyan', terminal(command))}`),
  ];
  const heading = (text: string) => ['', paint('bold', text)];
  const part = (verdict: Verdict, text: string, lines: (result: RequirementResult) => string[]) => {
    const results = withVerdict(report, verdict);
    return results.length === 0 ? [] : [...heading(`${text} (${results.length})`), ...results.flatMap(lines)];
  };

  // what stopped one often stopped many: each reason is told once
  const grouped = (verdict: Verdict, text: string) => {
    const results = withVerdict(report, verdict);
    const reasons = [...new Set(results.map(({ reason }) => reason ?? 'not said'))];
    const idsWith = (reason: string) => results.filter((each) => (each.reason ?? 'not said') === reason).map(({ id }) => id);
    return results.length === 0 ? [] : [...heading(`${text} (${results.length})`), ...reasons.flatMap((reason) => [wrapped(reason, options.width, `  ${SYMBOLS[verdict]} `), wrapped(idsWith(reason).join(', '), options.width, '      ', Infinity)])];
  };

  const { target, run } = report;
  const verdictColour = COLOURS[report.verdict === 'conforming' ? 'pass' : report.verdict === 'nonconforming' ? 'fail' : 'inconclusive'];
  return [
    '',
    `  ${'target'.padEnd(LABEL)}${terminal(target.baseUrl)}${target.embedded ? ' (the embedded reference)' : ''}`,
    `  ${'verdict'.padEnd(LABEL)}${paint(['bold', verdictColour], `${headSymbol(report)} ${headline(report)}`)}`,
    field('', report.reason),
    ...(['must', 'should'] as const).map((level) => `  ${level.padEnd(LABEL)}${countsLine(report, level)}`),
    field('sent', `${counted(run.requests, 'request')} in ${lasted(run.durationMs)}`),
    ...(run.crossed === undefined ? [] : [field('crossed', `${run.crossed.asked} of ${run.crossed.all} pairs of credential, shape and headers without the key`)]),
    field('left', `${counted(report.footprint.length, 'animal')} in the store`),
    ...part('fail', 'Failures', shown),
    ...part('warn', 'Warnings', shown),
    ...grouped('inconclusive', 'Inconclusive, and what would decide it'),
    ...grouped('not-applicable', 'Not applicable'),
    ...(options.reportDir === undefined ? [] : [...heading('Reports'), `  ${terminal(options.reportDir)}`]),
    '',
  ].join('\n');
}

function countsLine({ counts }: Report, level: 'must' | 'should'): string {
  const some = VERDICTS.filter((verdict) => counts[level][verdict] > 0);
  const inPart = counts[level].inPart ?? 0; // reports of version 1 do not tell
  return some.map((verdict) => `${counts[level][verdict]} ${WORDS[verdict]}${verdict === 'pass' && inPart > 0 ? ` (${inPart} in part)` : ''}`).join(', ') || 'none';
}

/** Sets a text in lines of the width, beside a label; a word longer than a line is broken. Every line is made harmless by itself. */
function wrapped(text: string, width: number, label: string, longest = LONGEST): string {
  const room = Math.max(width - label.length, 20);
  const whole = terminal(text.length > longest ? `${text.slice(0, longest)}…` : text);
  const lines = whole.match(new RegExp(`\\S.{0,${room - 1}}(?=\\s|$)|\\S{${room}}|\\S+`, 'gu')) ?? [''];
  return lines.map((line, index) => (index === 0 ? label : ' '.repeat(label.length)) + terminal(line)).join('\n');
}
