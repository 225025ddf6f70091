import type { Evidence, Header } from '../fixtures/exchange.ts';
import { bodyView } from './body-view.ts';
import { testsOf, type Cause } from './causes.ts';
import { commandsFor, onlyCommand, replayCommand } from './commands.ts';
import { curlCommand } from './curl.ts';
import { answerLine, evidenceIn } from './evidence.ts';
import { waiverLine } from './failure-text.ts';
import { markup, type Markup } from './markup.ts';
import type { Report, RequirementResult } from './report.ts';
import { counted, SYMBOLS, WORDS } from './verdict-words.ts';

/** How many exchanges a card shows; the others are counted. */
const SHOWN = 4;

/** One cause as a card that opens: what was promised, what came, how it was asked, and how to ask again. */
export function failureCard(report: Report, cause: Cause): Markup {
  const [first] = cause;
  const exchanges = evidenceIn(report)(first);
  const more = exchanges.length - SHOWN;
  const told = exchanges.find(({ response }) => response !== null && bodyView(response.body, first.pointer).exact) ?? exchanges[0];
  const waived = first.waiver !== null && waiverLine(first.waiver);
  return markup`<details class="card ${first.verdict}" id="${anchor(first)}">
<summary>${verdictMark(first)}
<span class="statement">${first.statement} <code class="id">${first.id}</code>
${waived && markup`<span class="waived">waived</span>`}</span></summary>
<div class="inside">
<p class="source">${first.level} · section <cite>${first.section}</cite> · ${first.operation}</p>
${waived && markup`<p>Waived <bdi>${waived}</bdi></p>`}
<dl class="versus">
<div><dt>Expected</dt><dd><bdi>${first.expected ?? 'what the statement says'}</bdi></dd></div>
<div class="received"><dt>Received</dt>
<dd><bdi>${first.received ?? first.reason ?? 'see the answer'}</bdi>${first.pointer !== null && at(first.pointer)}</dd></div>
</dl>
${cause.length > 1 && sameCause(cause)}
${exchanges.slice(0, SHOWN).map((each) => exchangeView(report, each, each === told ? first.pointer : null))}
${more > 0 && markup`<p>${counted(more, 'more exchange')} in report.json.</p>`}
<p class="label">Run again</p>
${runAgain(cause).map(command)}
${tests(cause)}
</div>
</details>`;
}

/** Where a result is found on the page. */
export function anchor({ id }: Pick<RequirementResult, 'id'>): string {
  return `req-${id}`;
}

/** A verdict as symbol and word, told by more than colour. */
export function verdictMark({ verdict }: Pick<RequirementResult, 'verdict'>): Markup {
  return markup`<span class="verdict ${verdict}"><span aria-hidden="true">${SYMBOLS[verdict]}</span> ${WORDS[verdict]}</span>`;
}

function at(pointer: string): Markup {
  return markup`<br><span class="at">at <code><bdi>${pointer || 'the whole body'}</bdi></code></span>`;
}

function sameCause(cause: Cause): Markup {
  const others = cause.slice(1).map(({ id, statement }) => markup`<li><code>${id}</code> ${statement}</li>`);
  return markup`<p>The same answer breaks ${counted(cause.length - 1, 'more requirement')}:</p><ul>${others}</ul>`;
}

function runAgain(cause: Cause): string[] {
  const replays = cause.flatMap(({ replay }) => (replay === null ? [] : [replayCommand(replay)]));
  return cause.length === 1 ? commandsFor(cause[0]) : [onlyCommand(...cause.map(({ id }) => id)), ...new Set(replays)];
}

function tests(cause: Cause): Markup | null {
  const all = testsOf(cause);
  if (all.length === 0) return null;
  const lines = all.map(({ title, file, line }) => markup`<li><bdi>${title}</bdi> <code>${file}:${line}</code></li>`);
  return markup`<p class="label">${counted(all.length, 'test')} found it</p><ul class="tests">${lines}</ul>`;
}

function exchangeView(report: Report, exchange: Evidence, pointer: string | null): Markup {
  const { request, response } = exchange;
  return markup`<p class="label">Exchange <span class="id">${exchange.id}</span></p>
<div class="exchange">
<figure><figcaption>Request</figcaption><pre><code>${`${request.method} ${request.path}`}
${headerLines(request.headers)}${request.body !== null && markup`
${bodyLines(request.body, null)}`}</code></pre></figure>
<figure><figcaption>Answer${response !== null && `, ${counted(response.bytes, 'byte')}`}</figcaption>
<pre><code>${answerLine(exchange)}${response !== null && markup`
${headerLines(response.headers)}
${bodyLines(response.body, pointer)}`}</code></pre></figure>
</div>
${command(curlCommand(exchange, report.target.baseUrl))}`;
}

function headerLines(headers: readonly Header[]): Markup[] {
  return headers.map(([name, value]) => markup`<span class="header">${name}: ${value}</span>
`);
}

function bodyLines(body: string, pointer: string | null): Markup[] {
  return bodyView(body, pointer).lines.map((line) =>
    'gap' in line
      ? markup`<span class="gap">… ${counted(line.gap, 'line')} left out …</span>
`
      : markup`${line.before}${line.marked !== '' && markup`<mark>${line.marked}</mark>`}${line.after}
`,
  );
}

function command(text: string): Markup {
  return markup`<pre class="command"><code>${text}</code></pre>`;
}
