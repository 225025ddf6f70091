/**
 * The verdicts of earlier runs on the same target: of the history that Allure keeps, else of the report that this run replaces.
 * Files of an earlier run may have become anything: whatever is not as we write it is no history, and nothing to stop for.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LABELS } from '../../fixtures/interface/requirements.ts';
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
  return runs.flatMap(earlierRun).slice(-MOST);
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
  const { target, run, verdict } = parsed(textIn(path));
  if (membersOf(target).baseUrl !== baseUrl) return [];
  const { startedAt, earlier } = membersOf(run);
  return [...itemsOf(earlier), { startedAt, verdict }];
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
  return known === undefined ? [] : [{ startedAt, verdict: known }];
}

const VERDICTS: readonly Report['verdict'][] = ['conforming', 'nonconforming', 'inconclusive'];
