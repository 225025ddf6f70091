/**
 * The script of the conformance page: buttons that copy, links to rows, and parts that begin closed on a narrow screen. It sends
 * nothing, and without it the page shows everything. `page-style.ts` says which file writes each class.
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

// on a narrow screen these details begin closed, and more of a command is folded
const isNarrow = matchMedia('(max-width: 44rem)').matches;
if (isNarrow) for (const each of all('details.folds')) each.open = false;
for (const each of all('.middle')) if (isNarrow || each.textContent.length > 400) each.classList.add('left-out');
`;
