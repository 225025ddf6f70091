import schema from '../../schemas/suite/report.schema.json' with { type: 'json' };
import { checkAgainst } from './checked-json.ts';

/** What is wrong with a report (schemas/suite/report.schema.json), one line per mistake; empty for a valid one. */
export const reportMistakes: (report: unknown) => string[] = checkAgainst(schema);
