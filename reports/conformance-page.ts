import { causesOf, type Cause } from './causes.ts';
import { anchor, failureCard, verdictMark } from './failure-card.ts';
import { markup, type Markup } from './markup.ts';
import { page } from './page-frame.ts';
import { pageHead } from './page-head.ts';
import type { Report, RequirementResult } from './report.ts';
import { sectionsOf, type Section } from './sections.ts';
import { counted, headline, tally, withVerdict } from './verdict-words.ts';

/** The whole report as one HTML file that needs no network, no script, and reads on paper too. */
export function conformancePage(report: Report): string {
  const failures = causesOf(withVerdict(report, 'fail'));
  const warnings = causesOf(withVerdict(report, 'warn'));
  const parts: [id: string, title: string, content: Markup | null][] = [
    ['requirements', 'Requirements', markup`${sectionsOf(report).map((section) => sectionView(report, section, failures))}`],
    ['warnings', 'Warnings', some(warnings, (cause) => markup`<li>${failureCard(report, cause)}</li>`)],
    ['inconclusive', 'Inconclusive, and what would decide it', some(withVerdict(report, 'inconclusive'), explained)],
    ['not-applicable', 'Not applicable here', some(withVerdict(report, 'not-applicable'), explained)],
    ['profile', 'Behaviour profile', profile(report)],
    ['unseen', 'What this suite cannot see', some(withVerdict(report, 'excused'), explained)],
    ['latency', 'Latency', latency(report)],
    ['footprint', 'Footprint', footprint(report)],
  ];
  const shown = parts.filter(([, , content]) => content !== null);
  return page(
    `${headline(report)}: ${report.target.baseUrl}`,
    markup`${pageHead(report)}
<nav aria-label="Contents"><ul>${shown.map(([id, title]) => markup`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
${shown.map(([id, title, content]) => markup`<section class="part" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>${content}
</section>`)}
</main>
<footer>
<p>Made by ${report.suite.name} ${report.suite.version} from report.json of run ${report.run.id}.
The interface document decides; this page only reports.</p>
</footer>`,
  );
}

function some<T>(results: readonly T[], item: (result: T) => Markup): Markup | null {
  return results.length === 0 ? null : markup`<ul class="results">${results.map(item)}</ul>`;
}

function sectionView(report: Report, { title, requirements, questions }: Section, failures: readonly Cause[]): Markup {
  const open = questions > 0 && markup` · <a href="#profile">${counted(questions, 'open question')}</a>`;
  if (requirements.length === 0) {
    return markup`<div class="section quiet"><h3>${title}</h3><p class="tally">nothing is promised here${open}</p></div>`;
  }
  return markup`<div class="section"><h3>${title}</h3><p class="tally">${tally(requirements)}${open}</p>
<ul class="results">${requirements.map((each) => row(report, each, failures))}</ul></div>`;
}

/** A failure is its card, or points to the card that has the same cause; every other verdict is one line. */
function row(report: Report, result: RequirementResult, failures: readonly Cause[]): Markup {
  const cause = failures.find((each) => each.includes(result));
  if (cause?.[0] === result) return markup`<li>${failureCard(report, cause)}</li>`;
  const elsewhere = result.verdict === 'pass' ? null : cause === undefined ? `#${anchor(result)}` : `#${anchor(cause[0])}`;
  const text = cause === undefined ? 'why' : `same cause as ${cause[0].id}`;
  const link = elsewhere !== null && markup` <a href="${elsewhere}">${text}<span class="unseen"> ${result.id}</span></a>`;
  const level = result.level === 'should' && markup` <span class="level">should</span>`;
  // What is told in a part of its own has its anchor there.
  const id = (cause !== undefined || elsewhere === null) && markup` id="${anchor(result)}"`;
  return markup`<li class="line"${id}>${verdictMark(result)}
<span class="statement">${named(result)}${level}${link}${result.verdict === 'pass' && result.reason !== null && why(result)}</span></li>`;
}

function explained(result: RequirementResult): Markup {
  return markup`<li class="line" id="${anchor(result)}">${verdictMark(result)}
<span class="statement">${named(result)}${why(result)}</span></li>`;
}

function named({ id, statement }: RequirementResult): Markup {
  return markup`${statement} <code class="id">${id}</code>`;
}

function why({ reason }: RequirementResult): Markup {
  return markup`<span class="why"><bdi>${reason ?? 'no reason was given'}</bdi></span>`;
}

function profile({ observations }: Report): Markup | null {
  if (observations.length === 0) return null;
  const items = observations.map(
    ({ id, question, observed }) => markup`<div><dt>${question} <code class="id">${id}</code></dt><dd><bdi>${observed}</bdi></dd></div>`,
  );
  return markup`<p>What the target does where the document is silent. None of it is judged.</p>
<dl class="profile">${items}</dl>`;
}

function latency({ timings }: Report): Markup | null {
  const rows = Object.entries(timings).map(
    ([operation, { count, p50, p95 }]) => markup`<tr><th scope="row">${operation}</th><td>${count}</td><td>${p50}</td><td>${p95}</td></tr>`,
  );
  if (rows.length === 0) return null;
  return markup`<table>
<thead><tr><td></td><th scope="col">requests</th><th scope="col">median, ms</th><th scope="col">95th percentile, ms</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

function footprint({ footprint: left }: Report): Markup {
  if (left.length === 0) return markup`<p>The run left nothing behind.</p>`;
  const items = left.map(({ id, name }) => markup`<li><code><bdi>${id}</bdi></code> <bdi>${name}</bdi></li>`);
  return markup`<p>${counted(left.length, 'animal')} stayed in the store; the interface shows no way to delete them.</p>
<ol class="animals">${items}</ol>`;
}
