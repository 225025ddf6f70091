import { commandsFor } from './commands.ts';
import { curlCommand } from './curl.ts';
import { html, markdown, markdownBlock, markdownCode, visible } from './escape.ts';
import { answerLine, evidenceIn, requestLine } from './evidence.ts';
import { waiverLine } from './failure-text.ts';
import type { Report, RequirementResult, Verdict } from './report.ts';
import { counted, headline, headSymbol, lasted, SYMBOLS, VERDICTS, withVerdict, WORDS } from './verdict-words.ts';

/** How many failures, and how many lines of any other list, a job page shows in full. */
const SHOWN = 10;
const LISTED = 20;
/** Characters of any one text of the target. */
const LONGEST = 500;

/** The run as Markdown for a CI system's job page. */
export function summary(report: Report): string {
  const { run, target, suite, specification } = report;
  return [
    `# ${headSymbol(report)} ${headline(report)}`,
    markdown(report.reason),
    [
      `- Target: ${code(target.baseUrl)}${target.embedded ? ' (the embedded reference)' : ''}`,
      `- Interface ${markdown(specification.version)}, judged by ${markdown(suite.name)} ${markdown(suite.version)}`,
      `- ${markdown(run.startedAt)}, ${lasted(run.durationMs)}, ${counted(run.requests, 'request')}, ${run.mode}, seed ${run.seed}`,
      ...(run.crossed === undefined ? [] : [`- Without the key: ${run.crossed.asked} of ${run.crossed.all} pairs of credential, shape and headers`]),
    ].join('\n'),
    countsTable(report),
    ...failures(report),
    ...list(report, 'warn', 'Warnings', (each) => `expected ${code(each.expected ?? '')}, received ${code(each.received ?? '')}`),
    ...list(report, 'inconclusive', 'Inconclusive, and what would decide it', ({ reason }) => markdown(cut(reason ?? ''))),
    ...footprint(report),
    ...profile(report),
    '',
  ].join('\n\n');
}

function countsTable({ counts }: Report): string {
  const row = (verdict: Verdict) => `| ${SYMBOLS[verdict]} ${WORDS[verdict]} | ${counts.must[verdict]} | ${counts.should[verdict]} |`;
  const inPart = counts.must.inPart + counts.should.inPart > 0 ? [`| of these in part | ${counts.must.inPart} | ${counts.should.inPart} |`] : [];
  const rows = VERDICTS.flatMap((verdict) => (verdict === 'pass' ? [row(verdict), ...inPart] : [row(verdict)]));
  return ['| | must | should |', '|---|--:|--:|', ...rows].join('\n');
}

function failures(report: Report): string[] {
  const all = withVerdict(report, 'fail');
  if (all.length === 0) return [];
  const more = all.length - SHOWN;
  return [
    `## ${counted(all.length, 'failure')}`,
    ...all.slice(0, SHOWN).map((each) => failure(report, each)),
    ...(more > 0 ? [`… and ${counted(more, 'more failure', 'more failures')}, all in conformance.html and report.json.`] : []),
  ];
}

function failure(report: Report, result: RequirementResult): string {
  const { id, statement, section, expected, received, pointer, waiver } = result;
  const [exchange] = evidenceIn(report)(result);
  const curl = exchange === undefined ? '' : curlCommand(exchange, report.target.baseUrl);
  return [
    `<details open>\n<summary>${SYMBOLS.fail} <code>${html(id)}</code> ${html(visible(statement))}</summary>`,
    [
      `- section: ${markdown(section)}`,
      `- expected: ${code(expected ?? 'see the statement')}`,
      `- received: ${code(received ?? 'see the answer')}${pointer ? ` at ${code(pointer)}` : ''}`,
      ...(waiver === null ? [] : [`- waived: ${markdown(waiverLine(waiver))}`]),
      ...(exchange === undefined ? [] : [`- exchange: ${code(requestLine(exchange))} → ${code(answerLine(exchange))}`]),
    ].join('\n'),
    markdownBlock([...(curl.length > 4 * LONGEST ? [] : [curl]), ...commandsFor(result)].join('\n\n').trim(), 'sh'),
    '</details>',
  ].join('\n\n');
}

function list(report: Report, verdict: Verdict, title: string, text: (result: RequirementResult) => string): string[] {
  const all = withVerdict(report, verdict);
  if (all.length === 0) return [];
  const lines = all.slice(0, LISTED).map((each) => `- ${code(each.id)} ${markdown(each.statement)} ${text(each)}`);
  return [`## ${title}`, [...lines, ...rest(all.length)].join('\n')];
}

function footprint({ footprint: left }: Report): string[] {
  if (left.length === 0) return ['## Footprint', 'The run left nothing behind.'];
  const lines = left.slice(0, LISTED).map(({ id, name }) => `- ${code(id)} ${code(name)}`);
  return ['## Footprint', `${counted(left.length, 'animal')} stayed in the store.`, folded('Which ones', [...lines, ...rest(left.length)])];
}

function profile({ observations }: Report): string[] {
  if (observations.length === 0) return [];
  return ['## Behaviour profile', folded(
    `${counted(observations.length, 'open question')} answered; never judged`,
    observations.map(({ question, observed }) => `- ${markdown(question)} ${code(observed)}`),
  )];
}

function folded(title: string, lines: string[]): string {
  return `<details>\n<summary>${html(title)}</summary>\n\n${lines.join('\n')}\n\n</details>`;
}

function rest(length: number): string[] {
  return length > LISTED ? [`- … and ${counted(length - LISTED, 'more', 'more')}`] : [];
}

function code(text: string): string {
  return markdownCode(cut(text));
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
