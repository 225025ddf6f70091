/** Finds the animals that earlier runs left in the store. A run asks this first, to tell them from animals of others. */
import { join } from 'node:path';
import type { LeftBefore } from '../../fixtures/judgement/store/harm.ts';
import { readFootprint } from '../../reports/document/footprint-file.ts';
import { LARGEST, readForeign } from '../command-line/files/foreign-file.ts';
import { PARTIAL } from '../command-line/output/artifacts.ts';

/**
 * Returns the animals in the `footprint.json` of the last whole run and of the last partial run, if that run judged this
 * target. An unreadable file is ignored.
 */
export function readLeftBefore(reportDir: string, target: string): LeftBefore[] {
  return [reportDir, join(reportDir, PARTIAL)].flatMap((folder) => {
    const footprint = readFile(folder);
    if (footprint?.target !== target || footprint.embedded === true) return [];
    const { animals, adoptedBefore = [] } = footprint;
    return [
      ...animals.map(({ id, name, adopted }) => ({ id, name, isAdopted: adopted === true })),
      // An adopted identifier: a client sent it, and the service gave it to an animal. The file has no name for it.
      ...adoptedBefore.map((id) => ({ id, name: '', isAdopted: true })),
    ];
  });
}

function readFile(folder: string) {
  try {
    const read = readFootprint(readForeign(join(folder, 'footprint.json'), LARGEST.signed));
    return 'value' in read ? read.value : null;
  } catch {
    return null;
  }
}
