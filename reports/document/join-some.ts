/** Joins the first texts, and counts the others: `a, b, c and 2 more`. Pure. */
export function joinSome(texts: readonly string[], most = 3): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Returns the first lines of a list; a last line counts the others: `… and 2 more`. @param hint follows the number */
export function keepFirstLines(lines: readonly string[], most: number, hint = ''): string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `… and ${more} more${hint}`] : [...lines];
}
