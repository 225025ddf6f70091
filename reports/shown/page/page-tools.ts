import { markup, type Markup } from './markup.ts';
import type { Report } from '../../document/report-document.ts';

/** Returns the search and the filters of the page. The script of the page shows them, because they do nothing without it. */
export function renderTools({ requirements }: Report): Markup {
  const operations = [...new Set(requirements.flatMap(({ operation }) => operation.split(', ')))].filter(
    (each) => each !== 'every operation',
  );
  return markup`<div id="tools" role="search" hidden>
<label>find <input type="search" id="find" size="14" autocomplete="off"></label>
<label><input type="checkbox" id="broken"> failures only</label>
<label>operation <select id="operation"><option value="">all</option>${operations.map((each) => markup`<option>${each}</option>`)}</select></label>
<label>level <select id="level"><option value="">all</option><option>must</option><option>should</option></select></label>
<span class="keys"><kbd>j</kbd> <kbd>k</kbd> step through failures</span>
<span id="found" role="status"></span>
</div>`;
}
