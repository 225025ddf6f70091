/** Where a JSON pointer leads to in a text, found without demanding that the text is whole. */

/** A place in a text, in UTF-16 units; `exact` is false where it is the nearest value around a missing one. */
export interface Place {
  start: number;
  end: number;
  exact: boolean;
}

/** What is known of a text that may be JSON: the place asked for, and where its outermost value may be broken into lines. */
export interface Layout {
  place: Place | null;
  breaks: { offset: number; indent: string }[];
}

const TOKEN = /[ \t\r\n]+|"(?:[^"\\]|\\[^])*(?:"|$)|[[\]{},:]|[^ \t\r\n[\]{},:"]+/y;

interface Open {
  array: boolean;
  start: number;
  depth: number;
  name: string;
}

/**
 * Reads a text that is JSON, cut-off JSON, or no JSON at all.
 * @param pointer RFC 6901, or null where no place is asked for; of two members of one name the later one is meant
 */
export function layout(text: string, pointer: string | null): Layout {
  const wanted = (pointer ?? '')
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const breaks: Layout['breaks'] = [];
  const stack: (Open & { count: number })[] = [];
  let best: { start: number; end: number; depth: number } | null = null;
  let onPath = 0;
  let naming = false;

  const nameOfNext = () => {
    const top = stack.at(-1);
    return top === undefined ? null : top.array ? String(top.count) : top.name;
  };
  /** How deep the value that begins here lies on the way to the place, or -1 beside it. */
  const depthOfNext = () =>
    stack.length === 0
      ? 0
      : onPath === stack.length && nameOfNext() === wanted[stack.length - 1]
        ? stack.length
        : -1;
  const found = (start: number, end: number, depth: number) => {
    if (depth >= 0 && depth >= (best?.depth ?? 0)) best = { start, end, depth };
  };

  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const start = TOKEN.lastIndex;
    const [token = ''] = TOKEN.exec(text) ?? [];
    if (token === '') break;
    const end = start + token.length;
    const top = stack.at(-1);
    if (token === '{' || token === '[') {
      const depth = depthOfNext();
      stack.push({ array: token === '[', start, depth, name: '', count: 0 });
      if (depth >= 0) onPath = depth + 1;
      naming = token === '{';
      if (stack.length === 1) breaks.push({ offset: end, indent: '  ' });
    } else if (token === '}' || token === ']') {
      const closed = stack.pop();
      if (closed === undefined) break;
      if (stack.length === 0) breaks.push({ offset: start, indent: '' });
      found(closed.start, end, closed.depth);
      onPath = Math.min(onPath, stack.length);
      naming = false;
    } else if (token === ',' && top !== undefined) {
      if (stack.length === 1) breaks.push({ offset: end, indent: '  ' });
      top.count += 1;
      naming = !top.array;
    } else if (token === ':' && top !== undefined) {
      naming = false;
    } else if (token.trim() !== '') {
      if (naming && top !== undefined) top.name = unquoted(token);
      else found(start, end, depthOfNext());
    }
  }
  for (const open of stack.toReversed()) found(open.start, text.length, open.depth);
  return { place: pointer === null ? null : placed(best, wanted.length), breaks };
}

function placed(best: { start: number; end: number; depth: number } | null, depth: number): Place | null {
  return best === null ? null : { start: best.start, end: best.end, exact: best.depth === depth };
}

function unquoted(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
