import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** File beside reports that are older than the last run, which says so. */
export const OLDER = 'older-reports.txt';

/** Whether the reports of a folder are older than the last run, which did not come to its end. */
export function areOlder(folder: string): boolean {
  return existsSync(join(folder, OLDER));
}
