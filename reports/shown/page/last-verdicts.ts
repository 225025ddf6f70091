import type { EarlierRun } from '../../document/report-document.ts';
import { SYMBOLS, chooseTone } from '../words/verdict-words.ts';
import { markup, type Markup } from './markup.ts';

/** Shows the verdicts of the last runs over time; nothing if there was only one. */
export function renderLastVerdicts(runs: readonly EarlierRun[]): Markup | null {
  if (runs.length < 2) return null;
  const items = runs.map(({ startedAt, verdict }) => {
    // The exit code of an earlier run is not known: it is the one that fits its verdict.
    const tone = chooseTone({ verdict, exitCode: verdict === 'conforming' ? 0 : 1 });
    return markup`<li><span class="verdict ${tone}"><span aria-hidden="true">${SYMBOLS[tone]}</span> ${verdict}</span> ${startedAt.slice(0, 16).replace('T', ' ')}</li>`;
  });
  return markup`<h3>Last verdicts</h3><ol class="last">${items}</ol>`;
}
