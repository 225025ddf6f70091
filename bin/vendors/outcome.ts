/** How one vendor ended, and the file in its folder that says so: for `--resume`, and for the matrix if there is no report. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../reports/document/report.ts';
import { readFile } from '../certificate/command.ts';
import { areOlder } from '../output/older-reports.ts';
import { replaceFile } from '../files/own-file.ts';
import { reportIn } from '../files/report-file.ts';

/** How a vendor ended. `exitCode` null: it was cut off by its time limit. */
export interface Outcome {
  target: string;
  exitCode: number | null;
  seconds: number;
  /** When it began, ISO 8601: a report from before is of an earlier start. */
  begun: string;
  /** Why, in one sentence without its full stop. */
  reason: string;
}

const FILE = 'target.json';
const EXIT_CODES = [0, 1, 2, 3];
const NONE = 'there is no report.json';
/** Characters of a reason. */
const LONGEST = 300;

/** Leaves the outcome in the folder of the vendor. */
export function writeOutcome(folder: string, outcome: Outcome, baseUrl: string): void {
  replaceFile(join(folder, FILE), `${JSON.stringify({ outcome, baseUrl })}\n`);
}

/** What an earlier start left in the folder of a vendor, or null; a file that says something else is none. */
export function readOutcome(folder: string): { outcome: Outcome; baseUrl: string } | null {
  try {
    const { outcome, baseUrl = '' } = JSON.parse(readFile(join(folder, FILE)).toString('utf8')) as {
      outcome: Outcome;
      baseUrl?: unknown;
    };
    const { exitCode, seconds } = outcome;
    const isOutcome =
      [outcome.target, outcome.begun, outcome.reason, baseUrl].every((each) => typeof each === 'string') &&
      (exitCode === null || EXIT_CODES.includes(exitCode)) &&
      typeof seconds === 'number';
    return isOutcome ? { outcome, baseUrl: String(baseUrl) } : null;
  } catch {
    return null;
  }
}

/** The report of a folder, or in words why there is none. `since`: one of an earlier start is none. */
export function readReport(folder: string, since = ''): Report | string {
  if (areOlder(folder)) return 'report.json is of an earlier run: the last one did not come to its end';
  const path = join(folder, 'report.json');
  if (!existsSync(path)) return NONE;
  const read = reportIn(path);
  if ('why' in read) return `report.json ${read.why}`;
  return read.report.run.startedAt >= since ? read.report : NONE;
}

/** The report that the last start of a vendor left in its folder, or in words why there is none. */
export function lastReport(folder: string): Report | string {
  const outcome = readOutcome(folder)?.outcome;
  const report = readReport(folder, outcome?.begun);
  return report === NONE ? (outcome?.reason ?? report) : report;
}

/** Why a run of the command ended as it did, from what it left: its report, or the first sentence of its complaint. */
export function reasonOf(report: Report | string, complaint: string): string {
  if (typeof report !== 'string') return report.reason;
  const [line = ''] = complaint.trim().split('\n');
  const [sentence = ''] = line.split(/(?<=\.) (?=[A-Z])/);
  const reason = sentence.replace(/\.$/, '').replace(/^The /, 'the ').slice(0, LONGEST);
  return reason === '' ? report : reason;
}
