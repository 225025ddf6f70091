/** Renders the head of the conformance page, its verdict, and its part about the run. */
import { renderTimeline } from './charts.ts';
import { markup, renderTime, type Markup } from './markup.ts';
import { writeSinceLine } from '../words/since-words.ts';
import { writeSubjectInFull, writeSubject } from '../words/subject-words.ts';
import { findOtherReason, findShortfall, type Shortfall } from '../words/shortfall.ts';
import { nameFirstFailure } from '../../document/causes.ts';
import { groupBySection } from '../../document/group-by-section.ts';
import type { Report, RequirementResult } from '../../document/report-document.ts';
import {
  countNoun,
  writeCounts,
  describeExitCode,
  writeHeadline,
  chooseSymbol,
  writeDuration,
  writeLegend,
  chooseTone,
  SYMBOLS,
  VERDICT_WORDS,
  capitalize,
  describePutOff,
} from '../words/verdict-words.ts';

export function renderHead(report: Report): Markup {
  const { target } = report;
  const subject = writeSubject(report);
  return markup`<header class="head">
<p class="kind">Conformance report · ${renderTime(report.run.startedAt)}</p>
<h1><bdi>${target.baseUrl}</bdi>${target.embedded && markup` <small>the embedded reference</small>`}${subject !== null && markup` <small><bdi>${subject}</bdi></small>`}</h1>
</header>`;
}

/**
 * Returns the verdict with its reason, its figures, and the reason why the run did not ask everything (`Shortfall`). After a failure it is
 * shorter, so that the first failure and its command are on the first screen: the card of the failure has the reason, and "What next"
 * says what a quick run did not ask.
 */
export function renderVerdictPart(report: Report): Markup {
  const short = findShortfall(report);
  const failure = nameFirstFailure(report);
  const hasFailed = failure !== null;
  // A reason that only names the failure is left out: the card of the failure says the same.
  const reason = report.reason === failure ? null : findOtherReason(report, short);
  const sinceLastRun = writeSinceLine(report);
  const hasResults = report.requirements.length > 0 && short?.kind !== 'not-begun';
  const isShortfallShown = !hasFailed || short?.kind !== 'quick';
  return markup`<section class="judged ${chooseTone(report)}" aria-labelledby="verdict">
<h2 id="verdict"><span aria-hidden="true">${chooseSymbol(report)}</span> ${writeHeadline(report)} <small class="exit">${describeExitCode(report)}</small></h2>
${hasResults && renderStrip(report)}
${sinceLastRun !== null && markup`<p class="since"><bdi>${capitalize(sinceLastRun)}</bdi></p>`}
${reason !== null && markup`<p class="reason"><bdi>${capitalize(reason)}</bdi></p>`}
${short !== null && isShortfallShown && renderShortfall(short)}
${renderFigures(report, hasFailed)}
</section>`;
}

function renderShortfall(short: Shortfall): Markup {
  return markup`<p class="shortfall"><strong>${short.what}</strong>${short.last !== null && markup` The last request was <code><bdi>${short.last}</bdi></code>.`} <bdi>${short.remedy}</bdi>${short.command !== null && markup` A whole run decides: <code><bdi>${short.command}</bdi></code>`}</p>`;
}

/** Returns the figures. After a failure they begin folded; on a phone they always do. */
function renderFigures(report: Report, hasFailed: boolean): Markup {
  const { run, footprint } = report;
  const parts = [
    `must: ${writeCounts(report, 'must')}`,
    `should: ${writeCounts(report, 'should')}`,
    `${countNoun(run.requests, 'request')} in ${writeDuration(run.durationMs)}`,
    `${countNoun(footprint.length, 'animal')} left behind (footprint.json)`,
  ];
  return markup`<details class="legend ${hasFailed ? 'quiet' : 'folds'}"${!hasFailed && ' open'}><summary>Figures and words</summary>
<ul class="figures" aria-label="Figures">${parts.map((each) => markup`<li>${each}</li>`)}</ul>${writeLegend(report)}</details>`;
}

/** Returns the part about the run: facts that the head does not show, and the timeline. */
export function renderRun(report: Report): Markup {
  const { run, suite, specification, target } = report;
  const facts: [name: string, value: string | Markup | null][] = [
    ['Suite', `${suite.name} ${suite.version}`],
    ['Interface', specification.version],
    ['Mode', `${run.mode}${run.strict ? ', strict' : ''}${run.complete ? '' : ', incomplete'}`],
    ['Stopped', run.stopped === null ? null : markup`<bdi>${run.stopped}</bdi>`],
    ['Only', run.only.join(', ') || null],
    ['Judged', target.subject == null ? null : markup`<bdi>${writeSubjectInFull(target.subject)}</bdi>`],
    ['Environment', target.environment],
    ['Longest lag', run.lagMs === null ? null : writeDuration(run.lagMs)],
    ['Put off', describePutOff(run)],
    ['Seed', String(run.seed)],
    ['Run', run.name === undefined ? run.id : `${run.id} (${run.name})`],
  ];
  return markup`<dl class="circumstances">${facts.map(([name, value]) => value !== null && markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>${renderTimeline(report)}`;
}

/**
 * Returns squares with links to their promises, in the order of the document. The keyboard stops only at squares of broken and
 * undecided promises: 145 stops would be too many, and the lists below lead to the others.
 */
function renderStrip(report: Report): Markup {
  const squares = groupBySection(report).flatMap(({ requirements }) => requirements.map(renderSquare));
  return markup`<details class="folds look" open><summary>Every promise</summary><ol class="strip" aria-label="Every promise, in the order of the document">${squares}</ol></details>`;
}

function renderSquare({ id, verdict }: RequirementResult): Markup {
  const isStop = ['fail', 'warn', 'inconclusive'].includes(verdict);
  return markup`<li><a class="${verdict}" href="#req-${id}" title="${id}: ${VERDICT_WORDS[verdict]}"${!isStop && markup` tabindex="-1"`}><span aria-hidden="true">${SYMBOLS[verdict]}</span></a></li>`;
}
