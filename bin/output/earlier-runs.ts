/**
 * The verdicts of earlier runs on the same target: of the history that Allure keeps, else of the report that this run replaces.
 * Files of an earlier run may have become anything: whatever is not as we write it is no history, and nothing to stop for.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LABELS, REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import { WORD } from '../../reports/allure/leaf.ts';
import type { EarlierRun, Report } from '../../reports/document/report.ts';
import { LARGEST, readForeign, Unreadable } from '../files/foreign-file.ts';

/** Verdicts that a report keeps; with its own they are ten. */
const MOST = 9;

/** The runs before this one, the latest last. @param folder where the report of the last run is */
export function earlierRuns(
  folder: string,
  historyFile: string | null,
  { baseUrl, embedded }: Pick<Report['target'], 'baseUrl' | 'embedded'>,
): EarlierRun[] {
  // the embedded reference is nobody's service
  if (embedded) return [];
  const runs =
    historyFile !== null && existsSync(historyFile)
      ? inHistory(historyFile, baseUrl)
      : inReport(join(folder, 'report.json'), baseUrl);
  return withLast(runs.flatMap(earlierRun), inReport(join(folder, 'report.json'), baseUrl)).slice(-MOST);
}

/** Allure's history keeps verdicts alone: of the last run, the report knows more. */
function withLast(runs: readonly EarlierRun[], reported: readonly unknown[]): EarlierRun[] {
  const [known] = reported.slice(-1).flatMap(earlierRun);
  const last = runs.at(-1);
  if (known === undefined || last === undefined || last.verdict !== known.verdict) return [...runs];
  const isSame = Date.parse(known.startedAt) <= Date.parse(last.startedAt);
  return isSame ? [...runs.slice(0, -1), { ...known, startedAt: last.startedAt }] : [...runs];
}

type Members = Readonly<Record<string, unknown>>;

/** The members of an object, or none. */
function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function textIn(path: string): string {
  try {
    return readForeign(path, LARGEST.report).toString('utf8');
  } catch (error) {
    if (error instanceof Unreadable) return '';
    throw error;
  }
}

function parsed(text: string): Members {
  try {
    return membersOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function inReport(path: string, baseUrl: string): unknown[] {
  const { target, run, verdict, requirements, timings } = parsed(textIn(path));
  if (membersOf(target).baseUrl !== baseUrl) return [];
  const { startedAt, earlier, complete, requests } = membersOf(run);
  const failed = itemsOf(requirements)
    .map(membersOf)
    .filter((each) => each.verdict === 'fail');
  const broken = complete === true ? failed.map(({ id }) => id) : undefined;
  const slow = Object.values(membersOf(timings)).map((each) => Number(membersOf(each).p95));
  return [...itemsOf(earlier), { startedAt, verdict, broken, requests, p95: Math.max(...slow) }];
}

/** Each line of the history has the results of one run by their ids; its name ends in the address. */
function inHistory(path: string, baseUrl: string): unknown[] {
  return textIn(path)
    .split('\n')
    .map(parsed)
    .filter(({ name }) => typeof name === 'string' && name.endsWith(`: ${baseUrl}`))
    .map(({ timestamp, testResults }) => ({
      startedAt: momentOf(timestamp),
      verdict: verdictOf(Object.values(membersOf(testResults))),
    }));
}

function momentOf(timestamp: unknown): string | null {
  const moment = new Date(typeof timestamp === 'number' ? timestamp : NaN);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

/** The verdict that follows from those of the musts; null: there are none. */
function verdictOf(results: readonly unknown[]): Report['verdict'] | null {
  const words = results.flatMap((result) => {
    const labels = itemsOf(membersOf(result).labels).map(membersOf);
    const valuesOf = (wanted: string) =>
      labels.filter(({ name }) => name === wanted).map(({ value }) => value);
    return valuesOf(LABELS.verifies).length > 0 && valuesOf('tag').includes('must') ? valuesOf(WORD) : [];
  });
  if (words.length === 0) return null;
  if (words.includes('fail')) return 'nonconforming';
  return words.some((word) => word === 'inconclusive' || word === 'suite-error')
    ? 'inconclusive'
    : 'conforming';
}

/** A run as a report keeps it, or nothing. */
function earlierRun(run: unknown): EarlierRun[] {
  const { startedAt, verdict } = membersOf(run);
  if (typeof startedAt !== 'string' || Number.isNaN(Date.parse(startedAt))) return [];
  const known = VERDICTS.find((each) => each === verdict);
  return known === undefined ? [] : [{ startedAt, verdict: known, ...figuresOf(membersOf(run)) }];
}

/** What else is known of a run, if it is as we write it. */
function figuresOf({ broken, requests, p95 }: Members): Omit<EarlierRun, 'startedAt' | 'verdict'> {
  const ids = itemsOf(broken).filter((id): id is string => typeof id === 'string' && id in REQUIREMENTS);
  return {
    ...(Array.isArray(broken) && { broken: ids }),
    ...(isFigure(requests) && { requests }),
    ...(isFigure(p95) && { p95 }),
  };
}

function isFigure(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

const VERDICTS: readonly Report['verdict'][] = ['conforming', 'nonconforming', 'inconclusive'];
