/** Reads two lists about single faults. */
import { readFileSync } from 'node:fs';
import type { Survivor } from '../../reports/proof/kill-matrix.ts';

/** Reads a file of the sources: files that only a clone has are not in the compiled folder. */
function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../tests/self/${name}.json`, import.meta.url), 'utf8'));
}

/** Returns the faults that no run names yet. */
export function readSurvivors(): readonly Survivor[] {
  return read('survivors') as Survivor[];
}
