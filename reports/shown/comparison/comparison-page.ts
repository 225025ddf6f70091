/** Writes a comparison of two runs as an HTML page. */
import { groupChanges, type Comparison, type Course, type ComparedRun } from './comparison.ts';
import { writeFigures } from './comparison-text.ts';
import { markup, type Markup } from '../page/markup.ts';
import { renderVerdict } from '../page/failure-card.ts';
import { renderLastVerdicts } from '../page/last-verdicts.ts';
import { renderPage } from '../page/page-frame.ts';
import type { Verdict } from '../../document/report-document.ts';
import { describeObserved } from './comparison-text.ts';
import { writeSubjectChange, writeSubjectInFull } from '../words/subject-words.ts';
import { countNoun } from '../words/verdict-words.ts';

/** Word, symbol and colour for each result of a comparison. */
const COURSES: Readonly<Record<Course, { word: string; symbol: string; tone: string }>> = {
  equal: { word: 'Equal', symbol: '=', tone: 'pass' },
  better: { word: 'Better', symbol: '↑', tone: 'pass' },
  worse: { word: 'Worse', symbol: '↓', tone: 'fail' },
  different: { word: 'Different', symbol: '≠', tone: 'inconclusive' },
};

/** Returns a comparison as one HTML file in the style of the conformance page. */
export function renderComparisonPage(comparison: Comparison): string {
  const { before, after, change, note, verdicts, history, profile, codes, latency } = comparison;
  const subjects = writeSubjectChange(before.subject, after.subject);
  const same = before.target === after.target;
  const changed = (id: string, text: string) => markup`${text} <code class="id">${id}</code>`;
  const row = (each: Comparison['verdicts'][number]): Row => [
    changed(each.id, each.statement),
    renderMark(each.before),
    renderMark(each.after),
  ];
  return renderPage(
    `${COURSES[change].word}: ${before.target}`,
    markup`<header class="head">
<p class="kind">Comparison of two runs${subjects !== null && markup` · <bdi>${subjects}</bdi>`}</p>
<h1><bdi>${before.target}</bdi>${!same && markup` and <bdi>${after.target}</bdi>`}</h1>
</header>
<main id="main" tabindex="-1">
<section class="judged ${COURSES[change].tone}" aria-labelledby="verdict">
<h2 id="verdict"><span aria-hidden="true">${COURSES[change].symbol}</span> ${COURSES[change].word}</h2>
<p class="reason">${describeChange(comparison)}</p>
${note !== null && markup`<p>${note}</p>`}
</section>
${groupChanges(verdicts).map(({ title, isFolded, changes }) => renderTable(title, 'Requirement', changes.map(row), isFolded))}
${renderTable(
  'Behaviour profile',
  'Question',
  profile.map((each) => [
    changed(each.id, each.question),
    describeObserved(each.before),
    describeObserved(each.after),
  ]),
)}
${renderTable('Error codes', 'Code', [
  ...codes.gone.map((code): Row => [code, 'seen', 'not seen']),
  ...codes.added.map((code): Row => [code, 'not seen', 'seen']),
])}
${renderTable(
  'Latency, median and 95th percentile in ms',
  'Operation',
  latency.map((each) => [each.id, writeFigures(each.before), writeFigures(each.after)]),
)}
<section class="part"><h2>The runs</h2><div class="facts">${renderRunFacts('Before', before)}${renderRunFacts('After', after)}</div>${history.length > 2 && renderLastVerdicts(history)}</section>
</main>
<footer><p>Latency alone does not make two runs different.</p></footer>`,
  );
}

function describeChange({ equal, before, after, verdicts, profile }: Comparison): string {
  if (equal) return 'Every verdict and the whole behaviour profile are the same.';
  const target =
    before.verdict === after.verdict
      ? `Both are ${after.verdict}`
      : `From ${before.verdict} to ${after.verdict}`;
  const answers = countNoun(profile.length, 'answer');
  return `${target}; ${countNoun(verdicts.length, 'verdict')} and ${answers} to open questions changed.`;
}

function renderRunFacts(title: string, { target, subject, startedAt, suite, verdict }: ComparedRun): Markup {
  const judged = subject && { Judged: writeSubjectInFull(subject) };
  const facts = Object.entries({
    Target: target,
    ...judged,
    Date: startedAt,
    Suite: suite,
    Verdict: verdict,
  });
  const list = facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`);
  return markup`<section aria-label="${title}"><h3>${title}</h3><dl>${list}</dl></section>`;
}

type Row = [of: string | Markup, before: string | Markup | null, after: string | Markup | null];

function renderMark(verdict: Verdict | null): Markup | null {
  return verdict === null ? null : renderVerdict({ verdict });
}

function renderTable(title: string, first: string, rows: Row[], isFolded = false): Markup | null {
  if (rows.length === 0) return null;
  const head = [first, 'Before', 'After'].map((column) => markup`<th scope="col">${column}</th>`);
  const body = rows.map(
    ([of, ...values]) =>
      markup`<tr><th scope="row"><bdi>${of}</bdi></th>${values.map((value, index) => markup`<td data-column="${index === 0 ? 'Before' : 'After'}"><bdi>${value ?? 'unknown'}</bdi></td>`)}</tr>`,
  );
  const shown = markup`<table class="changes"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
  return markup`<section class="part"><h2>${title}</h2>
${isFolded ? markup`<details class="fold"><summary>${countNoun(rows.length, 'requirement')}</summary>${shown}</details>` : shown}</section>`;
}
