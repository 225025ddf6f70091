import schema from '../../schemas/suite/report.schema.json' with { type: 'json' };
import { checkAgainst, readChecked, type Checked } from './checked-json.ts';
import type { Report } from './report.ts';

/** What is wrong with a report (schemas/suite/report.schema.json), in one line; empty for a valid one. */
export const reportMistakes: (report: unknown) => string[] = checkAgainst(schema, 'first');

/** Reads the bytes of a report.json; either it or what is wrong with them. */
export function readReport(bytes: Uint8Array): Checked<Report> {
  return readChecked<Report>(bytes, reportMistakes);
}
