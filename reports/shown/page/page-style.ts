/**
 * The style sheet of every HTML page: system fonts, light and dark, phone and paper. Text reaches AA contrast in both.
 * Files of this folder write the classes:
 * - page-head.ts: `head`, `kind`, `judged`, `reason`, `since`, `exit`, `shortfall`, `figures`, `legend`, `look` around `strip`.
 * - conformance-page.ts: `part` (a section of the page), `section`, `tally`, `list` around `causes`, `steps`, `profile`.
 * - requirement-row.ts: `results` (a list), `line` (a row that does not open), `kept` (a row that opens), `inside`, `why`, `level`.
 * - failure-card.ts: `card`, `look-first` around `versus`, `at`, `often`, `source`, `label`, `more`. exchange-view.ts: `exchange`, `header`, `gap`, `command`.
 * - charts.ts: `chart`, `bars`, `marks`, `wait`. Details: `fold` is closed at first, `quiet` too, but not on paper; `folds` is open.
 * - page-script.ts adds `here` (a link to a row), `copy`, `copyable`, and `left-out` to a `middle` of a command. Certificates have `to-check`.
 */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fdfcf9; --raised: #f5f3ed; --ink: #22262b; --soft: #575d66; --line: #d9d5ca; --link: #1d4f91;
  --pass: #1b663b; --fail: #a3161b; --warn: #7d4a00; --inconclusive: #5a3d8f; --mark: #ffe28a; --mark-ink: #22262b;
  --serif: 'Iowan Old Style', Charter, 'Palatino Linotype', Palatino, Georgia, 'Liberation Serif', serif;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #16191c; --raised: #1f2428; --ink: #e5e3dd; --soft: #a4a9b0; --line: #3a4046; --link: #94bdf2;
    --pass: #80cc9e; --fail: #ff9d96; --warn: #e9b765; --inconclusive: #c6aef2; --mark: #6a5310; --mark-ink: #fff4cc;
  }
}
.pass, .conforming { --tone: var(--pass); }
.fail { --tone: var(--fail); }
.warn { --tone: var(--warn); }
.inconclusive { --tone: var(--inconclusive); }
.not-applicable, .excused { --tone: var(--soft); }
.verdict, .judged h2, td:is(.pass, .fail, .warn, .inconclusive) { color: var(--tone); }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 62rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 var(--sans); overflow-wrap: anywhere;
}
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { margin: 0; font: 400 clamp(1.35rem, 1rem + 1.8vw, 2rem)/1.25 var(--serif); }
h1 small { color: var(--soft); font-size: .7em; display: inline-block; }
h2 { margin: 0 0 .6rem; font: 400 1.5rem/1.25 var(--serif); }
h3 { margin: 0; font: 600 1rem/1.4 var(--sans); }
.label { font-weight: 600; line-height: 1.25; margin: 1.25rem 0 .4rem; font-size: .875rem; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
main:focus { outline: none; }
bdi, code, pre { unicode-bidi: isolate; }
code, pre { font-family: var(--mono); font-size: .875em; }
ul, ol, dl, dd, figure, p { margin: 0; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--paper); border: 1px solid var(--link); }
.skip:focus { top: .5rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.head { padding-bottom: .8rem; border-bottom: 3px double var(--line); }
.kind { margin-bottom: .2rem; color: var(--soft); font-size: .875rem; letter-spacing: .02em; }
.judged { padding: .9rem 0 .6rem; }
.judged h2 { margin: 0; font-size: clamp(1.75rem, 1.4rem + 2vw, 2.5rem); line-height: 1.1; }
.exit { color: var(--ink); font: 600 1rem/1.3 var(--sans); display: inline-block; }
.reason { margin-top: .4rem; max-width: 52rem; font-size: 1.0625rem; white-space: pre-line; }
.since { margin-top: .4rem; font-weight: 600; }
.shortfall { display: flow-root; margin-top: .6rem; padding: .5rem .8rem; max-width: 56rem; border-left: 3px solid var(--inconclusive); background: var(--raised); font-size: .9375rem; }
.figures { display: flex; flex-wrap: wrap; gap: .15rem 1.4rem; margin-bottom: .35rem; padding: 0; list-style: none; font-size: .875rem; }
.legend { margin-top: .7rem; color: var(--soft); font-size: .8rem; }
.circumstances { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .55rem 2rem; font-size: .9375rem; }
dt, figcaption { color: var(--soft); font-size: .8125rem; }

.strip { display: flex; flex-wrap: wrap; gap: 2px; margin-top: .6rem; padding: 0; list-style: none; }
.strip a { display: block; width: .875rem; height: .875rem; border-radius: 2px; background: var(--tone); color: var(--paper); font: 700 .625rem/.875rem var(--sans); text-align: center; text-decoration: none; }
.strip .warn { border-radius: 50% 50% 2px 2px; }
.strip .inconclusive { border-radius: 50%; }
.strip :is(.pass, .not-applicable, .excused) { background: none; color: var(--tone); box-shadow: inset 0 0 0 1px var(--line); }
.strip .pass { box-shadow: inset 0 0 0 1px var(--tone); }
.chart { display: block; margin-top: 1.2rem; width: 100%; height: auto; }
.chart text { font: .75rem var(--sans); fill: var(--soft); }
svg path { fill: none; stroke: var(--soft); }
svg .wait { fill: var(--line); stroke: none; opacity: .5; }
svg .bars { stroke: var(--link); }
svg .marks { stroke: var(--fail); stroke-width: 1.5; }
table { border-collapse: collapse; font-size: .9375rem; font-variant-numeric: tabular-nums; }
th { font-weight: 400; }
th, td { border-bottom: 1px solid var(--line); }
thead th { font-size: .8125rem; }
td.fail, td.warn, td.inconclusive { font-weight: 700; }

nav { display: flow-root; padding: .4rem 0; border-block: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: .35rem 1rem; padding: 0; list-style: none; font-size: .9375rem; }
.folds > summary { display: none; cursor: pointer; color: var(--link); font-size: .9375rem; }
.copyable { position: relative; }
.copyable > pre { padding-right: 5rem; }
.copy {
  position: absolute; top: .35rem; right: .35rem; max-width: 11rem; padding: .15rem .4rem; font: .8125rem/1.55 var(--sans);
  color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: 3px; cursor: pointer;
}
.card > .inside { position: relative; }
.copy.copy-bug { top: -2.5rem; right: 1.75rem; }
details.card > summary { padding-right: 9rem; }
.results > li:not(.line, :has(> details)) { padding: .5rem 0; }
.to-check { display: grid; gap: .4rem; margin-top: .8rem; padding: .6rem .8rem; background: var(--raised); border-left: 3px solid var(--pass); font-size: .9375rem; }
.results > li > .here { position: absolute; top: .5rem; right: 0; padding: 0 .25rem; }
.part { padding-top: 2rem; }
nav + .part { padding-top: .8rem; }
.section { display: grid; grid-template-columns: 1fr auto; align-items: baseline; gap: 0 1.5rem; padding-top: 1.5rem; break-inside: auto; }
.section .results { grid-column: 1 / -1; }
.section.no-promise { padding-bottom: .5rem; border-bottom: 1px solid var(--line); }
.section.no-promise h3 { font-weight: 400; }
.results { margin-top: .5rem; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.results > li { position: relative; border-bottom: 1px solid var(--line); }
.line, .card > summary, .kept > summary { display: grid; grid-template-columns: 9rem 1fr; gap: 0 1rem; padding: .5rem 0; }
.verdict { font-size: .9375rem; white-space: nowrap; }
.verdict > span { display: inline-block; width: 1.25em; font-weight: 700; text-align: center; }
.id { display: inline-block; }
.id, .level { color: var(--soft); font-size: .8125rem; font-weight: 400; }
.level, .waived { padding: 0 .35rem; border: 1px solid var(--line); border-radius: 3px; font-size: .75rem; }
.why { display: block; margin-top: .2rem; padding-left: .75rem; border-left: 2px solid var(--line); }

.kept > summary { padding-right: 1.5rem; }
.card > summary, .kept > summary { cursor: pointer; list-style: none; }
.card > summary::-webkit-details-marker, .kept > summary::-webkit-details-marker { display: none; }
.card > summary .verdict::after, .kept > summary .verdict::after { content: '+'; float: right; color: var(--soft); font-weight: 400; }
.card[open] > summary .verdict::after, .kept[open] > summary .verdict::after { content: '\\2212'; }
.card > summary:hover .statement, .kept > summary:hover .statement { text-decoration: underline; text-decoration-color: var(--line); text-underline-offset: .2em; }
.card.fail > summary .statement { font-weight: 600; }
.inside {
  margin: .25rem 0 1.25rem; padding: 1rem 1.25rem 1.25rem; background: var(--raised); border-left: 3px solid var(--tone, var(--pass));
  border-radius: 0 4px 4px 0;
}
.fold, .exchange { margin-top: .8rem; }
.quiet, .section > .fold { grid-column: 1 / -1; }
.quiet > summary { padding: .4rem 0; cursor: pointer; color: var(--soft); font-size: .9375rem; }
.quiet > .results, .look-first > div > .label:first-child { margin-top: 0; }
.fold > summary { cursor: pointer; color: var(--link); font-size: .9375rem; }
.causes { margin: 0 0 .8rem; padding-left: 1.8rem; columns: 24rem; column-gap: 2rem; font-size: .875rem; line-height: 1.35; }
.causes > li { break-inside: avoid; }
.steps { padding-left: 1.2rem; }
.steps > li + li { margin-top: .6rem; }
.often { font-weight: 600; }
.at, .more, .source, .tally { color: var(--soft); font-size: .875rem; }
[id^='req-'], [id^='sentence-'], h2[id] { scroll-margin-top: 4.5rem; }
.inside > p { margin-top: .35rem; }
.source cite { font-style: normal; color: var(--ink); }
.versus { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin: 0 0 .8rem; align-content: start; }
.versus > div {
  padding: .6rem .8rem; background: var(--paper); border: 1px solid var(--line); border-top: 3px solid var(--pass);
  border-radius: 3px;
}
.versus > .received { border-top-color: var(--fail); }
.versus dd { white-space: pre-wrap; }
.exchange figure + figure { margin-top: .6rem; }
pre {
  margin: .2rem 0 0; padding: .6rem .8rem; background: var(--paper); border: 1px solid var(--line); border-radius: 3px;
  line-height: 1.5; white-space: pre-wrap; tab-size: 2;
}
.command { margin-top: .6rem; border-style: dashed; }
.command code { user-select: all; -webkit-user-select: all; }
@media screen {
  .left-out { display: inline-block; width: 100%; vertical-align: top; font-size: 0; line-height: 0; }
  .left-out::before { content: attr(data-left); font-size: .75rem; line-height: 1.5; color: var(--soft); }
}
.header, .gap, .here { color: var(--soft); }
mark {
  padding: .05em .15em; background: var(--mark); color: var(--mark-ink); border-bottom: 2px solid currentColor;
  border-radius: 2px; box-decoration-break: clone; -webkit-box-decoration-break: clone;
}
.inside ul { padding-left: 1.2rem; font-size: .9375rem; }

.profile { margin-top: .75rem; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.profile > li { padding: .35rem 0; border-bottom: 1px solid var(--line); font-size: .9375rem; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 3px double var(--line); color: var(--soft); font-size: .875rem; }

@media screen and (min-width: 60rem) {
  .look { float: right; width: 17rem; margin: -3.4rem 0 0 2rem; }
  .look-first { display: grid; grid-template-columns: 18rem 1fr; gap: 1.25rem; }
  .look-first > .versus { grid-template-columns: 1fr; gap: .6rem; }
}
@media screen and (max-width: 44rem) {
  body { padding: .75rem 1rem 3rem; }
  .head { padding-bottom: .4rem; }
  .kind { font-size: .6875rem; letter-spacing: 0; }
  .judged { padding: .4rem 0; }
  .judged h2 { font-size: 1.375rem; }
  .exit { font-size: .75rem; }
  details:is(.look, .legend, .list):not([open]) { display: inline-block; margin: 0 .75rem 0 0; }
  :is(.folds, .quiet) > summary { padding: .1rem 0; font-size: .875rem; }
  .part > h2:has(+ .list) { display: inline-block; margin-right: 1rem; }
  .reason, .since, .legend, .results { margin-top: .2rem; }
  .reason, .shortfall { font-size: .9375rem; line-height: 1.35; }
  nav { padding: .1rem 0; }
  .part, nav + .part { padding-top: .75rem; }
  .part > h2 { margin-bottom: .2rem; font-size: 1.25rem; }
  .versus { grid-template-columns: 1fr; gap: .3rem; margin-bottom: .3rem; }
  .versus > div { padding: .2rem .5rem; font-size: .9375rem; line-height: 1.35; }
  .versus :is(br, dd > bdi:has(~ code)) { display: none; }
  .versus :is(dt, dd) { display: inline; margin-right: .3rem; }
  .label { margin: .5rem 0 0; }
  .line, .kept > summary, .section { grid-template-columns: 1fr; }
  .card > summary { display: block; padding: .3rem 0; line-height: 1.35; }
  .folds > summary { display: list-item; }
  nav ul { flex-wrap: nowrap; overflow-x: auto; white-space: nowrap; }
  .copy.copy-bug { position: static; margin-top: .8rem; }
  details.card > summary { padding-right: 1.5rem; }
  .command { margin-top: .3rem; padding: .4rem .35rem; font-size: .78125rem; line-height: 1.35; }
  .copyable > pre { padding-right: .35rem; }
  .copyable > .copy { top: -1.7rem; right: 0; }
  .results > li > .here { display: none; }
  .inside { margin: 0 0 1rem -.25rem; padding: .3rem .4rem 1rem .5rem; }
}
@media print {
  :root {
    color-scheme: light;
    --paper: #fff; --raised: #fff; --ink: #000; --soft: #444; --line: #bbb; --link: #000; --mark-ink: #000;
  }
  @page { margin: 18mm 16mm; }
  body { max-width: none; padding: 0; }
  .skip, nav, .copy, .here, .header, .card > summary .verdict::after, .kept > summary .verdict::after { display: none; }
  a { text-decoration: none; }
  details:is(.folds, .card, .quiet):not([open])::details-content { display: block; content-visibility: visible; block-size: auto; }
  html { font-size: 8.5pt; }
  details:not([open]):not(.card, .folds, .quiet) { display: none; }
  .kept { display: block !important; }
  .exchange { display: grid; grid-template-columns: 1fr 1fr; gap: .8rem; }
  .exchange figure + figure { margin-top: 0; }
  pre { padding: .3rem .5rem; font-size: 7pt; line-height: 1.3; }
  .inside { margin: 0 0 .6rem; padding: .4rem .8rem; }
  .section .results { columns: 2; column-gap: 1.5rem; border: 0; }
  .section .line, .section .kept > summary { grid-template-columns: 5rem 1fr; padding: .1rem 0; }
  h2, h3, .label, summary { break-after: avoid; }
  .line, .versus, .profile > li, .section .results > li, tr, .judged, figure { break-inside: avoid; }
  .strip a, mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
