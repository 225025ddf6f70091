#!/usr/bin/env node
/**
 * `npm run compare -- before/report.json after/report.json`: shows the changes between two or more runs.
 * Exit codes: 0 equal or better, 1 worse (with --lock: or different), 2 bad input.
 */
import { join } from 'node:path';
import {
  compare,
  renderComparisonMarkdown,
  renderComparisonPage,
  renderComparisonText,
} from '../reports/shown/comparison/compare-runs.ts';
import type { Comparison } from '../reports/shown/comparison/comparison.ts';
import type { Report } from '../reports/document/report-document.ts';
import { escapeTerminal } from '../reports/shown/words/escape.ts';
import {
  hasGotWorse,
  isSteady,
  renderTrendsMarkdown,
  renderTrends,
} from '../reports/shown/vendors/trend-text.ts';
import { findTrends, sortByTime } from '../reports/shown/vendors/trend.ts';
import { renderMatrixPage } from '../reports/shown/vendors/matrix-page.ts';
import { makeMatrix } from '../reports/shown/vendors/vendor-matrix.ts';
import { endWithCode, Mistake, writeOrRefuse } from './certificate/certificate-files.ts';
import { program } from './commands/compare.ts';
import { isFolder } from './command-line/files/foreign-file.ts';
import { replaceFile } from './command-line/files/own-file.ts';
import { printError, printText, printJson } from './command-line/output/print.ts';
import { readReportFile } from './command-line/files/report-file.ts';

interface Options {
  markdown?: string;
  html?: string;
  json?: boolean;
  baseline?: string;
  lock?: boolean;
}

program.parse();
const { markdown, html, json = false, baseline, lock = false } = program.opts<Options>();

await endWithCode(() => {
  const [first, ...later] = [...(baseline === undefined ? [] : [baseline]), ...program.args].map(read);
  if (first === undefined || later.includes(undefined)) return 2;
  if (later.length === 0)
    throw new Mistake('There is only one report. Name two, or one and --baseline FILE.');
  return printComparison([first, ...(later as Report[])]);
});

/**
 * Prints the changes and writes them to files.
 * @returns the exit code
 */
function printComparison(reports: readonly [Report, ...Report[]]): number {
  const comparison = makeComparison(reports);
  if (json) printJson(`${JSON.stringify(comparison ?? findTrends(sortByTime(reports)))}\n`);
  else printText(comparison === null ? renderTrends(reports) : renderComparisonText(comparison));
  const write = (path: string, text: string) => writeOrRefuse(path, () => replaceFile(path, text));
  if (markdown !== undefined)
    write(
      markdown,
      comparison === null ? renderTrendsMarkdown(reports) : renderComparisonMarkdown(comparison),
    );
  if (html !== undefined)
    write(
      html,
      comparison === null
        ? renderMatrixPage(
            makeMatrix(
              [{ name: reports[0].target.baseUrl, reports, page: null, certificate: null, problem: null }],
              new Date().toISOString(),
            ),
          )
        : renderComparisonPage(comparison),
    );
  return isBad(comparison, reports) ? 1 : 0;
}

/** True if the exit code must be 1: something got worse, or with --lock, verdicts or the behaviour profile differ. */
function isBad(comparison: Comparison | null, reports: readonly Report[]): boolean {
  if (comparison === null) return lock ? !isSteady(reports) : hasGotWorse(reports);
  const { change, profile } = comparison;
  return change === 'worse' || (lock && (change === 'different' || profile.length > 0));
}

/**
 * Compares the first report with the latest of the others. Null if there are three or more reports and no --baseline: then
 * the command shows how each verdict changed over time.
 */
function makeComparison([before, ...later]: readonly [Report, ...Report[]]): Comparison | null {
  if (baseline === undefined && later.length > 1) return null;
  const after = sortByTime(later).at(-1);
  return after === undefined ? null : compare(before, after, sortByTime([before, ...later]));
}

/** Reads the report at a path, a file or a folder. If it cannot be read, prints the reason and returns undefined. */
function read(path: string): Report | undefined {
  const read = readReportFile(isFolder(path) ? join(path, 'report.json') : path);
  if ('report' in read) return read.report;
  printError(`${escapeTerminal(path)} ${escapeTerminal(read.why)}\n`);
  return undefined;
}
