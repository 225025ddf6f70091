/** Lays out a body in lines, marks the value that is wrong, and leaves out lines far from it. */
import { countNoun } from './verdict-words.ts';
import { layOutJson } from '../../document/json-place.ts';

/** One line of a body, with the wrong part as `marked`; or a gap, in place of this number of lines. */
type Line = { before: string; marked: string; after: string } | { gap: number };

/** A body with at most this many lines is shown in full. */
const FEW_LINES = 12;
/** How many lines before and after the marked line are shown. */
const LINES_AROUND = 3;
/** The most characters of a part of a line. */
const LONGEST_PART = 1_200;

/**
 * Breaks JSON into one line for each outermost member or element, unless it has line breaks of its own. Of a long body, keeps the
 * first line, the last line, and the lines around the marked value.
 * @param pointer JSON pointer of the value to mark, or null
 */
export function layOutBody(text: string, pointer: string | null): Line[] {
  const { place, breaks } = layOutJson(text, pointer);
  const lines = text.includes('\n') || breaks.length < 2 ? splitOwnLines(text) : breakLines(text, breaks);
  const marked = lines.map(({ start, end, indent }) => {
    // The part of the place that is within this line. Example: the place is 15 to 18. In the line 10 to 30, 15 to 18 is marked; in the line
    // 30 to 40, nothing is.
    const from = Math.min(Math.max(place?.start ?? end, start), end);
    const to = Math.max(Math.min(place?.end ?? end, end), from);
    const before = indent + shortenLine(text.slice(start, from), 'end');
    return { before, marked: shortenLine(text.slice(from, to)), after: shortenLine(text.slice(to, end)) };
  });
  const centre = marked.findIndex((line) => line.marked !== '');
  return keepAround(marked, Math.max(centre, 0));
}

/** Writes one line as text, without the mark of the part that differs. */
export function writeBodyLine(line: Line): string {
  return 'gap' in line
    ? `… ${countNoun(line.gap, 'line')} left out …`
    : `${line.before}${line.marked}${line.after}`;
}

/** A line as a part of the text, and the blanks that come before it on the page. */
interface Span {
  start: number;
  end: number;
  indent: string;
}

function splitOwnLines(text: string): Span[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const span = { start, end: start + line.length, indent: '' };
    start = span.end + 1;
    return span;
  });
}

function breakLines(text: string, breaks: { offset: number; indent: string }[]): Span[] {
  const starts = [{ offset: 0, indent: '' }, ...breaks];
  return starts.map(({ offset, indent }, index) => {
    const end = starts[index + 1]?.offset ?? text.length;
    // Blanks behind a comma are skipped: they would be added to the indent.
    const blanks = index === 0 ? 0 : text.slice(offset, end).search(/[^ ]|$/);
    return { start: offset + blanks, end, indent };
  });
}

/** Keeps the first line, the last line and the lines around `centre`. One gap takes the place of all lines between these. */
function keepAround(lines: Line[], centre: number): Line[] {
  if (lines.length <= FEW_LINES) return lines;
  // If the centre is near the beginning, the first seven lines are kept.
  const middle = Math.max(centre, LINES_AROUND);
  const isAround = (index: number) => Math.abs(index - middle) <= LINES_AROUND;
  const kept = lines.map((_, index) => index === 0 || index === lines.length - 1 || isAround(index));
  return lines.flatMap((line, index) => {
    if (kept[index]) return [line];
    // The gap comes in place of its first line. Its other lines are left out.
    return kept[index - 1] ? [{ gap: kept.indexOf(true, index) - index }] : [];
  });
}

function shortenLine(text: string, keep: 'start' | 'end' = 'start'): string {
  if (text.length <= LONGEST_PART) return text;
  const note = `… ${text.length - LONGEST_PART} characters left out …`;
  return keep === 'end' ? note + text.slice(-LONGEST_PART) : text.slice(0, LONGEST_PART) + note;
}
