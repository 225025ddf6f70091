/** Writes the kill matrix, the result of the proof, as a page: which run found which fault. */
import { markup } from '../page/markup.ts';
import type { KillMatrix } from './kill-matrix.ts';
import { renderPage } from '../page/page-frame.ts';

/** Returns the kill matrix as one HTML file: faults with the requirements that caught them, and freedoms that passed. */
export function renderKillMatrix({ faults, freedoms, pairs, problems, figures }: KillMatrix): string {
  const requirements = [...new Set(faults.map(({ breaks }) => breaks))].sort();
  const verdict = problems.length === 0 ? 'Proved' : 'Not proved';
  return renderPage(
    `Kill matrix: ${verdict}`,
    markup`<header class="head">
<p class="kind">Proof of the suite</p>
<h1>Kill matrix</h1>
</header>
<main id="main" tabindex="-1">
<section class="judged ${problems.length === 0 ? 'pass' : 'fail'}" aria-labelledby="verdict">
<h2 id="verdict">${verdict}</h2>
<p class="reason">${figures.caught} of ${figures.faults} faults caught, ${figures.caughtByPropertiesAlone} by properties alone, ${figures.masked} masked on their bases, ${figures.survivors} survivors; ${figures.freedoms - figures.flagged} of ${figures.freedoms} freedoms passed, and ${pairs.judged - pairs.flagged.length} of ${pairs.judged} pairs of them; a fault fails ${figures.medianFailed} requirement in the median; ${figures.firstCauses} reports begin with what is wrong.</p>
</section>
${problems.length > 0 && markup`<section><h2>Problems</h2><ul>${problems.map(({ text }) => markup`<li>${text}</li>`)}</ul></section>`}
<section><h2>Faults by the requirement they break</h2>
${requirements.map(
  (
    requirement,
  ) => markup`<details><summary><code>${requirement}</code> — ${faults.filter(({ breaks }) => breaks === requirement).length} faults</summary>
<table><thead><tr><th scope="col">Fault</th><th scope="col">What is wrong</th><th scope="col">On the base</th><th scope="col">Caught by</th></tr></thead><tbody>
${faults.filter(({ breaks }) => breaks === requirement).map((fault) => markup`<tr><th scope="row"><code class="id">${fault.id}</code></th><td>${fault.what}</td><td>${fault.base}</td><td>${describeCaught(fault)}</td></tr>`)}
</tbody></table></details>`,
)}
</section>
<section><h2>Freedoms</h2>
<table><thead><tr><th scope="col">Freedom</th><th scope="col">What is odd</th><th scope="col">Permitted by</th><th scope="col">On the base</th><th scope="col">Outcome</th></tr></thead><tbody>
${freedoms.map(({ id, base, what, permittedBy, passed, flagged }) => markup`<tr><th scope="row"><code class="id">${id}</code></th><td>${what}</td><td>${permittedBy}</td><td>${base}</td><td>${passed ? 'passed' : `flagged: ${flagged.join('; ')}`}</td></tr>`)}
</tbody></table>
</section>
</main>
<footer><p>${figures.requirements} requirements, ${figures.silences} open questions, ${figures.seconds} s.</p></footer>`,
  );
}

function describeCaught({ beyondReach, masked, failed }: KillMatrix['faults'][number]): string {
  if (beyondReach !== null) return `beyond reach: ${beyondReach}`;
  if (masked) return 'nobody: it is masked there';
  return failed.length === 0 ? 'nobody: it survived' : failed.join(', ');
}
