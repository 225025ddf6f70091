/** Says where a text begins to differ, for names of hundreds of letters. Pure. */
import type { RequirementResult } from '../../document/report-document.ts';

/**
 * Returns one line: `from character 9 on, behind "a long n": "AME" (U+0041) in place of "ame" (U+0061)`; null if the result has
 * no difference.
 */
export function writeDifference({ difference }: Pick<RequirementResult, 'difference'>): string | null {
  if (difference === undefined) return null;
  const { character, before, expected, received } = difference;
  return `from character ${character} on, behind ${JSON.stringify(before)}: ${partInWords(received)} in place of ${partInWords(expected)}`;
}

/** Writes an empty part as `the end`, because the text has no character there. */
function partInWords(part: string): string {
  const [first] = part;
  if (first === undefined) return 'the end';
  return `${JSON.stringify(part)} (${spellCode(first)})`;
}

/** Returns the code of a character, for example `U+00DF`: some characters are invisible, and some look alike. */
export function spellCode(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
