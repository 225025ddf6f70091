/** The verdicts of earlier runs on the same target: of the history that Allure keeps, else of the report that this run replaces. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LABELS } from '../../fixtures/interface/requirements.ts';
import { WORD } from '../../reports/allure/leaf.ts';
import type { EarlierRun, Report } from '../../reports/document/report.ts';

/** Verdicts that a report keeps; with its own they are ten. */
const MOST = 9;

/** The runs before this one, the latest last. @param folder where the report of the last run is */
export function earlierRuns(
  folder: string,
  historyFile: string | null,
  { target, run }: Pick<Report, 'target' | 'run'>,
): EarlierRun[] {
  // the embedded reference is nobody's service
  if (target.embedded || run.only.length > 0) return [];
  const runs =
    historyFile !== null && existsSync(historyFile)
      ? inHistory(historyFile, target.baseUrl)
      : inReport(join(folder, 'report.json'), target.baseUrl);
  return runs.filter(isEarlierRun).slice(-MOST);
}

/** What has become of a file of ours is nothing to stop for. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function inReport(path: string, baseUrl: string): unknown[] {
  const last = existsSync(path) ? (parsed(readFileSync(path, 'utf8')) as Partial<Report> | null) : null;
  if (last?.target?.baseUrl !== baseUrl || last.run === undefined) return [];
  const { startedAt, earlier = [] } = last.run;
  return [...earlier, { startedAt, verdict: last.verdict }];
}

interface Result {
  labels?: { name: string; value?: string }[];
}

/** A line of the history has the results of one run by their ids; its name ends in the address. */
interface Line {
  name: string;
  timestamp: number;
  testResults: Record<string, Result>;
}

function inHistory(path: string, baseUrl: string): unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => parsed(line) as Partial<Line> | null)
    .filter(
      (line): line is Line => line?.name?.endsWith(`: ${baseUrl}`) === true && line.testResults !== undefined,
    )
    .map(({ timestamp, testResults }) => ({
      startedAt: new Date(timestamp).toISOString(),
      verdict: verdictOf(Object.values(testResults)),
    }));
}

/** The verdict that follows from those of the musts. */
function verdictOf(results: readonly Result[]): Report['verdict'] {
  const words = results.flatMap(({ labels = [] }) => {
    const valuesOf = (wanted: string) =>
      labels.filter(({ name }) => name === wanted).map(({ value }) => value);
    return valuesOf(LABELS.verifies).length > 0 && valuesOf('tag').includes('must') ? valuesOf(WORD) : [];
  });
  if (words.includes('fail')) return 'nonconforming';
  return words.some((word) => word === 'inconclusive' || word === 'suite-error')
    ? 'inconclusive'
    : 'conforming';
}

function isEarlierRun(run: unknown): run is EarlierRun {
  const { startedAt, verdict } = run as Partial<EarlierRun>;
  return (
    typeof startedAt === 'string' &&
    !Number.isNaN(Date.parse(startedAt)) &&
    ['conforming', 'nonconforming', 'inconclusive'].includes(verdict ?? '')
  );
}
