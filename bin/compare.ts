#!/usr/bin/env node
/**
 * `npm run compare -- before/report.json after/report.json`: what changed between two runs, or over more of them.
 * 0 equal, 1 different, 2 bad input.
 */
import {
  compare,
  comparisonMarkdown,
  comparisonPage,
  comparisonText,
} from '../reports/comparison/compare.ts';
import type { Report } from '../reports/document/report.ts';
import { terminal } from '../reports/words/escape.ts';
import { trendMarkdown, trendText, isSteady } from '../reports/vendors/trend-text.ts';
import { trendsOf, inTime } from '../reports/vendors/trend.ts';
import { matrixPage } from '../reports/vendors/matrix-page.ts';
import { matrixOf } from '../reports/vendors/matrix.ts';
import { ends, writing } from './certificate/command.ts';
import { program } from './commands/compare.ts';
import { replaceFile } from './files/own-file.ts';
import { err, out, outJson } from './output/print.ts';
import { reportIn } from './files/report-file.ts';

program.parse();
const { markdown, html, json = false } = program.opts<{ markdown?: string; html?: string; json?: boolean }>();
const [first, ...later] = (program.processedArgs as [string, string[]]).flat().map(read);

await ends(() =>
  first === undefined || later.includes(undefined) ? 2 : tell([first, ...(later as Report[])]),
);

/** Prints and writes what changed. @returns the exit code */
function tell(reports: readonly [Report, ...Report[]]): number {
  const [before, after, ...more] = reports;
  const comparison = after === undefined || more.length > 0 ? null : compare(before, after);
  if (json) outJson(`${JSON.stringify(comparison ?? trendsOf(inTime(reports)))}\n`);
  else out(comparison === null ? trendText(reports) : comparisonText(comparison));
  const write = (path: string, text: string) => writing(path, () => replaceFile(path, text));
  if (markdown !== undefined)
    write(markdown, comparison === null ? trendMarkdown(reports) : comparisonMarkdown(comparison));
  if (html !== undefined)
    write(
      html,
      comparison === null
        ? matrixPage(
            matrixOf(
              [{ name: before.target.baseUrl, reports, page: null, certificate: null, problem: null }],
              new Date().toISOString(),
            ),
          )
        : comparisonPage(comparison),
    );
  return (comparison === null ? isSteady(reports) : comparison.equal) ? 0 : 1;
}

/** The report of a file, or undefined after saying what is wrong with it. */
function read(path: string): Report | undefined {
  const read = reportIn(path);
  if ('report' in read) return read.report;
  err(`${terminal(path)} ${terminal(read.why)}\n`);
  return undefined;
}
