/** Finds the animals that earlier runs into the same folder left in the store. */
import { join } from 'node:path';
import type { LeftBefore } from '../../fixtures/store/harm.ts';
import { readFootprint } from '../../reports/text/footprint-recheck.ts';
import { LARGEST, readForeign } from '../files/foreign-file.ts';
import { PARTIAL } from '../output/artifacts.ts';

/**
 * Returns the animals that the last whole run and the last partial run left at this target. A footprint that
 * cannot be read is ignored.
 */
export function readLeftBefore(reportDir: string, target: string): LeftBefore[] {
  return [reportDir, join(reportDir, PARTIAL)].flatMap((folder) => {
    const footprint = footprintIn(folder);
    if (footprint?.target !== target || footprint.embedded === true) return [];
    const { animals, adoptedBefore = [] } = footprint;
    return [
      ...animals.map(({ id, name, adopted }) => ({ id, name, isAdopted: adopted === true })),
      ...adoptedBefore.map((id) => ({ id, name: '', isAdopted: true })),
    ];
  });
}

function footprintIn(folder: string) {
  try {
    const read = readFootprint(readForeign(join(folder, 'footprint.json'), LARGEST.signed));
    return 'footprint' in read ? read.footprint : null;
  } catch {
    return null;
  }
}
