/** Writes the matrix of vendors and requirements as an HTML page. Its script draws the grid (matrix-script.ts). */
import { Markup, markup } from '../page/markup.ts';
import { renderPage } from '../page/page-frame.ts';
import { describeObservation } from '../words/profile-words.ts';
import { countNoun } from '../words/verdict-words.ts';
import { MATRIX_SCRIPT } from './matrix-script.ts';
import { MATRIX_STYLE } from './matrix-style.ts';
import { describeVendorVerdict, type Vendor, type VendorMatrix } from './vendor-matrix.ts';

/** Up to this number, each vendor has a column in the table of profiles; more vendors are grouped by their answers. */
const MOST_COLUMNS = 6;
/** The most vendors that a group names. */
const MOST_NAMED = 20;

/** Returns the matrix as one file that needs no network: the grid and the profiles. */
export function renderMatrixPage(matrix: VendorMatrix): string {
  const { vendors, requirements, madeAt } = matrix;
  const judged = vendors.filter(({ verdict }) => verdict !== 'not-judged');
  const { questions: _, ...shown } = matrix;
  const body = markup`<header class="head">
<p class="kind">Conformance matrix · animal store interface · made ${madeAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}</p>
<h1>${writeHeading(vendors)}</h1>
</header>
<main id="main" tabindex="-1">
<section aria-labelledby="matrix"><h2 id="matrix">Vendors and requirements</h2>
<div id="controls" hidden>
<label><input type="checkbox" id="differences"> differences only</label>
<label><input type="checkbox" id="failures"> failures only</label>
<label>find <input type="search" id="find" autocomplete="off"></label>
<p id="shown" role="status"></p>
</div>
<p class="tally"><span class="pass">✓ pass</span> <span class="fail">✗ fail</span> <span class="warn">! warning</span> <span class="inconclusive">? undecided</span> <span>– not applicable</span> <span>○ untestable</span> Failures and warnings open; arrow keys move between cells.</p>
<noscript><p>The grid is drawn by a script in this page. Without it: the same is in matrix.md and matrix.json.</p></noscript>
<div class="frame" role="region" aria-label="Matrix" tabindex="0"><table id="grid" class="grid"></table></div>
</section>
${renderProfiles({ ...matrix, vendors: judged })}
</main>
<dialog id="detail" aria-labelledby="detail-title"><form method="dialog"><button>Close</button></form><div id="detail-content"></div></dialog>
<footer><p>${countNoun(requirements.length, 'requirement')}. The interface document decides; this page only reports.</p></footer>
<script type="application/json" id="data">${new Markup(writeForScript({ ...shown, vendors: vendors.map(makeRow) }))}</script>`;
  return renderPage(`${countNoun(vendors.length, 'vendor')}: animal store conformance`, body, {
    style: MATRIX_STYLE,
    script: MATRIX_SCRIPT,
    skipTo: 'the matrix',
    kind: 'wide',
  });
}

/** Returns the heading: `3 vendors, 2 conforming`. */
function writeHeading(vendors: readonly Vendor[]): string {
  const conforming = vendors.filter(({ verdict }) => verdict === 'conforming').length;
  const unjudged = vendors.filter(({ verdict }) => verdict === 'not-judged').length;
  return `${countNoun(vendors.length, 'vendor')}, ${conforming} conforming${unjudged > 0 ? `, ${unjudged} not judged` : ''}`;
}

/** Returns the data of a vendor from which the script of the page draws a row. */
function makeRow(vendor: Vendor): object {
  const { answers: _, ...row } = vendor;
  return { ...row, verdictText: describeVendorVerdict(vendor) };
}

/** Writes JSON for a script element: `<` is escaped, so no HTML parser finds markup in it. */
function writeForScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

function renderProfiles({ vendors, questions }: VendorMatrix): Markup | null {
  if (questions.length === 0) return null;
  const few = vendors.length <= MOST_COLUMNS;
  return markup`<section class="part" aria-labelledby="profiles"><h2 id="profiles">Behaviour profiles</h2>
<p>What the vendors do if the document leaves a question open. The suite does not judge it.</p>
${few ? renderSideBySide(vendors, questions) : questions.map((question, index) => renderGroups(vendors, question, index))}
</section>`;
}

function renderSideBySide(vendors: readonly Vendor[], questions: VendorMatrix['questions']): Markup {
  return markup`<div class="frame" role="region" aria-label="Profiles" tabindex="0"><table class="changes"><thead><tr><th scope="col">Question</th>${vendors.map(({ name }) => markup`<th scope="col"><bdi>${name}</bdi></th>`)}</tr></thead><tbody>
${questions.map(({ id, question }, index) => markup`<tr><th scope="row">${question} <code class="id">${id}</code></th>${vendors.map(({ answers }) => markup`<td><bdi>${describeAnswer(answers[index])}</bdi></td>`)}</tr>`)}
</tbody></table></div>`;
}

function describeAnswer(answer: string | null | undefined): string {
  return answer == null ? 'not asked' : describeObservation({ observed: answer });
}

/** Returns the answers to a question with their vendors, the most common answer first. */
function renderGroups(
  vendors: readonly Vendor[],
  { id, question }: VendorMatrix['questions'][number],
  index: number,
): Markup {
  const groups = new Map<string, string[]>();
  for (const { name, answers } of vendors)
    groups.set(describeAnswer(answers[index]), [...(groups.get(describeAnswer(answers[index])) ?? []), name]);
  const sorted = [...groups].toSorted(([, left], [, right]) => right.length - left.length);
  return markup`<details class="card"><summary><span>${countNoun(sorted.length, 'answer')}</span><span class="statement">${question} <code class="id">${id}</code></span></summary>
<ul class="results">${sorted.map(([answer, names]) => markup`<li><strong><bdi>${answer}</bdi></strong> ${countNoun(names.length, 'vendor')}: <bdi>${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED && `, and ${names.length - MOST_NAMED} more`}</bdi></li>`)}</ul></details>`;
}
