import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The file beside reports that says that they are older than the last run. */
export const OLDER = 'older-reports.txt';

/** True if the reports in the folder are older than the last run, which did not finish. */
export function hasOlderReports(folder: string): boolean {
  return existsSync(join(folder, OLDER));
}
