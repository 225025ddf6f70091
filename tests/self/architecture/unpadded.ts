/** Markdown as it is without the blanks and dashes with which a formatter aligns the columns of its tables. */
export function unpadded(markdown: string): string {
  return markdown.replaceAll(/ ?-{3,} ?/g, '---').replaceAll(/ {2,}/g, ' ');
}
