/** Finds the verdicts of earlier runs on the same target in the report that this run replaces. */
import { join } from 'node:path';
import type { EarlierRun, Report } from '../../../reports/document/report-document.ts';
import { readReportFile } from '../files/report-file.ts';

/** A report shows ten runs: its own run and at most nine earlier runs. */
const MOST_EARLIER = 9;

/**
 * Returns the runs before this one, the latest last. If a file is not a report, it returns no runs, and the run goes on.
 * @param folder the folder with the report of the last run
 */
export function readEarlierRuns(
  folder: string,
  { baseUrl, embedded }: Pick<Report['target'], 'baseUrl' | 'embedded'>,
): EarlierRun[] {
  // Runs on the embedded reference are not runs on a service.
  const read = embedded ? null : readReportFile(join(folder, 'report.json'));
  if (read === null || 'why' in read || read.report.target.baseUrl !== baseUrl) return [];
  const { run, verdict, requirements } = read.report;
  const { startedAt, earlier = [], complete } = run;
  const failed = requirements.filter((each) => each.verdict === 'fail').map(({ id }) => id);
  // In an incomplete run, more requirements may have failed.
  return [...earlier, { startedAt, verdict, ...(complete && { broken: failed }) }].slice(-MOST_EARLIER);
}
