/** Reads a report.json that a user names. `why`: the reason why it cannot be used, as the end of a sentence, e.g. "does not exist". */
import type { Report } from '../../../reports/document/report-document.ts';
import { readReport } from '../../../reports/document/report-schema.ts';
import { LARGEST, readForeign, Unreadable } from './foreign-file.ts';

export function readReportFile(path: string): { report: Report } | { why: string } {
  try {
    const read = readReport(readForeign(path, LARGEST.report));
    return 'mistakes' in read
      ? { why: `is not a report of this suite: ${read.mistakes[0]}` }
      : { report: read.value };
  } catch (error) {
    if (error instanceof Unreadable) return { why: error.message };
    throw error;
  }
}
