/** Renders one cause of failures, or of warnings, as a card of the conformance page. */
import type { Evidence } from '../../../fixtures/exchange/exchange.ts';
import { locateSentences } from '../../../fixtures/interface/sections.ts';
import { findBlockedBy } from '../words/blocked.ts';
import { writeBugReport } from '../text/run-text.ts';
import { describeCause, type Cause } from '../../document/causes.ts';
import { spellCommands, findStart } from '../words/commands.ts';
import { renderBriefExchange, renderCommand, readExchangeNumber, renderExchange } from './exchange-view.ts';
import { describeRepeat, spellShownCurl, writeExampleLines, writeShareLines } from '../words/cause-facts.ts';
import { shortenSides, spellFirstCode, writeShortFailure, writeWaiverLine } from '../words/failure-text.ts';
import { writeBrokenSince } from '../words/since-words.ts';
import { markup, type Markup } from './markup.ts';
import type { Report, RequirementResult } from '../../document/report-document.ts';
import { findShownExchange, findTogether, listEvidence } from '../../document/shown-exchange.ts';
import { countNoun, SYMBOLS, VERDICT_WORDS, capitalize } from '../words/verdict-words.ts';

/** The most other exchanges that a card shows. */
const MOST_OTHERS = 5;

/**
 * Returns a cause as a card about its first promise: expected and received, commands that send the request again, and the exchange that
 * shows the failure best. Other promises of the cause, and other exchanges, are folded.
 * @param open true if the card begins open
 */
export function renderFailureCard(report: Report, cause: Cause, open: boolean): Markup {
  const [first] = cause;
  const exchanges = listEvidence(report, first);
  const shown = findShownExchange(report, first);
  const others = exchanges.filter((each) => each !== shown);
  // An exchange like the shown one fails too. Others are right, e.g. the 201 of an animal that getPet does not find. But if the promise
  // is about the form of answers, all of its exchanges fail.
  const isOfForm = /^(errors|representation)\./.test(first.id);
  const isAlike = ({ operation, response }: Evidence) =>
    isOfForm || (operation === shown?.operation && response?.status === shown.response?.status);
  const waived = first.waiver !== null && writeWaiverLine(first.waiver);
  return markup`<details class="card ${first.verdict}"${open && markup` open`}>
<summary>${renderVerdict(first)}
<span class="statement">${describeCause(report, cause)} <code class="id">${first.id}</code>
${waived && markup`<span class="waived">waived</span>`}</span></summary>
<div class="inside" id="${renderAnchor(first)}">
<div class="look-first">${renderVersus(first)}
<div>${shown !== undefined && renderSeeAgain(spellShownCurl(report, cause) ?? '', describeRepeat(report, cause), findTogether(shown, exchanges, first))}</div></div>
${[writeBrokenSince(report, first) ?? [], writeShareLines(report, cause)].flat().map((line) => markup`<p class="often"><bdi>${capitalize(line)}</bdi></p>`)}
<p class="source">${first.statement} <br>${first.level} · section <cite>${first.section}</cite>${locateSentences(first.id, first.section).map(({ number, says }) => markup`, <a href="#${renderSentenceAnchor(first.section, number)}">sentence ${number}</a> (${says})`)} · ${first.operation}</p>
${waived && markup`<p>Waived <bdi>${waived}</bdi></p>`}
${shown !== undefined && renderExchange(shown, first.pointer)}
${Object.entries(spellCommands(findStart(report), ...cause)).map(([label, command]) => markup`<p class="label">${capitalize(label)}</p>${renderCommand(command)}`)}
${[renderAlsoFails(report, cause), renderSameCause(cause), renderBlocked(report, cause)]}
${renderMore('more like this', others.filter(isAlike))}
${renderMore(
  'to compare with',
  others.filter((each) => !isAlike(each)),
)}
<details class="fold bug"><summary>As a bug report</summary>${renderCommand(writeBugReport(report, cause))}</details>
</div>
</details>`;
}

/** Shows expected and received side by side. */
function renderVersus(result: RequirementResult): Markup {
  const { pointer, difference } = result;
  const { expected, received } = shortenSides(result);
  const differing = (part: 'expected' | 'received') =>
    difference !== undefined && renderDifference(difference, part);
  return markup`<dl class="versus">
<div><dt>Expected</dt><dd><bdi>${expected}</bdi>${differing('expected')}</dd></div>
<div class="received"><dt>Received</dt><dd><bdi>${received}</bdi>${differing('received')}${pointer !== null && markup` <br><span class="at">at <code><bdi>${pointer || 'the whole body'}</bdi></code></span>`}</dd></div>
</dl>`;
}

/** Shows where a long text begins to differ. The first other character is marked and has its code, because it may be invisible. */
function renderDifference(
  { character, before, ...parts }: NonNullable<RequirementResult['difference']>,
  part: 'expected' | 'received',
): Markup {
  const [first, ...rest] = parts[part];
  return markup` <br><span class="at">from character ${character} on (${spellFirstCode(parts[part])}):</span> <code><bdi>${before}<mark>${first ?? ''}</mark>${rest.join('')}</bdi></code>`;
}

/** Returns the id of the element about a result. The element is in the part that a card folds: so a link to it opens the card. */
export function renderAnchor({ id }: Pick<RequirementResult, 'id'>): string {
  return `req-${id}`;
}

/** Returns the id of the element about a sentence of the document, e.g. `sentence-limits-2`. */
export function renderSentenceAnchor(section: string, number: number): string {
  return `sentence-${section.toLowerCase().replaceAll(/[^a-z]+/g, '-')}-${number}`;
}

/** Returns a verdict as symbol and word, because some readers cannot tell colours. */
export function renderVerdict({ verdict }: Pick<RequirementResult, 'verdict'>): Markup {
  return markup`<span class="verdict ${verdict}"><span aria-hidden="true">${SYMBOLS[verdict]}</span> ${VERDICT_WORDS[verdict]}</span>`;
}

/** Shows the command that sends the request again, or all requests that must be sent together (`together`; empty: one is enough). */
function renderSeeAgain(command: string, note: string, together: readonly Evidence[]): Markup {
  if (together.length === 0)
    return markup`<p class="label">${note === '' ? 'See it again' : `The request (${note})`}</p>${renderCommand(command, 'the middle')}`;
  const lines = together.map(
    (each) =>
      markup`<li>${readExchangeNumber(each)} <code><bdi>${each.request.body ?? ''}</bdi></code>: ${each.response?.status ?? 'no answer'} <code><bdi>${each.response?.body.slice(0, 200) ?? ''}</bdi></code></li>`,
  );
  return markup`<p class="label">Send them together again</p>${renderCommand(command, `${together.length} requests`)}
<p class="label">${countNoun(together.length, 'request')} show it together</p><ul>${lines}</ul>`;
}

/** Lists the other kinds of requests that fail, so that a reader mends all of them before the next run. */
function renderAlsoFails(report: Report, cause: Cause): Markup | null {
  const items = writeExampleLines(report, cause).map(
    (each) => markup`<li><code><bdi>${each}</bdi></code></li>`,
  );
  return renderFold(`The same fails for ${countNoun(items.length, 'more kind')} of request`, items);
}

/** Shows the first of further exchanges of the result, and names the rest. @param what e.g. `more like this` */
function renderMore(what: string, others: readonly Evidence[]): Markup | null {
  if (others.length === 0) return null;
  const more = others.length - MOST_OTHERS;
  return markup`<details class="fold"><summary>${others.length} ${what}</summary>
${others.slice(0, MOST_OTHERS).map((each) => renderBriefExchange(each))}
${more > 0 && markup`<p class="more">${countNoun(more, 'more exchange')} in report.json: ${others.slice(MOST_OTHERS).map(readExchangeNumber).join(', ')}</p>`}</details>`;
}

/** Lists the other promises of the cause, each with expected and received: another request may have shown it broken. */
function renderSameCause(cause: Cause): Markup | null {
  const items = cause
    .slice(1)
    .map(
      (each) =>
        markup`<li id="${renderAnchor(each)}"><code>${each.id}</code> ${each.statement}<br><span class="at"><bdi>${writeShortFailure(each)}</bdi></span></li>`,
    );
  return renderFold(`Breaks ${countNoun(items.length, 'more promise')}`, items);
}

function renderBlocked(report: Report, cause: Cause): Markup | null {
  const items = findBlockedBy(report, cause).map(
    (each) => markup`<li><a href="#${renderAnchor(each)}">${each.id}</a></li>`,
  );
  return renderFold(`${countNoun(items.length, 'requirement')} could not be decided because of this`, items);
}

function renderFold(title: string, items: readonly Markup[]): Markup | null {
  return items.length === 0
    ? null
    : markup`<details class="fold"><summary>${title}</summary><ul>${items}</ul></details>`;
}
