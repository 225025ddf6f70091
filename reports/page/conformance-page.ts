import { causeLine, undecidedAlone } from '../words/blocked.ts';
import { findFailures, findWarnings, type Cause } from '../document/causes.ts';
import { coverageMaps, latencyTable } from './charts.ts';
import { anchor, failureCard } from './failure-card.ts';
import { commandView } from './exchange-view.ts';
import { nextSteps } from '../words/next-steps.ts';
import { markup, type Markup } from './markup.ts';
import { page } from './page-frame.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { pageTools } from './page-tools.ts';
import { pageHead, theRun } from './page-head.ts';
import { profileLine, wasAsked, whyUnasked } from '../words/profile-words.ts';
import type { Report, RequirementResult } from '../document/report.ts';
import { explainedRow, limits, requirementRow } from './requirement-row.ts';
import { shortfallOf } from '../words/remedy.ts';
import { sentence } from '../words/sentence.ts';
import { groupBySection, type Section } from '../document/group-by-section.ts';
import { counted, headline, tally, withVerdict } from '../words/verdict-words.ts';

/** Characters of the name of an animal that are shown, and that are there to be opened. */
const LONGEST_NAME = 40;
const LONGEST = 300;

/** The whole report as one HTML file that needs no network, reads without its script, and on paper too. What broke comes first. */
export function conformancePage(report: Report): string {
  const failures = findFailures(report);
  const warnings = findWarnings(report);
  const parts: [id: string, title: string, content: Markup | null, short?: string][] = [
    ['failures', 'Failures', cards(report, failures, true)],
    ['warnings', 'Warnings', cards(report, warnings, false)],
    ['undecided', 'Undecided', undecided(report, [...failures, ...warnings])],
    ['next', 'What next', next(report), 'Next'],
    ['run', 'The run', theRun(report)],
    [
      'not-applicable',
      'Not applicable here',
      rows(withVerdict(report, 'not-applicable'), explainedRow),
      'Not applicable',
    ],
    [
      'requirements',
      'All requirements',
      markup`${limits(report)}<div data-counted>${groupBySection(report).map((section) => sectionView(report, section))}</div>`,
      'Requirements',
    ],
    ['profile', 'Behaviour profile', profile(report), 'Profile'],
    ['unseen', 'Untestable from outside', rows(withVerdict(report, 'excused'), explainedRow), 'Untestable'],
    ['coverage', 'What met', coverageMaps(report)],
    ['latency', 'Latency', latencyTable(report)],
    ['footprint', 'Footprint', footprint(report)],
  ];
  const shown = parts.filter(([, , content]) => content !== null);
  return page(
    `${headline(report)}: ${report.target.baseUrl}`,
    markup`${pageHead(report)}
<nav aria-label="Contents"><details class="menu folds" open><summary>Contents</summary><ul>${shown.map(([id, title, , short]) => markup`<li><a href="#${id}">${short ?? title}</a></li>`)}</ul>
${pageTools(report)}</details></nav>
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

function rows<T>(results: readonly T[], item: (result: T) => Markup): Markup | null {
  return results.length === 0 ? null : markup`<ul class="results">${results.map(item)}</ul>`;
}

/** A line for each cause, then a card for each. */
function cards(report: Report, causes: readonly Cause[], open: boolean): Markup | null {
  if (causes.length === 0) return null;
  const lines = causes.map(
    (cause) => markup`<li><a href="#${anchor(cause[0])}">${causeLine(report, cause)}</a></li>`,
  );
  return markup`${lines.length > 1 && markup`<ol class="causes">${lines}</ol>`}<ul class="results">${causes.map((cause) => markup`<li data-of="${cause[0].operation}" data-level="${cause[0].level}">${failureCard(report, cause, open)}</li>`)}</ul>`;
}

function next(report: Report): Markup | null {
  const steps = nextSteps(report).map(
    ({ what, command }) => markup`<li>${what}${command !== null && commandView(command)}</li>`,
  );
  return steps.length === 0 ? null : markup`<ul class="steps">${steps}</ul>`;
}

/** What one thing left open is under it once, however many requirements that are; nothing if no test was run, which the head says. */
function undecided(report: Report, causes: readonly Cause[]): Markup | null {
  const results = undecidedAlone(report, causes);
  if (results.length === 0 || shortfallOf(report)?.kind === 'unreachable') return null;
  // that the run stopped is one reason, whatever each requirement was at
  const whyOf = ({ cause, reason }: RequirementResult) =>
    cause?.kind === 'stopped' ? 'stopped' : (reason ?? 'no reason was given');
  const groups = [...new Set(results.map(whyOf))];
  return markup`<ul class="results">${groups.flatMap((group) => {
    const same = results.filter((each) => whyOf(each) === group);
    const [only] = same.toSorted((one, other) => (one.reason ?? '').length - (other.reason ?? '').length);
    const reason = only?.reason ?? 'no reason was given';
    if (only !== undefined && same.length === 1) return [explainedRow(only)];
    return [
      markup`<li class="line"><span class="verdict inconclusive"><span aria-hidden="true">?</span> ${same.length} undecided</span>
<div><span class="why"><bdi>${sentence(reason)}</bdi></span><details class="fold"><summary>Which ones</summary>
<ul>${same.map((each) => markup`<li id="${anchor(each)}"><code>${each.id}</code> ${each.statement}</li>`)}</ul></details></div></li>`,
    ];
  })}</ul>`;
}

function sectionView(report: Report, { title, requirements, questions }: Section): Markup {
  const open = questions > 0 && markup` · <a href="#profile">${counted(questions, 'open question')}</a>`;
  if (requirements.length === 0) {
    return markup`<div class="section quiet"><h3>${title}</h3><p class="tally">nothing is promised here${open}</p></div>`;
  }
  return markup`<div class="section"><h3>${title}</h3><p class="tally">${tally(requirements)}${open}</p>
<ul class="results">${requirements.map((each) => requirementRow(report, each))}</ul></div>`;
}

function profile(report: Report): Markup | null {
  const { observations } = report;
  if (observations.length === 0) return null;
  const unasked = observations.filter((each) => !wasAsked(each));
  const lines = observations
    .filter(wasAsked)
    .map((each) => markup`<li><bdi>${profileLine(each)}</bdi> <code class="id">${each.id}</code></li>`);
  return markup`<p>What the target does if the document leaves a question open. The suite does not judge it.</p>
<ul class="profile">${lines}</ul>
${
  unasked.length > 0 &&
  markup`<details class="fold"><summary>${counted(unasked.length, 'question')} not asked</summary>
<p>${whyUnasked(report)}</p><ul>${unasked.map(({ id, question }) => markup`<li>${question} <code class="id">${id}</code></li>`)}</ul></details>`
}`;
}

/** A long name is cut, and opens. */
function nameOf(name: string): Markup {
  if (name.length <= LONGEST_NAME) return markup`<bdi>${name}</bdi>`;
  return markup`<details class="long"><summary><bdi>${name.slice(0, LONGEST_NAME)}…</bdi></summary><bdi>${name.slice(0, LONGEST)}</bdi></details>`;
}

function footprint({ footprint: left }: Report): Markup {
  if (left.length === 0) return markup`<p>The run left nothing behind.</p>`;
  const items = left.map(({ id, name }) => markup`<li><code><bdi>${id}</bdi></code> ${nameOf(name)}</li>`);
  return markup`<p>${counted(left.length, 'animal')} stayed in the store; the interface shows no way to delete them.</p>
<ol class="animals">${items}</ol>`;
}
