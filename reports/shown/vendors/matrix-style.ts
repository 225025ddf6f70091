/**
 * The style of the matrix page, added to the style of all pages. Its classes: `grid` is the table, with `corner`, `group` (a
 * section) and `name` (a requirement) in its head and `vendor` in each row; `frame` scrolls; `tally` explains the symbols.
 */
export const MATRIX_STYLE = `
body.wide { max-width: none; }
#controls { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; padding: .75rem 0; }
#controls[hidden] { display: none; }
#controls label { display: inline-flex; gap: .4rem; align-items: center; }
#controls input, dialog button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: 3px; padding: .2rem .4rem; }
#controls input[type=checkbox] { width: 1.15rem; height: 1.15rem; accent-color: var(--link); }
#shown { color: var(--soft); font-size: .875rem; }
.tally span { display: inline-block; margin-right: .75rem; }
.frame { overflow: auto; max-height: 85vh; margin-top: .75rem; border: 1px solid var(--line); position: relative; }
.grid { border-collapse: separate; border-spacing: 0; }
.grid th, .grid td { padding: 0; border-bottom: 1px solid var(--line); }
.grid thead th { position: sticky; top: 0; z-index: 1; background: var(--raised); color: var(--ink); vertical-align: bottom; text-align: left; }
.grid thead tr + tr th { top: 1.9rem; }
.grid .group { height: 1.9rem; border-left: 1px solid var(--line); max-width: 0; overflow: hidden; white-space: nowrap; }
.grid .group span { display: block; overflow: hidden; text-overflow: ellipsis; padding: 0 .3rem; }
.grid .name { height: 19rem; }
.grid .name span { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 18.5rem; overflow: hidden; white-space: nowrap; padding: .3rem 0; font: .75rem/1.5rem var(--mono); width: 1.6rem; }
.grid .corner, .grid tbody th { position: sticky; left: 0; z-index: 2; background: var(--raised); width: 16rem; min-width: 16rem; padding: .25rem .6rem; }
.grid thead .corner { z-index: 3; }
.grid .vendor { display: block; width: auto; max-height: 4.5em; overflow: hidden; text-align: left; font-weight: 600; overflow-wrap: anywhere; }
main > section { padding-top: 1.5rem; }
main > section > h2 { margin-bottom: .5rem; }
.grid small { display: inline-block; color: var(--soft); }
.grid small.nonconforming, .grid small.expired, .grid small.revoked, .grid small.invalid { color: var(--fail); }
.grid small.conforming, .grid small.valid { color: var(--pass); }
.grid td > * { display: block; width: 1.6rem; height: 100%; min-height: 1.9rem; padding: 0; border: 0; background: none; font: 600 .9375rem/1.9rem var(--sans); text-align: center; text-decoration: none; color: var(--soft); cursor: default; }
.grid td > a, .grid td > button { cursor: pointer; }
.grid .pass, .tally .pass { color: var(--pass); }
.grid td > .fail { color: var(--paper); background: var(--fail); }
.grid td > .warn { color: var(--paper); background: var(--warn); }
.grid td > .inconclusive, .tally .inconclusive { color: var(--inconclusive); }
.tally .fail { color: var(--fail); }
.tally .warn { color: var(--warn); }
.grid td > :focus-visible { outline-offset: -3px; outline-color: var(--ink); }
.results > li { padding: .35rem 0; }
dialog { width: min(44rem, 94vw); max-height: 90vh; overflow: auto; padding: 1.25rem; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); color: var(--ink); }
dialog::backdrop { background: rgb(0 0 0 / .5); }
dialog form { float: right; }
dialog dd { margin: 0 0 .6rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.frame .changes { width: auto; min-width: 100%; table-layout: auto; }
.frame .changes thead { position: static; width: auto; height: auto; overflow: visible; clip-path: none; display: table-header-group; }
.frame .changes tr { display: table-row; }
.frame .changes td::before { content: none; }
.frame .changes th, .frame .changes td { padding: .3rem .75rem; min-width: 9rem; }
.frame .changes tbody th { min-width: 16rem; }
@media screen and (max-width: 44rem) {
  .grid .corner, .grid tbody th { width: 9.5rem; min-width: 9.5rem; padding: .2rem .35rem; font-size: .8125rem; }
  .grid td > * { width: 2.2rem; min-height: 2.4rem; line-height: 2.4rem; }
}
@media print {
  .grid td > .fail, .grid td > .warn { color: #000; background: none; font-weight: 700; border: 1.5pt solid #000; }
  .grid td > .warn { border-style: dashed; }
}
@media print { .frame { overflow: visible; max-height: none; border: 0; } #controls { display: none; } .grid thead th, .grid tbody th { position: static; } }
`;
