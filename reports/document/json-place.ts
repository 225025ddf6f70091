/** Where a JSON pointer leads to in a text, found without demanding that the text is whole. */

/** A place in a text, in UTF-16 units; `exact` is false if it is the nearest value around a missing one. */
interface Place {
  start: number;
  end: number;
  exact: boolean;
}

/** What is known of a text that may be JSON: the place asked for, and where its outermost value may be broken into lines. */
interface Layout {
  place: Place | null;
  breaks: { offset: number; indent: string }[];
}

const TOKEN = /[ \t\r\n]+|"(?:[^"\\]|\\[^])*(?:"|$)|[[\]{},:]|[^ \t\r\n[\]{},:"]+/gy;

/** The depth of a value that does not lie on the way to the place. */
const BESIDE = -1;

/** An array or object that has begun and not ended. */
interface Open {
  isArray: boolean;
  start: number;
  depth: number;
  /** The member that comes next, or is being read. */
  member: { index: number; name: string };
  /** Whether the next word is the name of a member. */
  isNaming: boolean;
}

/**
 * Reads a text that is JSON, cut-off JSON, or no JSON at all.
 * @param pointer RFC 6901, or null if no place is asked for; of two members of one name the later one is meant
 */
export function layout(text: string, pointer: string | null): Layout {
  const way = namesIn(pointer ?? '');
  const reading = new Reading(way);
  for (const { 0: token, index: start } of text.matchAll(TOKEN)) {
    if (isClosing(token) && reading.isOutside) break;
    reading.take(token, start, start + token.length);
  }
  reading.endAt(text.length);
  return { place: pointer === null ? null : placed(reading.nearest, way.length), breaks: reading.breaks };
}

/** How far a text was read, and the value found so far that is deepest on the way. */
class Reading {
  readonly breaks: Layout['breaks'] = [];
  nearest: { start: number; end: number; depth: number } | null = null;
  readonly #way: readonly string[];
  readonly #open: Open[] = [];

  constructor(way: readonly string[]) {
    this.#way = way;
  }

  get isOutside(): boolean {
    return this.#open.length === 0;
  }

  take(token: string, start: number, end: number): void {
    const parent = this.#open.at(-1);
    if (token.trim() === '') return;
    if (token === '{' || token === '[') this.#begin(token === '[', start, end);
    else if (isClosing(token)) this.#close(start, end);
    else if (parent === undefined) this.#find(start, end, 0);
    else if (token === ',') this.#separate(parent, end);
    else if (token === ':') parent.isNaming = false;
    else if (parent.isNaming) parent.member.name = unquoted(token);
    else this.#find(start, end, this.#depthWithin(parent));
  }

  /** What is still open where the text ends is as long as the text. */
  endAt(end: number): void {
    for (const { start, depth } of this.#open.toReversed()) this.#find(start, end, depth);
  }

  #begin(isArray: boolean, start: number, end: number): void {
    const depth = this.#depthWithin(this.#open.at(-1));
    if (this.isOutside) this.breaks.push({ offset: end, indent: '  ' });
    this.#open.push({ isArray, start, depth, member: { index: 0, name: '' }, isNaming: !isArray });
  }

  #close(start: number, end: number): void {
    const closed = this.#open.pop();
    const parent = this.#open.at(-1);
    if (closed !== undefined) this.#find(closed.start, end, closed.depth);
    if (parent === undefined) this.breaks.push({ offset: start, indent: '' });
    else parent.isNaming = false;
  }

  #separate(parent: Open, end: number): void {
    if (this.#open.length === 1) this.breaks.push({ offset: end, indent: '  ' });
    parent.member.index += 1;
    parent.isNaming = !parent.isArray;
  }

  #find(start: number, end: number, depth: number): void {
    if (depth >= (this.nearest?.depth ?? 0)) this.nearest = { start, end, depth };
  }

  /** How deep the value that begins here is on the way. */
  #depthWithin(parent: Open | undefined): number {
    if (parent === undefined) return 0;
    if (parent.depth === BESIDE) return BESIDE;
    const { index, name } = parent.member;
    const isOnWay = this.#way[parent.depth] === (parent.isArray ? String(index) : name);
    return isOnWay ? parent.depth + 1 : BESIDE;
  }
}

function isClosing(token: string): boolean {
  return token === '}' || token === ']';
}

function namesIn(pointer: string): string[] {
  const [, ...names] = pointer.split('/');
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function placed(nearest: Reading['nearest'], depth: number): Place | null {
  return nearest && { start: nearest.start, end: nearest.end, exact: nearest.depth === depth };
}

function unquoted(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
