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

/** Returns another requirement that names a fault as well, by the id of the fault. */
export function readAlsoRight(): Readonly<Record<string, string>> {
  return read('also-right') as Record<string, string>;
}
