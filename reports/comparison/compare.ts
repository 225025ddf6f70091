/** Compares two runs, and writes the comparison as text, Markdown and page. */
export { compare } from './comparison.ts';
export { comparisonMarkdown, comparisonText } from './comparison-text.ts';
export { comparisonPage } from './comparison-page.ts';
