/** Writes the line of JSON with which a run ends for programs. */
import { join } from 'node:path';
import type { Report } from '../../document/report-document.ts';

/**
 * Returns the result of a run for programs, as one line of JSON.
 * @param folder the folder of the reports; null if there are none
 */
export function renderMachineLine(
  { verdict, exitCode, reason, counts, run }: Report,
  folder: string | null,
): string {
  return `${JSON.stringify({ verdict, exitCode, reason, run: run.id, counts, report: folder === null ? null : join(folder, 'report.json') })}\n`;
}
