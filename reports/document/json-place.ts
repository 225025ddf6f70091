/**
 * Finds the value that a JSON pointer names in the text of a body, so that a page can mark it: for `/0/name`, `"Rex"` in the text
 * `[{"name":"Rex"}]`. The text may be cut, or no JSON: so a parser cannot read it.
 */

/** A place in a text, in UTF-16 units. `exact` is false if the value is missing and the place is the nearest value around it. */
interface Place {
  start: number;
  end: number;
  exact: boolean;
}

/** The place asked for, and the offsets at which the members of the outermost value may start a new line. */
interface Layout {
  place: Place | null;
  breaks: { offset: number; indent: string }[];
}

/** White space, a text (of a cut body also its beginning), one of `[ ] { } , :`, or another word such as `12` or `true`. */
const TOKEN = /[ \t\r\n]+|"(?:[^"\\]|\\[^])*(?:"|$)|[[\]{},:]|[^ \t\r\n[\]{},:"]+/gy;

/** The depth of a value to which no step of the pointer leads: in `{"a":1,"b":2}`, the pointer `/b` does not lead to `a`. */
const OFF_THE_WAY = -1;

/** An array or object whose end is not read yet. */
interface Open {
  isArray: boolean;
  start: number;
  /** How many steps of the pointer lead to it, e.g. 1 for the first row and `/0/name`; OFF_THE_WAY if it is not on the way. */
  depth: number;
  /** The step to the value that comes next: `2` for the third element of an array. Null before the colon of a member. */
  step: string | null;
}

/**
 * Reads a text that is JSON, JSON that was cut, or no JSON at all.
 * @param pointer RFC 6901, or null if no place is asked for; if two members have one name, the later one is meant
 */
export function layOutJson(text: string, pointer: string | null): Layout {
  // The names and indexes of the pointer: `/0/name` is `0`, `name`.
  const way = splitPointer(pointer ?? '');
  const reading = new Reading(way);
  for (const { 0: token, index: start } of text.matchAll(TOKEN)) {
    // A text that is no JSON may close a brace that was never opened.
    if (isClosing(token) && reading.isOutside) break;
    reading.take(token, start, start + token.length);
  }
  reading.endAt(text.length);
  const { nearest, breaks } = reading;
  const isFound = pointer !== null && nearest !== null;
  return { place: isFound ? { ...nearest, exact: nearest.depth === way.length } : null, breaks };
}

/** Reads a text token by token and keeps the deepest value that the pointer passes. */
class Reading {
  readonly breaks: Layout['breaks'] = [];
  nearest: { start: number; end: number; depth: number } | null = null;
  readonly #way: readonly string[];
  /** The arrays and objects around the next token, the outermost first. */
  readonly #open: Open[] = [];
  /** The last token: the name of a member, if a colon follows. */
  #last = '';

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
    else if (token === ',' && parent) this.#separate(parent, end);
    else if (token === ':' && parent?.isArray === false) parent.step = unquoteToken(this.#last);
    // The name of a member comes here too. It is never kept: before its colon `step` is null, so its depth is OFF_THE_WAY.
    else this.#keepIfDeepest(start, end, this.#depthWithin(parent));
    this.#last = token;
  }

  /** An array or object that is still open ends at the end of the text. */
  endAt(end: number): void {
    for (const { start, depth } of this.#open.toReversed()) this.#keepIfDeepest(start, end, depth);
  }

  #begin(isArray: boolean, start: number, end: number): void {
    const depth = this.#depthWithin(this.#open.at(-1));
    if (this.isOutside) this.breaks.push({ offset: end, indent: '  ' });
    this.#open.push({ isArray, start, depth, step: isArray ? '0' : null });
  }

  #close(start: number, end: number): void {
    const closed = this.#open.pop();
    if (closed !== undefined) this.#keepIfDeepest(closed.start, end, closed.depth);
    if (this.isOutside) this.breaks.push({ offset: start, indent: '' });
  }

  #separate(parent: Open, end: number): void {
    if (this.#open.length === 1) this.breaks.push({ offset: end, indent: '  ' });
    parent.step = parent.isArray ? String(Number(parent.step) + 1) : null;
  }

  /** Keeps the value if it is at least as deep on the way of the pointer as the one that is kept. */
  #keepIfDeepest(start: number, end: number, depth: number): void {
    if (depth >= (this.nearest?.depth ?? 0)) this.nearest = { start, end, depth };
  }

  /** Returns how many steps of the pointer lead to the value that begins here; OFF_THE_WAY if it is not on the way. */
  #depthWithin(parent: Open | undefined): number {
    if (parent === undefined) return 0;
    if (parent.depth === OFF_THE_WAY || parent.step !== this.#way[parent.depth]) return OFF_THE_WAY;
    return parent.depth + 1;
  }
}

function isClosing(token: string): boolean {
  return token === '}' || token === ']';
}

function splitPointer(pointer: string): string[] {
  const [, ...names] = pointer.split('/');
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function unquoteToken(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
