/**
 * Finds the verdicts of earlier runs on the same target in the report that this run replaces. Users may change this file, so
 * parts of another form are ignored and never stop a run.
 */
import { join } from 'node:path';
import { REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';
import type { EarlierRun, Report } from '../../../reports/document/report-document.ts';
import { LARGEST, readForeign, Unreadable } from '../files/foreign-file.ts';

/** A report shows ten runs: its own run and at most nine earlier runs. */
const MOST_EARLIER = 9;

/**
 * Returns the runs before this one, the latest last.
 * @param folder the folder with the report of the last run
 */
export function readEarlierRuns(
  folder: string,
  { baseUrl, embedded }: Pick<Report['target'], 'baseUrl' | 'embedded'>,
): EarlierRun[] {
  // Runs on the embedded reference are not runs on a service.
  if (embedded) return [];
  return readRunsInReport(join(folder, 'report.json'), baseUrl).flatMap(makeEarlierRun).slice(-MOST_EARLIER);
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the members of an object; no members for any other value. */
function readObject(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

function readItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function readTextFile(path: string): string {
  try {
    return readForeign(path, LARGEST.report).toString('utf8');
  } catch (error) {
    if (error instanceof Unreadable) return '';
    throw error;
  }
}

function parseJson(text: string): Members {
  try {
    return readObject(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Returns the runs that a report names: earlier runs, and its own run last. Empty if it is of another target. */
function readRunsInReport(path: string, baseUrl: string): unknown[] {
  const { target, run, verdict, requirements } = parseJson(readTextFile(path));
  if (readObject(target).baseUrl !== baseUrl) return [];
  const { startedAt, earlier, complete } = readObject(run);
  const failed = readItems(requirements)
    .map(readObject)
    .filter((each) => each.verdict === 'fail');
  // In an incomplete run, more requirements may have failed.
  const broken = complete === true ? failed.map(({ id }) => id) : undefined;
  return [...readItems(earlier), { startedAt, verdict, broken }];
}

/** Returns the run in the form that a report keeps; empty if the verdict or the time is not valid. */
function makeEarlierRun(run: unknown): EarlierRun[] {
  const { startedAt, verdict } = readObject(run);
  if (typeof startedAt !== 'string' || Number.isNaN(Date.parse(startedAt))) return [];
  const known = VERDICTS.find((each) => each === verdict);
  return known === undefined ? [] : [{ startedAt, verdict: known, ...readBroken(readObject(run)) }];
}

/** Returns the failed promises of a run, without members of a wrong form. */
function readBroken({ broken }: Members): Pick<EarlierRun, 'broken'> {
  const ids = readItems(broken).filter((id): id is string => typeof id === 'string' && id in REQUIREMENTS);
  return Array.isArray(broken) ? { broken: ids } : {};
}

const VERDICTS: readonly Report['verdict'][] = [
  'conforming',
  'nonconforming',
  'inconclusive',
  'no-failure-found',
];
