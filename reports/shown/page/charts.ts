/** Draws the timeline of the page: an SVG without a script. Its `aria-label` says the same in words for a screen reader. */
import type { Report } from '../../document/report-document.ts';
import type { Timeline } from '../../document/timeline.ts';
import { countNoun, writeDuration } from '../words/verdict-words.ts';
import { markup, type Markup } from './markup.ts';

/** Lengths in units of the SVG: its width, the height of the lane of one operation, and the height for marks below a lane. */
const [WIDE, LANE, MARKS] = [800, 34, 8];

/**
 * Draws a lane for each operation, with a bar for the requests of each step. A cross below a bar marks failures, a ring below all lanes
 * requests that were put off. Null for a report without a timeline.
 */
export function renderTimeline({ timeline }: Report): Markup | null {
  if (timeline === undefined) return null;
  const { stepMs, operations, refused } = timeline;
  const lanes = Object.entries(operations);
  const steps = refused.length;
  const step = WIDE / steps;
  const most = Math.max(1, ...lanes.flatMap(([, { requests }]) => requests));
  // Below the lanes, in 26 units: rings of refusals (4 units below), durations of waits (11), times (23).
  const height = lanes.length * (LANE + MARKS) + 26;
  const rows = lanes.map(([name, { requests, failures }], index) => {
    // The bars stand on `base`. The upper 12 units of a lane are for its label.
    const base = index * (LANE + MARKS) + LANE;
    const bars = requests.map((count, at) => drawBar((at + 0.5) * step, base, (count / most) * (LANE - 12)));
    const marks = failures.map((count, at) => (count === 0 ? '' : drawCross((at + 0.5) * step, base + 5)));
    return markup`<text x="0" y="${base - LANE + 11}">${name}: ${sum(requests)}${sum(failures) > 0 && `, ${sum(failures)} in failures`}</text>
<path class="bars" stroke-width="${roundToTenth(step * 0.8)}" d="${bars.join('')}"/><path class="marks" d="${marks.join('')}"/>`;
  });
  const refusals = refused.map((count, at) => (count === 0 ? '' : drawRing((at + 0.5) * step, height - 22)));
  const waits = findWaits(timeline).map(({ from, to }) => {
    const [left, right] = [roundToTenth(from * step), roundToTenth(to * step)];
    const middle = roundToTenth(((from + to) / 2) * step);
    return markup`<path class="wait" d="M${left} 0H${right}V${height - 26}H${left}Z"/>
<text x="${middle}" y="${height - 15}" text-anchor="middle">${writeDuration((to - from) * stepMs)}</text>`;
  });
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

/**
 * Returns the waits of a second or longer, in steps. Example: requests began in the steps 0, 1 and 9, and steps take 200 ms: then one wait
 * lasts from step 2 to step 9, which is 1.4 s.
 */
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
