/** Joins the first texts, and counts the others: `a, b, c and 2 more`. Pure. */
export function joinSome(texts: readonly string[], most = 3): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Returns the first lines of a list; a last line counts the others. */
export function keepFirst(lines: readonly string[], most: number): string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `… and ${more} more`] : [...lines];
}
