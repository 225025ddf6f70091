/** Reads what earlier runs on the same target left in REPORT_DIR: their verdicts, and the animals that they added. */
import { join } from 'node:path';
import type { LeftBefore } from '../../../fixtures/judgement/store/harm.ts';
import { readFootprint } from '../../../reports/document/report-schema.ts';
import type { EarlierRun, Report } from '../../../reports/document/report-document.ts';
import { LARGEST, readForeign } from '../files/foreign-file.ts';
import { ignoreErrors } from '../files/own-file.ts';
import { readReportFile } from '../files/report-file.ts';
import { PARTIAL } from './artifacts.ts';

/** A report shows ten runs: its own run and at most nine earlier runs. */
const MOST_EARLIER = 9;

/**
 * Returns the runs before this one, the latest last. It returns none if the folder has no report, or one of another target.
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
  // An incomplete run names no broken requirements, because it may have missed some.
  return [...earlier, { startedAt, verdict, ...(complete && { broken: failed }) }].slice(-MOST_EARLIER);
}

/**
 * Returns the animals in two files `footprint.json`: of the last run of the whole suite, and of the last partial run. A file about
 * another target, or an unreadable file, does not count. A run that begins reads them, to tell these animals from animals of others.
 */
export function readLeftBefore(reportDir: string, target: string): LeftBefore[] {
  return [reportDir, join(reportDir, PARTIAL)].flatMap((folder) => {
    const footprint = readFootprintIn(folder);
    if (footprint?.target !== target || footprint.embedded === true) return [];
    const { animals, adoptedBefore = [] } = footprint;
    return [
      ...animals.map(({ id, name, adopted }) => ({ id, name, isAdopted: adopted === true })),
      // An adopted identifier: a client sent it, and the service gave it to an animal. The file has no name for it.
      ...adoptedBefore.map((id) => ({ id, name: '', isAdopted: true })),
    ];
  });
}

function readFootprintIn(folder: string) {
  const path = join(folder, 'footprint.json');
  const read = ignoreErrors(() => readFootprint(readForeign(path, LARGEST.signed)));
  return read !== null && 'value' in read ? read.value : null;
}
