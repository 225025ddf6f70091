/** Where a text begins to differ, in words. Pure. */
import type { RequirementResult } from '../document/report.ts';

/** In one line: `from character 9 on, behind "a long n": "AME" (U+0041) in place of "ame" (U+0061)`; null if there is nothing to say. */
export function differenceLine({ difference }: Pick<RequirementResult, 'difference'>): string | null {
  if (difference === undefined) return null;
  const { character, before, expected, received } = difference;
  return `from character ${character} on, behind ${JSON.stringify(before)}: ${partInWords(received)} in place of ${partInWords(expected)}`;
}

/** The end of a text has no character. */
function partInWords(part: string): string {
  const [first] = part;
  if (first === undefined) return 'the end';
  return `${JSON.stringify(part)} (${codeOf(first)})`;
}

/** `U+00DF`: some characters are not seen, and some look alike. */
export function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
