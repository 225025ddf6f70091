/** Renders the conformance page: the report of a run as one HTML file. */
import { writeCauseLine, findOtherUndecided, groupByReason } from '../words/blocked.ts';
import { findFailures, findWarnings, type Cause } from '../../document/causes.ts';
import { listSentences } from '../../../fixtures/interface/sections.ts';
import { renderAnchor, renderFailureCard, renderSentenceAnchor } from './failure-card.ts';
import { renderCommand } from './exchange-view.ts';
import { writeWhereLine } from '../words/cause-facts.ts';
import { listNextSteps } from '../words/next-steps.ts';
import { markup, type Markup } from './markup.ts';
import { renderPage } from './page-frame.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { renderHead, renderRun, renderVerdictPart } from './page-head.ts';
import { writeProfileLine, isQuestionAsked, explainUnasked } from '../words/profile-words.ts';
import type { Report, RequirementResult, Verdict } from '../../document/report-document.ts';
import { renderExplained, renderReservations, renderRequirement } from './requirement-row.ts';
import { findShortfall } from '../words/shortfall.ts';
import { groupBySection, type Section } from '../../document/group-by-section.ts';
import { countNoun, writeHeadline, countByVerdict, capitalize } from '../words/verdict-words.ts';

/** Returns the page. It needs no network, and can be read without its script and on paper. Failures come first. */
export function renderConformancePage(report: Report): string {
  const failures = findFailures(report);
  const warnings = findWarnings(report);
  // `short` is the title in the contents. A part without content is left out. In `markup`, null and false add nothing.
  const parts: [id: string, title: string, content: Markup | null, short?: string][] = [
    ['failures', 'Failures', renderCards(report, failures, true)],
    ['warnings', 'Warnings', renderCards(report, warnings, false)],
    ['undecided', 'Undecided', renderUndecided(report, [...failures, ...warnings])],
    ['next', 'What next', renderNext(report), 'Next'],
    ['run', 'The run', renderRun(report)],
    [
      'requirements',
      'All requirements',
      markup`${renderReservations(report)}${groupBySection(report).map((section) => renderSection(report, section))}`,
      'Requirements',
    ],
    ['profile', 'Behaviour profile', renderProfile(report), 'Profile'],
  ];
  const shown = parts.filter(([, , content]) => content !== null);
  return renderPage(
    `${writeHeadline(report)}: ${report.target.baseUrl}`,
    markup`${renderHead(report)}
<main id="main" tabindex="-1">
${renderVerdictPart(report)}
<nav aria-label="Contents"><ul>${shown.map(([id, title, , short]) => markup`<li><a href="#${id}">${short ?? title}</a></li>`)}</ul></nav>
${shown.map(
  ([id, title, content]) => markup`<section class="part" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>${content}
</section>`,
)}
</main>
<footer>
<p>Made by ${report.suite.name} ${report.suite.version} from report.json of run ${report.run.id}.
The interface document decides; this page only reports.</p>
</footer>`,
    { script: PAGE_SCRIPT },
  );
}

/** A list of causes with more lines begins folded, so that the first card is on the first screen. */
const MOST_LINES = 6;

/** Returns a line for each cause, which links to the card of its first result, then the cards; null without a cause. `open`: they begin open. */
function renderCards(report: Report, causes: readonly Cause[], open: boolean): Markup | null {
  if (causes.length === 0) return null;
  const lines = causes.map(
    (cause) =>
      markup`<li><a href="#${renderAnchor(cause[0])}">${writeCauseLine(report, cause)}</a><br><span class="at"><bdi>${writeWhereLine(report, cause)}</bdi></span></li>`,
  );
  const isLong = lines.length > MOST_LINES;
  const list = markup`<details class="list ${isLong ? 'quiet' : 'folds'}"${!isLong && ' open'}><summary>All ${lines.length}, in short</summary><ol class="causes">${lines}</ol></details>`;
  return markup`${lines.length > 1 && list}<ul class="results">${causes.map((cause) => markup`<li>${renderFailureCard(report, cause, open)}</li>`)}</ul>`;
}

function renderNext(report: Report): Markup | null {
  const steps = listNextSteps(report).map(
    ({ what, command }) => markup`<li>${what}${command !== undefined && renderCommand(command)}</li>`,
  );
  return steps.length === 0 ? null : markup`<ul class="steps">${steps}</ul>`;
}

/**
 * Shows each reason why requirements are undecided, with these requirements. Null if no test was run, because the head of the page then
 * has the reason.
 */
function renderUndecided(report: Report, causes: readonly Cause[]): Markup | null {
  const results = findOtherUndecided(report, causes);
  if (results.length === 0 || findShortfall(report)?.kind === 'not-begun') return null;
  return markup`<ul class="results">${groupByReason(results).map(({ reason, same }) => {
    if (same.length === 1) return same.map(renderExplained);
    return markup`<li class="line"><span class="verdict inconclusive"><span aria-hidden="true">?</span> ${same.length} undecided</span>
<div><span class="why"><bdi>${capitalize(reason)}</bdi></span><details class="fold"><summary>Which ones</summary>
<ul>${same.map((each) => markup`<li id="${renderAnchor(each)}"><code>${each.id}</code> ${each.statement}</li>`)}</ul></details></div></li>`;
  })}</ul>`;
}

/** Verdicts about which nobody has to do anything: their rows are folded. */
const QUIET: readonly Verdict[] = ['pass', 'not-applicable', 'excused'];

function renderSection(report: Report, { title, requirements, questions }: Section): Markup {
  const openLink = questions > 0 && markup`<a href="#profile">${countNoun(questions, 'open question')}</a>`;
  if (requirements.length === 0) {
    return markup`<div class="section no-promise"><h3>${title}</h3><p class="tally">nothing is promised here${questions > 0 && ' · '}${openLink}</p></div>`;
  }
  const isQuiet = ({ verdict }: RequirementResult) => QUIET.includes(verdict);
  const quiet = requirements.filter(isQuiet);
  // An empty list would have no meaning for a screen reader, so it is left out.
  const rows = (results: readonly RequirementResult[]) =>
    results.length > 0 &&
    markup`<ul class="results">${results.map((each) => renderRequirement(report, each))}</ul>`;
  return markup`<div class="section"><h3>${title}</h3><p class="tally">${openLink}</p>
${rows(requirements.filter((each) => !isQuiet(each)))}
${quiet.length > 0 && markup`<details class="quiet"><summary>${countByVerdict(quiet)}</summary>${rows(quiet)}</details>`}${renderSentences(title)}</div>`;
}

/** Lists the sentences of a section of the document in our words. Cards have links to them. */
function renderSentences(title: string): Markup | null {
  const items = listSentences(title).map(
    ({ number, says }) => markup`<li id="${renderSentenceAnchor(title, number)}">${says}</li>`,
  );
  return items.length === 0
    ? null
    : markup`<details class="fold"><summary>Sentences of the document, in our words</summary><ol>${items}</ol></details>`;
}

function renderProfile(report: Report): Markup | null {
  const { observations } = report;
  if (observations.length === 0) return null;
  const unasked = observations.filter((each) => !isQuestionAsked(each));
  const lines = observations
    .filter(isQuestionAsked)
    .map((each) => markup`<li><bdi>${writeProfileLine(each)}</bdi> <code class="id">${each.id}</code></li>`);
  return markup`<p>What the target does if the document leaves a question open. The suite does not judge it.</p>
<ul class="profile">${lines}</ul>
${
  unasked.length > 0 &&
  markup`<details class="fold"><summary>${countNoun(unasked.length, 'question')} not asked</summary>
<p>${explainUnasked(report)}</p><ul>${unasked.map(({ id, question }) => markup`<li>${question} <code class="id">${id}</code></li>`)}</ul></details>`
}`;
}
