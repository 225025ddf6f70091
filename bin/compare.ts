#!/usr/bin/env node
/** `npm run compare -- before/report.json after/report.json`: what changed between two runs. 0 equal, 1 different, 2 bad input. */
import { readFileSync, writeFileSync } from 'node:fs';
import { compare, comparisonMarkdown, comparisonPage, comparisonText } from '../reports/compare.ts';
import type { Report } from '../reports/report.ts';
import { reportMistakes } from '../reports/validate.ts';
import { program } from './commands/compare.ts';

program.parse();
const { markdown, html, json = false } = program.opts<{ markdown?: string; html?: string; json?: boolean }>();
const [before, after] = program.args.map(read);

if (before === undefined || after === undefined) process.exitCode = 2;
else {
  const comparison = compare(before, after);
  process.stdout.write(json ? `${JSON.stringify(comparison)}\n` : comparisonText(comparison));
  if (markdown !== undefined) writeFileSync(markdown, comparisonMarkdown(comparison));
  if (html !== undefined) writeFileSync(html, comparisonPage(comparison));
  process.exitCode = comparison.equal ? 0 : 1;
}

/** The report of a file, or undefined after saying what is wrong with it. */
function read(path: string): Report | undefined {
  try {
    const report: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const [mistake] = reportMistakes(report);
    if (mistake === undefined) return report as Report;
    process.stderr.write(`${path} is no report.json of this suite: ${mistake}\n`);
  } catch (error) {
    process.stderr.write(`${path} cannot be read as a report.json: ${error instanceof SyntaxError ? 'it is no JSON' : (error as Error).message}\n`);
  }
  return undefined;
}
