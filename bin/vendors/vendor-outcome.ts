/**
 * Writes and reads `target.json`, the outcome of one vendor of `targets run`, in its folder. The command `matrix` reads it if
 * there is no report.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../reports/document/report-document.ts';
import { readFile } from '../certificate/certificate-files.ts';
import { hasOlderReports } from '../command-line/output/report-folder.ts';
import { replaceFile } from '../command-line/files/own-file.ts';
import { readReportFile } from '../command-line/files/report-file.ts';

/** The outcome of one vendor. `exitCode`: of its run; null if the run was ended by its time limit. */
export interface VendorOutcome {
  target: string;
  exitCode: number | null;
  seconds: number;
  /** The start of the run, ISO 8601. A report in the folder that began earlier is of an earlier run. */
  begun: string;
  /** The reason, in one sentence without its full stop. */
  reason: string;
}

const FILE = 'target.json';
const EXIT_CODES = [0, 1, 2, 3];
const NO_REPORT = 'there is no report.json';
/** The most characters of a reason. */
const LONGEST_REASON = 300;

export function writeOutcome(folder: string, outcome: VendorOutcome): void {
  replaceFile(join(folder, FILE), `${JSON.stringify({ outcome })}\n`);
}

/** Returns the outcome that is in the folder. Null if the file is missing or of another form. */
export function readOutcome(folder: string): VendorOutcome | null {
  try {
    const text = readFile(join(folder, FILE)).toString('utf8');
    const { outcome } = JSON.parse(text) as { outcome: VendorOutcome };
    const { exitCode, seconds } = outcome;
    const isOutcome =
      [outcome.target, outcome.begun, outcome.reason].every((each) => typeof each === 'string') &&
      (exitCode === null || EXIT_CODES.includes(exitCode)) &&
      typeof seconds === 'number';
    return isOutcome ? outcome : null;
  } catch {
    return null;
  }
}

/**
 * Returns the report of a folder, or says why there is none.
 * @param since ISO 8601; a report of a run that began earlier does not count. Empty: every report counts
 */
export function readReportSince(folder: string, since = ''): Report | string {
  if (hasOlderReports(folder))
    return 'report.json is of an earlier run: the last one did not come to its end';
  const path = join(folder, 'report.json');
  if (!existsSync(path)) return NO_REPORT;
  const read = readReportFile(path);
  if ('why' in read) return `report.json ${read.why}`;
  return read.report.run.startedAt >= since ? read.report : NO_REPORT;
}

/** Returns the report of the last run of a vendor, or says why there is none. */
export function readLastReport(folder: string): Report | string {
  const outcome = readOutcome(folder);
  const report = readReportSince(folder, outcome?.begun);
  return report === NO_REPORT ? (outcome?.reason ?? report) : report;
}

/**
 * Says why a run ended. The report gives the reason. Without a report, the first sentence on standard error does; without that sentence,
 * `report` says why the run left none.
 */
export function explainEnd(report: Report | string, complaint: string): string {
  if (typeof report !== 'string') return report.reason;
  const [line = ''] = complaint.trim().split('\n');
  const [sentence = ''] = line.split(/(?<=\.) (?=[A-Z])/);
  const reason = sentence.replace(/\.$/, '').replace(/^The /, 'the ').slice(0, LONGEST_REASON);
  return reason === '' ? report : reason;
}
