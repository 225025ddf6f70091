/** Writes the matrix of vendors as an HTML page without a script: a column for each vendor, a row for each requirement and question. */
import { markup, renderTime, type Markup } from '../page/markup.ts';
import { renderPage } from '../page/page-frame.ts';
import { describeObservation, NOT_ASKED } from '../words/profile-words.ts';
import { countNoun, SYMBOLS, VERDICT_WORDS } from '../words/verdict-words.ts';
import { describeVendorVerdict, type Vendor, type VendorMatrix } from './vendor-matrix.ts';

const STYLE = `
body { max-width: none; }
main > section { padding-top: 1.5rem; }
.verdict { white-space: normal; }
.frame { overflow: auto; max-height: 85vh; border: 1px solid var(--line); }
.frame th, .frame td { min-width: 6.5rem; padding: .3rem .6rem; text-align: left; vertical-align: top; }
.frame thead th { position: sticky; top: 0; background: var(--raised); color: var(--ink); }
.frame tbody th { min-width: min(13rem, 40vw); max-width: 26rem; }
.frame td.fail, .frame td.warn { border-left: 3px solid; }
.frame td a { color: inherit; }
@media print { .frame { overflow: visible; max-height: none; border: 0; } }
`;

/** Returns the matrix as one file that needs no network. It folds rows that are equal for all vendors, unless they are broken. */
export function renderMatrixPage({ vendors, requirements, questions, madeAt }: VendorMatrix): string {
  const judged = vendors.filter(({ verdict }) => verdict !== 'not-judged');
  const promises = requirements.map(({ id, statement }, index): Row => {
    const verdicts = judged.map((each) => each.verdicts[index] ?? null);
    const cells = judged.map((each, column) => renderVerdictCell(each, id, verdicts[column] ?? null));
    const isPlain = new Set(verdicts).size === 1 && verdicts[0] !== 'fail' && verdicts[0] !== 'warn';
    return { id, text: statement, cells, isPlain };
  });
  const answers = questions.map(({ id, question }, index): Row => {
    const words = judged.map((each) => describeObservation({ observed: each.answers[index] ?? NOT_ASKED }));
    const cells = words.map((each) => markup`<td><bdi>${each}</bdi></td>`);
    return { id, text: question, cells, isPlain: new Set(words).size === 1 };
  });
  const conforming = vendors.filter(({ verdict }) => verdict === 'conforming').length;
  const unjudged = vendors.length - judged.length;
  const heading = `${countNoun(vendors.length, 'vendor')}, ${conforming} conforming${unjudged > 0 ? `, ${unjudged} not judged` : ''}`;
  return renderPage(
    `${heading}: animal store conformance`,
    markup`<header class="head">
<p class="kind">Conformance matrix · animal store interface · made ${renderTime(madeAt)}</p>
<h1>${heading}</h1>
</header>
<main id="main" tabindex="-1">
<ul class="results">${vendors.map(renderVendor)}</ul>
${renderRows('Requirements', promises, judged)}
${renderRows('Behaviour profiles: what the document leaves open, never judged', answers, judged)}
</main>
<footer><p>The interface document decides; this page only reports.</p></footer>`,
    { style: STYLE, skipTo: 'the matrix' },
  );
}

/** A row of a table. `isPlain`: all vendors have the same verdict or answer, and nothing is broken. */
interface Row {
  id: string;
  text: string;
  cells: readonly Markup[];
  isPlain: boolean;
}

const TONES: Partial<Record<Vendor['verdict'], string>> = { conforming: 'pass', nonconforming: 'fail' };

/** Returns the line of a vendor. It opens to its failures and warnings. */
function renderVendor(vendor: Vendor): Markup {
  const { name, release, page, fails, warns, details } = vendor;
  const counts = `${fails > 0 ? `, ${fails} broken` : ''}${warns > 0 ? `, ${countNoun(warns, 'warning')}` : ''}`;
  const broken = Object.entries(details).map(
    ([id, { expected, received, request }]) =>
      markup`<li><code class="id">${id}</code> expected <bdi>${expected}</bdi>; received <bdi>${received}</bdi>${request !== '' && markup`; <code><bdi>${request}</bdi></code>`}</li>`,
  );
  return markup`<li class="line"><strong>${renderName(name, page)}</strong>
<div><span class="verdict ${TONES[vendor.verdict] ?? 'inconclusive'}"><bdi>${describeVendorVerdict(vendor)}</bdi></span>${counts}${release !== '' && markup` · <bdi>${release}</bdi>`}
${broken.length > 0 && markup`<details class="fold"><summary>What is broken</summary><ul>${broken}</ul></details>`}</div></li>`;
}

function renderName(name: string, page: string | null): Markup {
  return page === null ? markup`<bdi>${name}</bdi>` : markup`<a href="${page}"><bdi>${name}</bdi></a>`;
}

function renderRows(title: string, rows: readonly Row[], vendors: readonly Vendor[]): Markup | null {
  const plain = rows.filter(({ isPlain }) => isPlain);
  const differing = rows.filter(({ isPlain }) => !isPlain);
  const table = (label: string, shown: readonly Row[]) =>
    shown.length > 0 &&
    markup`<div class="frame" role="region" aria-label="${label}" tabindex="0"><table><thead><tr><td></td>${vendors.map(({ name, page }) => markup`<th scope="col">${renderName(name, page)}</th>`)}</tr></thead>
<tbody>${shown.map(({ id, text, cells }) => markup`<tr><th scope="row">${text} <code class="id">${id}</code></th>${cells}</tr>`)}</tbody></table></div>`;
  if (rows.length === 0) return null;
  return markup`<section><h2>${title}</h2>
${table(title, differing)}
${plain.length > 0 && markup`<details class="fold"><summary>${plain.length} more, the same for all</summary>${table(`${title}, the same for all`, plain)}</details>`}</section>`;
}

/** Returns the cell of a verdict, with a link to it on the vendor's page. */
function renderVerdictCell({ page }: Vendor, id: string, verdict: Vendor['verdicts'][number]): Markup {
  if (verdict === null) return markup`<td>unknown</td>`;
  const words = markup`<span aria-hidden="true">${SYMBOLS[verdict]}</span> ${VERDICT_WORDS[verdict]}`;
  return markup`<td class="${verdict}">${page === null ? words : markup`<a href="${page}#req-${id}">${words}</a>`}</td>`;
}
