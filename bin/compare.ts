#!/usr/bin/env node
/**
 * `npm run compare -- before/report.json after/report.json`: shows the changes between two runs.
 * Exit codes: 0 equal, better or merely different, 1 worse (with --lock: or different), 2 bad input.
 */
import { join } from 'node:path';
import { compare, renderComparison, type Comparison } from '../reports/shown/comparison/comparison.ts';
import type { Report } from '../reports/document/report-document.ts';
import { escapeTerminal } from '../reports/shown/words/escape.ts';
import { endWithCode, Mistake, writeOrRefuse } from './certificate/certificate-files.ts';
import { compareCommand as program } from './command-descriptions.ts';
import { isFolder } from './command-line/files/foreign-file.ts';
import { replaceFile } from './command-line/files/own-file.ts';
import { printText, printJson } from './command-line/output/print.ts';
import { readReportFile } from './command-line/files/report-file.ts';

interface Options {
  markdown?: string;
  json?: boolean;
  baseline?: string;
  lock?: boolean;
}

program.parse();
const { markdown, json = false, baseline, lock = false } = program.opts<Options>();

await endWithCode(() => {
  const [before, after, ...more] = [baseline ?? [], program.args].flat().map(readReportAt);
  if (before === undefined || after === undefined)
    throw new Mistake('There is only one report. Name two, or one and --baseline FILE.');
  if (more.length > 0)
    throw new Mistake('compare takes two reports; matrix shows more of them side by side.');
  const comparison = compare(before, after);
  if (json) printJson(`${JSON.stringify(comparison)}\n`);
  else printText(renderComparison(comparison, 'text'));
  if (markdown !== undefined)
    writeOrRefuse(markdown, () => replaceFile(markdown, renderComparison(comparison, 'markdown')));
  return isBad(comparison) ? 1 : 0;
});

/** True if the exit code must be 1: something got worse, or with --lock, a verdict or the behaviour profile differs. */
function isBad({ change, profile }: Comparison): boolean {
  return change === 'worse' || (lock && (change === 'different' || profile.length > 0));
}

/** Reads the report at a path, a file or a folder. @throws Mistake */
function readReportAt(path: string): Report {
  const read = readReportFile(isFolder(path) ? join(path, 'report.json') : path);
  if ('report' in read) return read.report;
  throw new Mistake(escapeTerminal(`${path} ${read.why}`));
}
