/** The whole verdict in one look: a square for each promise. */
import { groupBySection } from '../document/group-by-section.ts';
import type { Report, RequirementResult, Verdict } from '../document/report-document.ts';
import { VERDICT_WORDS } from '../words/verdict-words.ts';
import { markup, type Markup } from './markup.ts';

/** Squares in the order of the document, which lead to their promises. The keyboard stops at what is broken or undecided; lists lead to all others. */
export function renderStrip(report: Report): Markup {
  const squares = groupBySection(report).flatMap(({ requirements }) => requirements.map(renderSquare));
  return markup`<details class="folds look" open><summary>Every promise in one look</summary><ol class="strip" aria-label="Every promise, in the order of the document">${squares}</ol></details>`;
}

function renderSquare({ id, verdict }: RequirementResult): Markup {
  const isOpen = verdict === 'fail' || verdict === 'warn' || verdict === 'inconclusive';
  return markup`<li><a class="${verdict}" href="#req-${id}" title="${id}: ${VERDICT_WORDS[verdict]}"${!isOpen && markup` tabindex="-1"`}></a></li>`;
}

/** Squares that lead nowhere. */
export function renderPlainStrip(verdicts: readonly (readonly [id: string, verdict: Verdict])[]): Markup {
  const squares = verdicts.map(
    ([id, verdict]) =>
      markup`<li><span class="${verdict}" role="img" title="${id}: ${VERDICT_WORDS[verdict]}" aria-label="${id}: ${VERDICT_WORDS[verdict]}"></span></li>`,
  );
  return markup`<ol class="strip" aria-label="Every promise">${squares}</ol>`;
}
