import { anchor } from './failure-card.ts';
import { causesOf } from './causes.ts';
import { markup, type Markup } from './markup.ts';
import type { Report } from './report.ts';
import { counted, headline, headSymbol, lasted, SYMBOLS, VERDICTS, withVerdict, WORDS } from './verdict-words.ts';

/** The first screen: who was judged, the verdict and why, the counts, and under which circumstances. */
export function pageHead(report: Report): Markup {
  const { target, specification } = report;
  return markup`<header class="head">
<p class="kind">Conformance report · animal store interface ${specification.version}</p>
<h1><bdi>${target.baseUrl}</bdi>${target.embedded && markup` <small>the embedded reference</small>`}</h1>
</header>
<main id="main" tabindex="-1">
<section class="judged ${report.verdict}" aria-labelledby="verdict">
<h2 id="verdict"><span aria-hidden="true">${headSymbol(report)}</span> ${headline(report)}</h2>
<p class="reason"><bdi>${report.reason}</bdi></p>
${failureLinks(report)}
</section>
<div class="facts">
${counts(report)}
${circumstances(report)}
</div>`;
}

function failureLinks(report: Report): Markup | null {
  const causes = causesOf(withVerdict(report, 'fail'));
  if (causes.length === 0) return null;
  const links = causes.map(([first, ...others]) => {
    const more = others.length > 0 && ` and ${others.length} more of the same cause`;
    return markup`<li><a href="#${anchor(first)}">${first.id}</a>${more}</li>`;
  });
  return markup`<ul class="links" aria-label="Failures">${links}</ul>`;
}

function counts({ counts: { must, should } }: Report): Markup {
  const rows = VERDICTS.map((verdict) => {
    const cell = (count: number) => markup`<td class="${count === 0 ? 'none' : verdict}">${count}</td>`;
    const name = markup`<th scope="row"><span aria-hidden="true">${SYMBOLS[verdict]}</span> ${WORDS[verdict]}</th>`;
    const inPart = verdict === 'pass' && must.inPart + should.inPart > 0 && markup`<tr><th scope="row">of these in part</th><td>${must.inPart}</td><td>${should.inPart}</td></tr>`;
    return markup`<tr>${name}${cell(must[verdict])}${cell(should[verdict])}</tr>${inPart}`;
  });
  return markup`<table class="counts"><caption>Requirements</caption>
<thead><tr><td></td><th scope="col">must</th><th scope="col">should</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

function circumstances({ run, suite, specification, target, footprint }: Report): Markup {
  const left = footprint.length === 0 ? 'nothing' : markup`<a href="#footprint">${counted(footprint.length, 'animal')}</a>`;
  const facts: [string, string | Markup][] = [
    ['Date', markup`<time datetime="${run.startedAt}">${run.startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}</time>`],
    ['Duration', lasted(run.durationMs)],
    ['Left behind', left],
    ['Sent', counted(run.requests, 'request')],
    ['Interface', `version ${specification.version}`],
    ['Suite', `${suite.name} ${suite.version}`],
    ['Mode', `${run.mode}${run.strict ? ', strict' : ''}${run.complete ? '' : ', incomplete'}`],
    ...(run.stopped === null ? [] : [['Stopped', markup`<bdi>${run.stopped}</bdi>`] as [string, Markup]]),
    ...(run.only.length === 0 ? [] : [['Only', run.only.join(', ')] as [string, string]]),
    ...(target.environment === null ? [] : [['Environment', target.environment] as [string, string]]),
    ...(run.lagMs === null ? [] : [['Longest lag', lasted(run.lagMs)] as [string, string]]),
    ['Seed', String(run.seed)],
    ['Run', run.id],
  ];
  return markup`<dl class="circumstances">${facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
