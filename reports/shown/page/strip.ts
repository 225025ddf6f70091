/** The strip at the top of the page: a square for each promise, with the colour and symbol of its verdict. */
import { groupBySection } from '../../document/group-by-section.ts';
import type { Report, RequirementResult } from '../../document/report-document.ts';
import { SYMBOLS, VERDICT_WORDS } from '../words/verdict-words.ts';
import { markup, type Markup } from './markup.ts';

/**
 * Returns squares with links to their promises, in the order of the document. The keyboard stops only at squares of broken and
 * undecided promises: two hundred stops would be too many, and the lists below lead to the others.
 */
export function renderStrip(report: Report): Markup {
  const squares = groupBySection(report).flatMap(({ requirements }) => requirements.map(renderSquare));
  return markup`<details class="folds look" open><summary>Every promise in one look</summary><ol class="strip" aria-label="Every promise, in the order of the document">${squares}</ol></details>`;
}

function renderSquare({ id, verdict }: RequirementResult): Markup {
  const isStop = verdict === 'fail' || verdict === 'warn' || verdict === 'inconclusive';
  return markup`<li><a class="${verdict}" href="#req-${id}" title="${id}: ${VERDICT_WORDS[verdict]}"${!isStop && markup` tabindex="-1"`}><span aria-hidden="true">${SYMBOLS[verdict]}</span></a></li>`;
}
