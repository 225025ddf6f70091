/**
 * The script of the conformance page: it searches, filters, copies, and steps through failures (keys j and k). It sends nothing.
 * Without it the page shows everything. `page-style.ts` says which file writes each class. The script reads:
 * - `section.part`: a section of the page. In the section of all requirements, each `.section` is one section of the document;
 *   `no-promise` marks a section without promises.
 * - Rows: items of the lists `results`, `profile` and `animals`. `data-of` is the operation of a row, `data-level` its level.
 * - `causes`: the list of all failures at the top. `bug`: a text to copy as a bug report. `folds`: details that begin open.
 */
export const PAGE_SCRIPT = `
'use strict';
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const byId = (id) => document.getElementById(id);
const make = (name, attributes, ...children) => {
  const element = document.createElement(name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  element.append(...children);
  return element;
};
const idsOf = (row) => {
  const own = row.querySelector('code.id');
  return (own ? [own] : all('li > code', row)).map((code) => code.textContent);
};
const rows = all('.results > li, .profile > li, .animals > li').map((row) => ({ row, text: row.textContent.toLowerCase(), isBroken: row.querySelector('.verdict.fail, .verdict.warn') !== null, ids: idsOf(row) }));
// a search hides the sections that have no rows
const withoutRows = all('section.part').filter((part) => !part.querySelector('.results, .profile, .animals'));

function isWanted({ row, text, isBroken }) {
  const [words, operation, level] = [byId('find').value.trim().toLowerCase(), byId('operation').value, byId('level').value];
  const { of = '', level: rowLevel = '' } = row.dataset;
  if (words !== '' && !text.includes(words)) return false;
  if (byId('broken').checked && !isBroken) return false;
  if (operation !== '' && !of.includes(operation) && of !== 'every operation') return false;
  return level === '' || rowLevel === level;
}

const countWords = (count, noun) => count + ' ' + noun + (count === 1 ? '' : 's');

function filter() {
  const isWhole = byId('find').value.trim() === '' && !byId('broken').checked && byId('operation').value === '' && byId('level').value === '';
  // a requirement may have a card and a row: it counts once, where either is shown
  const found = new Set();
  for (const each of rows) {
    each.row.hidden = !isWhole && !isWanted(each);
    if (!each.row.hidden && each.row.matches('.results > li')) for (const id of each.ids) found.add(id);
  }
  const count = found.size;
  for (const list of all('.causes')) list.hidden = !isWhole;
  for (const part of withoutRows) part.hidden = !isWhole;
  for (const part of all('.section, section.part')) {
    const own = all('.results > li, .profile > li, .animals > li', part);
    if (own.length > 0 || part.classList.contains('no-promise')) part.hidden = !isWhole && own.every((row) => row.hidden);
  }
  const cards = all('.card').filter((card) => !card.closest('li').hidden && !card.closest('section').hidden).length;
  byId('found').textContent = isWhole ? '' : countWords(cards, 'card') + ', ' + countWords(count, 'requirement');
}
for (const id of ['find', 'broken', 'operation', 'level']) byId(id).addEventListener('input', filter);
byId('tools').hidden = false;

async function copy(text, button) {
  const label = button.dataset.label ??= button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Select and copy';
  }
  setTimeout(() => { button.textContent = label; }, 2000);
}
for (const bug of all('.bug')) {
  const button = make('button', { type: 'button', class: 'copy copy-bug' }, 'Copy as bug');
  button.addEventListener('click', () => copy(bug.querySelector('code').textContent, button));
  bug.before(button);
}
for (const command of all('pre.command')) {
  const button = make('button', { type: 'button', class: 'copy' }, 'Copy');
  button.addEventListener('click', () => copy(command.querySelector('code').textContent, button));
  const frame = make('div', { class: 'copyable' });
  command.before(frame);
  frame.append(command, button);
}
for (const row of all('.results > li')) {
  const code = row.querySelector('code.id');
  const place = code ? 'req-' + code.textContent : '';
  if (!byId(place)) continue;
  const link = make('a', { class: 'here', href: '#' + place, 'aria-label': 'link to ' + code.textContent }, '#');
  // a summary must not contain a link: a click on the summary opens its details
  if (code.closest('summary')) row.append(link);
  else code.after(' ', link);
}

// the place of the card to which j or k went last
let at = -1;
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return;
  const step = { j: 1, k: -1 }[event.key];
  const cards = all('details.card').filter((card) => card.checkVisibility());
  if (!step || cards.length === 0) return;
  at = Math.min(Math.max(at + step, 0), cards.length - 1);
  const summary = cards[at].querySelector('summary');
  cards[at].open = true;
  summary.focus({ preventScroll: true });
  cards[at].scrollIntoView({ block: 'start' });
});
// on a narrow screen these details begin closed
if (matchMedia('(max-width: 44rem)').matches) for (const each of all('details.folds')) each.open = false;
`;
