import { join } from 'node:path';
import type { Report } from '../document/report.ts';

/** The end of a run for programs: one line of JSON. `folder`: where its reports are; null if there are none. */
export function machineLine(
  { verdict, exitCode, reason, counts, run }: Report,
  folder: string | null,
): string {
  return `${JSON.stringify({ verdict, exitCode, reason, run: run.id, counts, report: folder === null ? null : join(folder, 'report.json') })}\n`;
}
