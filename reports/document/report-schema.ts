/** Reads and checks the document `report.json`. */
import schema from '../../schemas/suite/report.schema.json' with { type: 'json' };
import { makeSchemaCheck, readChecked, type Checked } from './checked-json.ts';
import type { Report } from './report-document.ts';

/** Returns the first mistake of a report against schemas/suite/report.schema.json, in one line; empty if it is valid. */
export const reportMistakes: (report: unknown) => string[] = makeSchemaCheck(schema, 'first');

/** Reads the bytes of a report.json. Returns the report, or its mistakes. */
export function readReport(bytes: Uint8Array): Checked<Report> {
  return readChecked<Report>(bytes, reportMistakes);
}
