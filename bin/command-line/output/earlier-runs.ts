/**
 * Finds the verdicts of earlier runs on the same target, for the report. They are in Allure's history, or else in the report
 * that this run replaces. Users may change these files, so parts of another form are ignored and never stop a run.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LABELS, REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';
import { VERDICT_LABEL } from '../../../reports/shown/allure/leaf.ts';
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
  historyFile: string | null,
  { baseUrl, embedded }: Pick<Report['target'], 'baseUrl' | 'embedded'>,
): EarlierRun[] {
  // Runs on the embedded reference are not runs on a service.
  if (embedded) return [];
  const runs =
    historyFile !== null && existsSync(historyFile)
      ? readRunsInHistory(historyFile, baseUrl)
      : readRunInReport(join(folder, 'report.json'), baseUrl);
  return addFactsToLast(
    runs.flatMap(makeEarlierRun),
    readRunInReport(join(folder, 'report.json'), baseUrl),
  ).slice(-MOST_EARLIER);
}

/**
 * Adds facts to the last run. Allure's history has verdicts only; the report of the same run has failed requirements too.
 * @param reported the runs that the report names, its own run last
 */
function addFactsToLast(runs: readonly EarlierRun[], reported: readonly unknown[]): EarlierRun[] {
  const [known] = reported.slice(-1).flatMap(makeEarlierRun);
  const last = runs.at(-1);
  if (known === undefined || last === undefined || last.verdict !== known.verdict) return [...runs];
  // Allure's history has the time of the end, so the start in the report is earlier.
  const isSame = Date.parse(known.startedAt) <= Date.parse(last.startedAt);
  return isSame ? [...runs.slice(0, -1), { ...known, startedAt: last.startedAt }] : [...runs];
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
function readRunInReport(path: string, baseUrl: string): unknown[] {
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

/** Reads Allure's history. Each line is one run: its results, and a name that ends with the address of the target. */
function readRunsInHistory(path: string, baseUrl: string): unknown[] {
  return readTextFile(path)
    .split('\n')
    .map(parseJson)
    .filter(({ name }) => typeof name === 'string' && name.endsWith(`: ${baseUrl}`))
    .map(({ timestamp, testResults }) => ({
      startedAt: readMoment(timestamp),
      verdict: readVerdict(Object.values(readObject(testResults))),
    }));
}

function readMoment(timestamp: unknown): string | null {
  const moment = new Date(typeof timestamp === 'number' ? timestamp : NaN);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

/** Computes the verdict of a run from its results about requirements of level `must`; null if there are none. */
function readVerdict(results: readonly unknown[]): Report['verdict'] | null {
  const words = results.flatMap((result) => {
    const labels = readItems(readObject(result).labels).map(readObject);
    const valuesOf = (wanted: string) =>
      labels.filter(({ name }) => name === wanted).map(({ value }) => value);
    return valuesOf(LABELS.verifies).length > 0 && valuesOf('tag').includes('must')
      ? valuesOf(VERDICT_LABEL)
      : [];
  });
  if (words.length === 0) return null;
  if (words.includes('fail')) return 'nonconforming';
  return words.some((word) => word === 'inconclusive' || word === 'suite-error')
    ? 'inconclusive'
    : 'conforming';
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

const VERDICTS: readonly Report['verdict'][] = ['conforming', 'nonconforming', 'inconclusive'];
