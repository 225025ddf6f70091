/**
 * The only script of the matrix page. It draws the grid from the JSON in the page (`data`), filters and opens details. It
 * sends no request.
 * - `data.requirements` are the columns, `data.vendors` the rows. `vendor.verdicts[column]` is the verdict of a cell, and
 *   `vendor.details[id]` the failure that a click opens.
 * - `same[column]`: all judged vendors have one verdict. `broken[column]`: a vendor fails or warns.
 * - `inOrder`: the order of columns: broken ones first, then columns in which vendors differ, then the rest.
 * - `draw` draws the first ROWS rows at once, and the rest in turns. `drawing` is the number of the last call: a newer call stops
 *   the turns of an older one.
 */
export const MATRIX_SCRIPT = `
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const SYMBOLS = { fail: '✗', warn: '!', inconclusive: '?', pass: '✓', 'not-applicable': '–', excused: '○' };
const WORDS = { fail: 'fail', warn: 'warning', inconclusive: 'undecided', pass: 'pass', 'not-applicable': 'not applicable', excused: 'excused' };
const byId = (id) => document.getElementById(id);
const make = (name, attributes, ...children) => {
  const element = document.createElement(name);
  for (const key in attributes) if (attributes[key] !== null) element.setAttribute(key, attributes[key]);
  element.append(...children);
  return element;
};
const grid = byId('grid');
const judged = data.vendors.filter((vendor) => vendor.verdict !== 'not-judged');
const same = data.requirements.map((_, column) => judged.every((vendor) => vendor.verdicts[column] === judged[0].verdicts[column]));
const broken = data.requirements.map((_, column) => data.vendors.some((vendor) => vendor.verdicts[column] === 'fail' || vendor.verdicts[column] === 'warn'));
// columns that somebody breaks come first, then columns in which vendors differ
const inOrder = data.requirements.map((_, column) => column).sort((one, other) => broken[other] - broken[one] || same[one] - same[other] || one - other);

// the number of rows that are drawn at once: a page of hundreds shows its first screen at once
const ROWS = 40;
let drawing = 0;

function draw() {
  const [differences, failures] = [byId('differences').checked, byId('failures').checked];
  const words = byId('find').value.trim().toLowerCase();
  const columns = inOrder.filter((column) => (!differences || !same[column]) && (!failures || broken[column]));
  const rows = data.vendors.filter((vendor) => (!failures || vendor.fails + vendor.warns > 0) && vendor.name.toLowerCase().includes(words));
  const groups = [];
  for (const column of columns) {
    const { section } = data.requirements[column];
    if (groups.length > 0 && groups[groups.length - 1].section === section) groups[groups.length - 1].span += 1;
    else groups.push({ section, span: 1 });
  }
  const escape = (text) => text.replace(/[&<>"']/g, (each) => '&#' + each.charCodeAt(0) + ';');
  const head = '<thead><tr><th scope="col" rowspan="2" class="corner">Vendor</th>' + groups.map((group) => '<th scope="colgroup" class="group" title="' + escape(group.section) + '" colspan="' + group.span + '"><span>' + escape(group.section) + '</span></th>').join('') + '</tr><tr>' +
    columns.map((column) => '<th scope="col" class="name" title="' + escape(data.requirements[column].statement) + '"><span>' + escape(data.requirements[column].id) + '</span></th>').join('') + '</tr></thead>';
  const rowOf = (vendor) => {
    const index = data.vendors.indexOf(vendor);
    const cells = columns.map((column) => {
      const verdict = vendor.verdicts[column];
      const { id } = data.requirements[column];
      const label = escape(id + ': ' + (WORDS[verdict] || (vendor.verdict === 'not-judged' ? 'not judged' : 'unknown')));
      const sign = SYMBOLS[verdict] || '·';
      if (vendor.details[id]) return '<td><button type="button" tabindex="-1" class="' + verdict + '" data-vendor="' + index + '" data-column="' + column + '" aria-label="' + label + '">' + sign + '</button></td>';
      if (vendor.page) return '<td><a tabindex="-1" class="' + (verdict || 'none') + '" href="' + escape(vendor.page) + '#req-' + escape(id) + '" aria-label="' + label + '">' + sign + '</a></td>';
      return '<td><span tabindex="-1" class="' + (verdict || 'none') + '" role="img" aria-label="' + label + '">' + sign + '</span></td>';
    }).join('');
    const name = vendor.page ? '<a href="' + escape(vendor.page) + '">' + escape(vendor.name) + '</a>' : escape(vendor.name);
    const certificate = vendor.certificate ? '<small class="' + vendor.certificate.state + '">' + escape('certificate ' + vendor.certificate.words) + '</small>' : '';
    return '<tr><th scope="row"><span class="vendor">' + name + '</span> ' + (vendor.release ? '<small>' + escape(vendor.release) + '</small> ' : '') + '<small class="' + vendor.verdict + '">' + escape(vendor.verdictText) + (vendor.fails ? ', ' + vendor.fails + ' fail' : '') + (vendor.warns ? ', ' + vendor.warns + (vendor.warns === 1 ? ' warning' : ' warnings') : '') + '</small> ' + certificate + '</th>' + cells + '</tr>';
  };
  const rowsFrom = (from) => rows.slice(from, from + ROWS).map(rowOf).join('');
  grid.innerHTML = head + '<tbody>' + rowsFrom(0) + '</tbody>';
  drawing += 1;
  const turn = drawing;
  const drawMore = (from) => {
    if (turn !== drawing || from >= rows.length) return;
    grid.tBodies[0].insertAdjacentHTML('beforeend', rowsFrom(from));
    setTimeout(drawMore, 0, from + ROWS);
  };
  setTimeout(drawMore, 0, ROWS);
  byId('shown').textContent = rows.length + ' of ' + data.vendors.length + ' vendors, ' + columns.length + ' of ' + data.requirements.length + ' requirements';
  const first = grid.querySelector('tbody td > *');
  if (first) first.tabIndex = 0;
}

function open(button) {
  const vendor = data.vendors[button.dataset.vendor];
  const requirement = data.requirements[button.dataset.column];
  const detail = vendor.details[requirement.id];
  const facts = [['Expected', detail.expected], ['Received', detail.received], ['At', detail.pointer], ['Request', detail.request], ['Answer', detail.answer]].filter((each) => each[1]);
  byId('detail-content').replaceChildren(
    make('p', { class: 'kind' }, vendor.name + ' · ' + requirement.level + ' · ' + requirement.section),
    make('h2', { id: 'detail-title' }, requirement.statement),
    make('p', { class: 'source' }, make('code', {}, requirement.id)),
    make('dl', {}, ...facts.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)])),
    ...(detail.body ? [make('pre', { tabindex: '0' }, make('code', {}, detail.body))] : []),
    ...(vendor.page ? [make('p', {}, make('a', { href: vendor.page + '#req-' + requirement.id }, 'All of it on the page of ' + vendor.name))] : []),
  );
  byId('detail').showModal();
}

grid.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button) open(button);
});
grid.addEventListener('keydown', (event) => {
  const cell = event.target.closest('td');
  if (!cell) return;
  const row = cell.parentElement;
  const rows = [...row.parentElement.children];
  const [x, y] = [[...row.children].indexOf(cell), rows.indexOf(row)];
  const to = { ArrowRight: [x + 1, y], ArrowLeft: [x - 1, y], ArrowDown: [x, y + 1], ArrowUp: [x, y - 1], Home: [1, y], End: [row.children.length - 1, y], PageDown: [x, Math.min(y + 10, rows.length - 1)], PageUp: [x, Math.max(y - 10, 0)] }[event.key];
  const next = to && to[0] > 0 && rows[to[1]] && rows[to[1]].children[to[0]];
  if (!next) return;
  event.preventDefault();
  event.target.tabIndex = -1;
  next.firstElementChild.tabIndex = 0;
  next.firstElementChild.focus();
  next.scrollIntoView({ block: 'nearest', inline: 'center' });
});
for (const id of ['differences', 'failures', 'find']) byId(id).addEventListener(id === 'find' ? 'input' : 'change', draw);
byId('controls').hidden = false;
draw();
`;
