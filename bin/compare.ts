#!/usr/bin/env node
/**
 * `npm run compare -- before/report.json after/report.json`: what changed between two runs, or over more of them.
 * 0 equal, 1 different, 2 bad input.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { compare, comparisonMarkdown, comparisonPage, comparisonText } from '../reports/comparison/compare.ts';
import type { Report } from '../reports/document/report.ts';
import { terminal } from '../reports/words/escape.ts';
import { reportMistakes } from '../reports/document/report-schema.ts';
import { trendMarkdown, trendText, isSteady } from '../reports/vendors/trend-text.ts';
import { trendsOf, inTime } from '../reports/vendors/trend.ts';
import { matrixPage } from '../reports/vendors/matrix-page.ts';
import { matrixOf } from '../reports/vendors/matrix.ts';
import { program } from './commands/compare.ts';
import { err, out, outJson } from './output/print.ts';

program.parse();
const { markdown, html, json = false } = program.opts<{ markdown?: string; html?: string; json?: boolean }>();
const [first, ...later] = (program.processedArgs as [string, string[]]).flat().map(read);

if (first === undefined || later.includes(undefined)) process.exitCode = 2;
else process.exitCode = tell([first, ...(later as Report[])]);

/** Prints and writes what changed. @returns the exit code */
function tell(reports: readonly [Report, ...Report[]]): number {
  const [before, after, ...more] = reports;
  const comparison = after === undefined || more.length > 0 ? null : compare(before, after);
  if (json) outJson(`${JSON.stringify(comparison ?? trendsOf(inTime(reports)))}\n`);
  else out(comparison === null ? trendText(reports) : comparisonText(comparison));
  if (markdown !== undefined) writeFileSync(markdown, comparison === null ? trendMarkdown(reports) : comparisonMarkdown(comparison));
  if (html !== undefined) writeFileSync(html, comparison === null ? matrixPage(matrixOf([{ name: before.target.baseUrl, reports, page: null, certificate: null, problem: null }], new Date().toISOString())) : comparisonPage(comparison));
  return (comparison === null ? isSteady(reports) : comparison.equal) ? 0 : 1;
}

/** The report of a file, or undefined after saying what is wrong with it. */
function read(path: string): Report | undefined {
  try {
    const report: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const [mistake] = reportMistakes(report);
    if (mistake === undefined) return report as Report;
    err(`${path} is no report.json of this suite: ${mistake}\n`);
  } catch (error) {
    err(`${path} cannot be read as a report.json: ${error instanceof SyntaxError ? 'it is no JSON' : terminal((error as Error).message)}\n`);
  }
  return undefined;
}
