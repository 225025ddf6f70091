#!/usr/bin/env node
/**
 * `npm run compare -- before/report.json after/report.json`: what changed between two runs, or over more of them.
 * 0 equal, 1 different, 2 bad input.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  compare,
  comparisonMarkdown,
  comparisonPage,
  comparisonText,
} from '../reports/comparison/compare.ts';
import type { Comparison } from '../reports/comparison/comparison.ts';
import type { Report } from '../reports/document/report.ts';
import { terminal } from '../reports/words/escape.ts';
import { trendMarkdown, trendText, isSteady } from '../reports/vendors/trend-text.ts';
import { trendsOf, inTime } from '../reports/vendors/trend.ts';
import { matrixPage } from '../reports/vendors/matrix-page.ts';
import { matrixOf } from '../reports/vendors/matrix.ts';
import { ends, Mistake, writing } from './certificate/command.ts';
import { program } from './commands/compare.ts';
import { replaceFile } from './files/own-file.ts';
import { err, out, outJson } from './output/print.ts';
import { reportIn } from './files/report-file.ts';

interface Options {
  markdown?: string;
  html?: string;
  json?: boolean;
  baseline?: string;
}

program.parse();
const { markdown, html, json = false, baseline } = program.opts<Options>();
const [first, ...later] = [...(baseline === undefined ? [] : [baseline]), ...program.args].map(read);

await ends(() => {
  if (first === undefined || later.includes(undefined)) return 2;
  if (later.length === 0)
    throw new Mistake('There is only one report. Name two, or one and --baseline FILE.');
  return printComparison([first, ...(later as Report[])]);
});

/** Prints and writes what changed. @returns the exit code */
function printComparison(reports: readonly [Report, ...Report[]]): number {
  const comparison = comparisonOf(reports);
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
              [{ name: reports[0].target.baseUrl, reports, page: null, certificate: null, problem: null }],
              new Date().toISOString(),
            ),
          )
        : comparisonPage(comparison),
    );
  return (comparison === null ? isSteady(reports) : comparison.equal) ? 0 : 1;
}

/** Two reports, or the baseline and the latest; null: of more reports their course is shown. */
function comparisonOf([before, ...later]: readonly [Report, ...Report[]]): Comparison | null {
  if (baseline === undefined && later.length > 1) return null;
  const after = inTime(later).at(-1);
  return after === undefined ? null : compare(before, after, inTime([before, ...later]));
}

/** The report of a file or a folder, or undefined after saying what is wrong with it. */
function read(path: string): Report | undefined {
  const read = reportIn(isFolder(path) ? join(path, 'report.json') : path);
  if ('report' in read) return read.report;
  err(`${terminal(path)} ${terminal(read.why)}\n`);
  return undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
