/** Removes the blanks and dashes with which a formatter aligns the columns of tables in Markdown. */
export function removePadding(markdown: string): string {
  return markdown.replaceAll(/ ?-{3,} ?/g, '---').replaceAll(/ {2,}/g, ' ');
}
