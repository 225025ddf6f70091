import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Settings } from '../../../fixtures/settings/settings.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { filterByVerdict } from '../../../reports/shown/words/verdict-words.ts';
import { PARTIAL } from '../../command-line/output/artifacts.ts';
import { readReportFile } from '../../command-line/files/report-file.ts';

/** `ids`: the requirements that failed in the last run; in strict mode also those that warned. `exitCode`: of the last run. */
type Failed = { ids: string[]; notes: string[]; exitCode: Report['exitCode'] };

/**
 * Reads for `--failed` the report of the last whole run; if there is none, the report of the last partial run.
 * @returns `mistakes` if the folder has no usable report
 */
export function readLastFailed(settings: Settings): Failed | { mistakes: string[] } {
  const { reportDir, baseUrl, embedded, strict } = settings;
  const path = [reportDir, join(reportDir, PARTIAL)]
    .map((folder) => join(folder, 'report.json'))
    .find((file) => existsSync(file));
  const place = relative(process.cwd(), path ?? reportDir) || '.';
  if (path === undefined) {
    const mistake = `--failed asks again what a report says failed, and there is none in ${place}; a run without it makes one.`;
    return { mistakes: [mistake] };
  }
  const read = readReportFile(path);
  if ('why' in read)
    return { mistakes: [`${place} is not a report of this suite, so --failed does not know what failed.`] };
  const { target, exitCode } = read.report;
  const isOther = target.embedded !== embedded || (!embedded && target.baseUrl !== baseUrl);
  const ids = [
    ...filterByVerdict(read.report, 'fail'),
    ...(strict ? filterByVerdict(read.report, 'warn') : []),
  ].map(({ id }) => id);
  return { ids, notes: isOther ? [`Note: ${place} is of another target.`] : [], exitCode };
}
