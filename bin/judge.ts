#!/usr/bin/env node
/**
 * `npm run judge -- reports/out`: judges the evidence of a run again with this version, offline.
 * It exits as a run does; after several runs with the worst of their codes. It exits with 2 if a file is not evidence.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { recompute } from '../fixtures/evidence/recompute.ts';
import { makeCertifiedReport } from '../reports/certificate/certified-report.ts';
import { refuseIfDamaged, readEvidence } from '../reports/certificate/recheck-evidence.ts';
import { compare, renderComparison } from '../reports/shown/comparison/comparison.ts';
import type { Report } from '../reports/document/report-document.ts';
import { renderTerminal } from '../reports/shown/text/run-text.ts';
import { escapeTerminal } from '../reports/shown/words/escape.ts';
import { endWithCode, Mistake, readFile } from './certificate/certificate-files.ts';
import { listCases } from './certificate/plan-recheck.ts';
import { judgeCommand as program } from './command-descriptions.ts';
import { isFolder, LARGEST } from './command-line/files/foreign-file.ts';
import { readReportFile } from './command-line/files/report-file.ts';
import { printText, printJson } from './command-line/output/print.ts';
import { collectSuite } from './run/selection/collect-suite.ts';
import { selectIds } from './run/selection/selection.ts';

program.parse();
const { json = false } = program.opts<{ json?: boolean }>();
/** The command judges several runs and ends with the worst of their exit codes. The worst code comes first here. */
const WORST_FIRST = [1, 3, 0] as const;

await endWithCode(async () => {
  const judged: Judged[] = [];
  for (const path of program.args) judged.push(await judgeAgain(path));
  for (const each of judged) printJudged(each);
  return WORST_FIRST.find((code) => judged.some(({ now }) => now.exitCode === code)) ?? 3;
});

/** A run. `now`: its report as this version of the suite makes it. `before`: the report beside the evidence, or null. */
interface Judged {
  path: string;
  now: Report;
  before: Report | null;
}

/**
 * Judges the evidence in a file or folder again.
 * @throws Mistake
 */
async function judgeAgain(given: string): Promise<Judged> {
  const path = isFolder(given) ? join(given, 'evidence.jsonl') : given;
  const evidence = readFile(path, LARGEST.evidence);
  const records = refuseIfDamaged(path, () => readEvidence(evidence));
  const before = readReportBeside(path);
  const tests = await collectSuite();
  const ids = selectIds({ only: before?.run.only ?? [], replay: null });
  const now = refuseIfDamaged(path, () =>
    makeCertifiedReport(records, recompute(records), listCases(tests), ids),
  );
  return { path, now, before };
}

/**
 * Returns the report beside the evidence; null if there is none.
 * @throws Mistake if the report cannot be read: the command could not compare with it
 */
function readReportBeside(path: string): Report | null {
  const beside = join(dirname(path), 'report.json');
  if (!existsSync(beside)) return null;
  const read = readReportFile(beside);
  if ('why' in read) throw new Mistake(`${beside} ${escapeTerminal(read.why)}`);
  return read.report;
}

function printJudged({ path, now, before }: Judged): void {
  const comparison = before === null ? null : compare(before, now);
  if (json) {
    const { verdict, exitCode, reason } = now;
    printJson(`${JSON.stringify({ evidence: path, verdict, exitCode, reason, comparison })}\n`);
    return;
  }
  printText(renderTerminal(now, { colour: false, width: process.stdout.columns || 100 }));
  if (comparison === null) return;
  const isAsBefore = comparison.verdicts.length === 0;
  printText(
    isAsBefore
      ? 'Every verdict is as in the report next to the evidence.\n'
      : `The report next to the evidence has other verdicts.\n${renderComparison(comparison, 'text')}`,
  );
}
