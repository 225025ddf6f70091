/** Renders one requirement as a row in the lists of the conformance page. */
import { listBlockers } from '../words/blocked.ts';
import { renderBriefExchange } from './exchange-view.ts';
import { renderAnchor, renderVerdict } from './failure-card.ts';
import { markup, type Markup } from './markup.ts';
import type { Evidence } from '../../../fixtures/exchange/exchange.ts';
import type { Report, RequirementResult } from '../../document/report-document.ts';
import { findSmallest, listEvidence } from '../../document/shown-exchange.ts';
import { countNoun, capitalize } from '../words/verdict-words.ts';

/** The most tests that a row names. */
const MOST_TESTS = 3;

/**
 * Returns a row of the list of all requirements. The row of a kept promise opens and shows an exchange. The row of a broken or undecided
 * promise has a link to the card or line about it. Other rows have the reason.
 */
export function renderRequirement(report: Report, result: RequirementResult): Markup {
  if (result.verdict === 'pass') return renderKept(report, result);
  if (result.verdict === 'not-applicable' || result.verdict === 'excused') return renderExplained(result);
  // A requirement that broken promises keep undecided has no line elsewhere on the page. So links to it lead to this row.
  const blockers = listBlockers(report, result);
  return blockers.length > 0
    ? markup`<li class="line" id="${renderAnchor(result)}">${renderVerdict(result)}
<span class="statement">${renderNamed(result)}<span class="why">Could not be decided because of ${renderLinks(blockers)}</span></span></li>`
    : markup`<li class="line">${renderVerdict(result)}
<span class="statement">${renderNamed(result)} <a href="#${renderAnchor(result)}">why<span class="unseen"> ${result.id}</span></a></span></li>`;
}

/** Returns a row with the requirement and its reason. */
export function renderExplained(result: RequirementResult): Markup {
  return markup`<li class="line" id="${renderAnchor(result)}">${renderVerdict(result)}
<span class="statement">${renderNamed(result)}${renderWhy(result.reason ?? 'no reason was given')}</span></li>`;
}

/** Returns the row of a promise that was kept. Its tests and its smallest exchange are folded. */
function renderKept(report: Report, result: RequirementResult): Markup {
  const exchanges = listEvidence(report, result);
  // The row shows an exchange with the most frequent status. A rare status may break another promise, e.g. 400 to limit=100.
  const countLike = ({ response }: Evidence) =>
    exchanges.filter((each) => each.response?.status === response?.status).length;
  const most = Math.max(...exchanges.map(countLike));
  const shown = findSmallest(exchanges.filter((each) => countLike(each) === most));
  const { tests, partial } = result;
  const titles = tests
    .slice(0, MOST_TESTS)
    .map(({ title, file }) => markup`<li><bdi>${title}</bdi> <code>${file}</code></li>`);
  return markup`<li><details class="kept"><summary>${renderVerdict(result)}
<span class="statement">${renderNamed(result)}${listReservations(result).length > 0 && markup` <span class="level">${partial == null ? 'remark' : 'in part'}</span>`}</span></summary>
<div class="inside" id="${renderAnchor(result)}">
${listReservations(result).map(renderWhy)}
${titles.length > 0 && markup`<p class="label">Asked</p><ul>${titles}</ul>`}
${tests.length > MOST_TESTS && markup`<p>and ${countNoun(tests.length - MOST_TESTS, 'more test')}</p>`}
${shown === undefined ? markup`<p>The run checked every answer for it, and no answer broke it.</p>` : markup`<p class="label">${countNoun(result.asked ?? exchanges.length, 'exchange')} showed it kept, e.g.</p>${renderBriefExchange(shown)}`}
</div></details></li>`;
}

/** Lists the reservations of passes: each sentence once, with links to all promises that it is about. Null if no pass has one. */
export function renderReservations({ requirements }: Pick<Report, 'requirements'>): Markup | null {
  const passes = requirements.filter((each) => each.verdict === 'pass' && listReservations(each).length > 0);
  const sentences = [...new Set(passes.flatMap(listReservations))];
  if (sentences.length === 0) return null;
  const items = sentences.map((text) => {
    const own = passes.filter((each) => listReservations(each).includes(text));
    return markup`<li><bdi>${capitalize(text)}</bdi>: ${renderLinks(own.map(({ id }) => id))}</li>`;
  });
  return markup`<details class="fold"><summary>${countNoun(passes.length, 'pass', 'passes')} in part, or with a remark</summary><ul>${items}</ul></details>`;
}

/** Returns links to these requirements, with commas between. */
function renderLinks(ids: readonly string[]): Markup[] {
  return ids.map((id, index) => markup`${index > 0 && ', '}<a href="#${renderAnchor({ id })}">${id}</a>`);
}

/** Returns the reservations of a pass, in sentences: what it assumes, and which cases it left out. */
function listReservations({ reason, partial }: RequirementResult): string[] {
  return [...(reason === null ? [] : [reason]), ...(partial == null ? [] : [describeInPart(partial)])];
}

function describeInPart({ reason, needs }: NonNullable<RequirementResult['partial']>): string {
  return `in part: ${reason}${needs === null ? '' : `; MAX_ANIMALS=${needs} would judge it in full`}`;
}

function renderNamed({ id, statement, level }: RequirementResult): Markup {
  return markup`${statement} <code class="id">${id}</code>${level === 'should' && markup` <span class="level">should</span>`}`;
}

function renderWhy(text: string): Markup {
  return markup`<span class="why"><bdi>${capitalize(text)}</bdi></span>`;
}
