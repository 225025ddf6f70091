/** Compares two runs, and writes the comparison as text, Markdown and page. */
export { compare } from './comparison.ts';
export { renderComparisonMarkdown, renderComparisonText } from './comparison-text.ts';
export { renderComparisonPage } from './comparison-page.ts';
