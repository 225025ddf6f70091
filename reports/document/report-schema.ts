/** Reads and checks `report.json`, and `footprint.json`, the animals that a run has left. */
import footprintSchema from '../../schemas/suite/footprint.schema.json' with { type: 'json' };
import schema from '../../schemas/suite/report.schema.json' with { type: 'json' };
import { makeSchemaCheck, readChecked, type Checked } from './checked-json.ts';
import type { Report } from './report-document.ts';

/** Returns the first mistake of a report against schemas/suite/report.schema.json, in one line; empty if it is valid. */
export const checkReport: (report: unknown) => string[] = makeSchemaCheck(schema, 'first');

export function readReport(bytes: Uint8Array): Checked<Report> {
  return readChecked<Report>(bytes, checkReport);
}

/** The members of `footprint.json` that a later run reads. */
interface Footprint {
  /** The base address. */
  target: string;
  /** True if the target was the embedded reference. */
  embedded?: boolean;
  /** Identifiers that earlier runs sent, and that the target gave to animals. */
  adoptedBefore?: string[];
  animals: Report['footprint'];
}

const checkFootprint = makeSchemaCheck(footprintSchema, 'first');

export function readFootprint(bytes: Uint8Array): Checked<Footprint> {
  return readChecked<Footprint>(bytes, checkFootprint);
}
