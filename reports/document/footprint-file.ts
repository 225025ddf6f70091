/** Reads `footprint.json`, the animals that a run has left. */
import schema from '../../schemas/suite/footprint.schema.json' with { type: 'json' };
import { makeSchemaCheck, readChecked, type Checked } from './checked-json.ts';
import type { Report } from './report-document.ts';

/** The content of the file, as a run writes it. */
interface Footprint {
  run: string;
  target: string;
  embedded?: boolean;
  at?: string;
  adoptedBefore?: string[];
  animals: Report['footprint'];
}

const check = makeSchemaCheck(schema, 'first');

/** Returns the footprint, or the mistakes in its bytes. */
export function readFootprint(bytes: Uint8Array): Checked<Footprint> {
  return readChecked<Footprint>(bytes, check);
}
