/** Reads `tests/self/survivors.json`: the faults that no run names yet. The proof expects exactly these. */
import { readFileSync } from 'node:fs';
import type { Survivor } from '../../reports/shown/proof/kill-matrix.ts';

/** Reads a file among the sources; `dist/` does not have it. */
function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../tests/self/${name}.json`, import.meta.url), 'utf8'));
}

/** Returns the faults that no run names yet. */
export function readSurvivors(): readonly Survivor[] {
  return read('survivors') as Survivor[];
}
