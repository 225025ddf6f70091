/** Charts of the page. Each is an SVG that needs no script, and has the same facts in words (`aria-label`) for a screen reader. */
import { LIMITS, type Timing } from '../../document/latency.ts';
import type { EarlierRun, Report } from '../../document/report-document.ts';
import type { Timeline } from '../../document/timeline.ts';
import { writeMinute } from '../words/since-words.ts';
import { countNoun, writeDuration } from '../words/verdict-words.ts';
import { markup, type Markup } from './markup.ts';

/** Units of the timeline: its width, the height of the lane of one operation, and the height for marks below a lane. */
const [WIDE, LANE, MARKS] = [800, 34, 8];
/** The fewest runs whose figures make a line. */
const FEWEST_RUNS = 2;

/** Draws the requests of each operation over time, with marks for failures and refusals. Null if the report lacks the timeline. */
export function renderTimeline({ timeline }: Report): Markup | null {
  if (timeline === undefined) return null;
  const { stepMs, operations, refused } = timeline;
  const lanes = Object.entries(operations);
  // Each list of counts has one number for each step of time.
  const steps = refused.length;
  const step = WIDE / steps;
  const most = Math.max(1, ...lanes.flatMap(([, { requests }]) => requests));
  const height = lanes.length * (LANE + MARKS) + 26;
  const rows = lanes.map(([name, { requests, failures }], index) => {
    const base = index * (LANE + MARKS) + LANE;
    const bars = requests.map((count, at) => drawBar((at + 0.5) * step, base, (count / most) * (LANE - 12)));
    const marks = failures.map((count, at) => (count === 0 ? '' : drawCross((at + 0.5) * step, base + 5)));
    return markup`<text x="0" y="${base - LANE + 11}">${name}: ${sum(requests)}${sum(failures) > 0 && `, ${sum(failures)} in failures`}</text>
<path class="bars" stroke-width="${roundToTenth(step * 0.8)}" d="${bars.join('')}"/><path class="marks" d="${marks.join('')}"/>`;
  });
  const refusals = refused.map((count, at) => (count === 0 ? '' : drawRing((at + 0.5) * step, height - 22)));
  const waits = findWaits(timeline).map(
    ({
      from,
      to,
    }) => markup`<path class="wait" d="M${roundToTenth(from * step)} 0H${roundToTenth(to * step)}V${height - 26}H${roundToTenth(from * step)}Z"/>
<text x="${roundToTenth(((from + to) / 2) * step)}" y="${height - 15}" text-anchor="middle">${writeDuration((to - from) * stepMs)}</text>`,
  );
  const duration = steps * stepMs;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      markup`<text x="${WIDE * share}" y="${height - 3}" text-anchor="${{ 0: 'start', 1: 'end' }[share] ?? 'middle'}">${writeDuration(duration * share)}</text>`,
  );
  return markup`<svg class="chart" viewBox="0 0 ${WIDE} ${height}" role="img" aria-label="${describeTimeline(timeline, duration)}">${waits}${rows}
<path class="rings" d="${refusals.join('')}"/>${ticks}</svg>
<p class="legend">Bars: requests begun. ✗: a request that shows a failure.${sum(refused) > 0 && ` ○: ${countNoun(sum(refused), 'request')} put off with 429 or 503, or not answered.`}${waits.length > 0 && ' Grey: the run sent nothing, because it waited for reads to follow, for a limit or for an answer.'}</p>`;
}

/** The shortest wait that the timeline marks, in milliseconds. */
const SHORTEST_WAIT = 1_000;

/** Finds the steps between which no request began for a second or longer. */
function findWaits({ operations, refused, stepMs }: Timeline): { from: number; to: number }[] {
  const busy = refused.flatMap((_, at) =>
    Object.values(operations).some(({ requests }) => (requests[at] ?? 0) > 0) ? [at] : [],
  );
  return (
    busy
      // A wait lasts from a busy step to the next one. None follows the last busy step: `from` and `to` are equal there.
      .map((at, index) => ({ from: at + 1, to: busy[index + 1] ?? at + 1 }))
      .filter(({ from, to }) => (to - from) * stepMs >= SHORTEST_WAIT)
  );
}

function describeTimeline(timeline: Timeline, duration: number): string {
  const { operations, refused } = timeline;
  const parts = Object.entries(operations).map(
    ([name, { requests, failures }]) => `${name} ${sum(requests)}, ${sum(failures)} of them in failures`,
  );
  const waits = findWaits(timeline).map(({ from, to }) => writeDuration((to - from) * timeline.stepMs));
  const waited = waits.length === 0 ? '' : `; nothing sent for ${waits.join(', ')}`;
  return `Requests in ${writeDuration(duration)}: ${parts.join('; ')}; put off or not answered ${sum(refused)}${waited}`;
}

/** Shows the latency of each operation: its percentiles, and a histogram of its answers. */
export function renderLatency({ timings }: Pick<Report, 'timings'>): Markup | null {
  const rows = Object.entries(timings).map(
    ([operation, timing]) => markup`<tr><th scope="row">${operation}</th><td>${timing.count}</td>
<td>${timing.p50}</td><td>${timing.p95}</td><td>${timing.p99 ?? '–'}</td><td>${renderHistogram(timing)}</td></tr>`,
  );
  if (rows.length === 0) return null;
  return markup`<table class="latency">
<thead><tr><td></td><th scope="col">requests</th><th scope="col">median, ms</th><th scope="col">p95</th><th scope="col">p99</th><th scope="col">how many took how long</th></tr></thead>
<tbody>${rows}</tbody></table>
<p class="legend">Each bar: answers up to ${LIMITS.join(', ')} ms, and longer.</p>`;
}

/** Draws a bar for each limit of the histogram. A bar for at least one answer is at least one unit high, so that it is seen. */
function renderHistogram({ histogram: counts, count }: Timing): Markup | null {
  if (counts === undefined || count === 0) return null;
  const [width, height] = [12, 30];
  const most = Math.max(...counts);
  const bars = counts.map((each, index) =>
    each === 0 ? '' : drawBar((index + 0.5) * width, height, Math.max(1, (each / most) * height)),
  );
  const words = counts.flatMap((each, index) =>
    each === 0 ? [] : [`${each} ${LIMITS[index] === undefined ? 'longer' : `up to ${LIMITS[index]} ms`}`],
  );
  return markup`<svg class="small" width="${counts.length * width}" height="${height + 1}" role="img" aria-label="${words.join(', ')}"><path class="bars" stroke-width="${width - 2}" d="${bars.join('')}"/><path class="axis" d="M0 ${height + 0.5}h${counts.length * width}"/></svg>`;
}

/** Draws failures, requests and latency of the last runs and this one; null if no figure is known for two runs. */
export function renderHistory({ run, requirements, timings }: Report): Markup | null {
  const now: EarlierRun = {
    startedAt: run.startedAt,
    // The lines do not show the verdict.
    verdict: 'inconclusive',
    broken: requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id),
    requests: run.requests,
    p95: Math.max(0, ...Object.values(timings).map(({ p95 }) => p95)),
  };
  const runs = [...(run.earlier ?? []), now];
  const lines = [
    renderLine(
      'failing requirements',
      runs.map(({ broken }) => broken?.length),
    ),
    renderLine(
      'requests',
      runs.map(({ requests }) => requests),
    ),
    renderLine(
      'longest p95, ms',
      runs.map(({ p95 }) => p95),
    ),
  ].flatMap((each) => each ?? []);
  const first = runs.find(({ broken }) => broken !== undefined);
  return lines.length === 0 || first === undefined
    ? null
    : markup`<h3>Since ${writeMinute(first.startedAt)}</h3><ul class="history">${lines}</ul>`;
}

function renderLine(what: string, all: readonly (number | undefined)[]): Markup | null {
  const values = all.filter((value) => value !== undefined);
  const [first, last] = [values[0], values.at(-1)];
  if (values.length < FEWEST_RUNS || first === undefined || last === undefined) return null;
  const [width, height] = [140, 26];
  const most = Math.max(1, ...values);
  const places = values.map((value, index) => {
    const x = 3 + (index / (values.length - 1)) * (width - 6);
    return `${roundToTenth(x)} ${roundToTenth(height - 3 - (value / most) * (height - 6))}`;
  });
  return markup`<li><svg class="small" width="${width}" height="${height}" role="img" aria-label="${what}: ${values.join(', ')}"><path class="line" d="M${places.join('L')}"/><path class="end" d="M${places.at(-1) ?? ''}h0"/></svg> ${what}: ${first} → <strong>${last}</strong></li>`;
}

function drawBar(x: number, base: number, height: number): string {
  return height === 0 ? '' : `M${roundToTenth(x)} ${base}v-${roundToTenth(height)}`;
}

function drawCross(x: number, y: number): string {
  return `M${roundToTenth(x - 3)} ${y - 3}l6 6m0-6l-6 6`;
}

function drawRing(x: number, y: number): string {
  return `M${roundToTenth(x - 3)} ${y}a3 3 0 1 0 6 0a3 3 0 1 0-6 0`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
