/** Renders one exchange (request and answer) on a page, and commands in a frame. */
import { findHeader, type Evidence, type Header } from '../../../fixtures/exchange/exchange.ts';
import { layOutBody, writeBodyLine } from '../words/body-lines.ts';
import { NO_CREDENTIAL, writeAnswerLine, writeRequestLine } from '../words/evidence-lines.ts';
import { shortenText } from '../words/failure-text.ts';
import { markup, type Markup } from './markup.ts';
import { countNoun } from '../words/verdict-words.ts';

/** The most characters of a body in a brief view. */
const BRIEF_LENGTH = 300;

/** Returns one exchange in full. The value at the pointer is marked in its answer. */
export function renderExchange(exchange: Evidence, pointer: string | null): Markup {
  const { id, traceId, request, response } = exchange;
  // If the body is white space, `shortenText` says `(empty)`, or shows it as escapes.
  return markup`<div class="exchange">
<figure><figcaption>Exchange ${readExchangeNumber({ id })}${traceId != null && markup` · trace <code class="id">${traceId}</code>`}</figcaption><pre><code>${writeRequestLine(exchange)}
${renderHeaders(showLeftOut(request.headers))}${
    request.body !== null &&
    markup`
${renderBody(request.body.trim() === '' ? shortenText(request.body) : request.body, null)}`
  }</code></pre></figure>
<figure><figcaption>Answer${response !== null && `, ${countNoun(response.bytes, 'byte')}`}</figcaption>
<pre><code>${writeAnswerLine(exchange)}${
    response !== null &&
    markup`
${renderHeaders(response.headers)}
${renderBody(response.body, pointer)}`
  }</code></pre></figure>
</div>`;
}

/** Returns one exchange with the beginnings of its bodies; of the answer's headers it shows Content-Type only. */
export function renderBriefExchange(exchange: Evidence): Markup {
  const { request, response } = exchange;
  const type = response && findHeader(response, 'content-type');
  const headers: Header[] = type ? [['Content-Type', type]] : [];
  const brief: Evidence = {
    ...exchange,
    request: { ...request, body: request.body && cutBody(request.body) },
    response: response && { ...response, headers, body: cutBody(response.body) },
  };
  return renderExchange(brief, null);
}

/** Returns `531` for the exchange `x531`: it is request 531 of the run. */
export function readExchangeNumber({ id }: Pick<Evidence, 'id'>): string {
  return id.replace(/^x(?=\d+$)/, '');
}

/** A command with more characters than `longest` may be folded: then about these numbers of characters at its two ends are shown. */
const SHOWN_CHARACTERS = { longest: 300, beginning: 130, end: 70 };

/**
 * Returns a command. The script of the page adds a button that copies it, and may fold the middle of a long command.
 * @param folded says what the middle is, e.g. `8 requests`; without it, nothing is folded
 */
export function renderCommand(text: string, folded?: string): Markup {
  const { longest, beginning, end } = SHOWN_CHARACTERS;
  if (folded === undefined || text.length <= longest)
    return markup`<pre class="command"><code>${text}</code></pre>`;
  // The middle begins after the last line break of the beginning. It ends after the first line break of the end. Each may have none.
  const from = text.lastIndexOf('\n', beginning) + 1 || beginning;
  const to = text.length - end + text.slice(-end).indexOf('\n') + 1;
  return markup`<pre class="command"><code>${text.slice(0, from)}<span class="middle" data-left="… ${folded}: Copy takes all …">${text.slice(from, to)}</span>${text.slice(to)}</code></pre>`;
}

/** Names what the request lacks. A header with an empty value was left out: `(not sent)`. Without the key: `Authorization: (none sent)`. */
function showLeftOut(headers: readonly Header[]): readonly Header[] {
  const isSent = findHeader({ headers }, 'authorization') !== undefined;
  const shown = headers.map(([name, value]): Header => [name, value || '(not sent)']);
  return isSent ? shown : [...shown, ['Authorization', NO_CREDENTIAL]];
}

function cutBody(body: string): string {
  return body.length > BRIEF_LENGTH ? `${body.slice(0, BRIEF_LENGTH)}…` : body;
}

function renderHeaders(headers: readonly Header[]): Markup | null {
  const lines = headers.map(([name, value]) => `${name}: ${value}\n`);
  return lines.length === 0 ? null : markup`<span class="header">${lines.join('')}</span>`;
}

function renderBody(body: string, pointer: string | null): Markup[] {
  return layOutBody(body, pointer).map((line) =>
    'gap' in line
      ? markup`<span class="gap">${writeBodyLine(line)}</span>
`
      : markup`${line.before}${line.marked !== '' && markup`<mark>${line.marked}</mark>`}${line.after}
`,
  );
}
