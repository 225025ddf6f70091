/** Faults that no run names yet: `tests/self/survivors.json`, which the next issues empty. */
import { readFileSync } from 'node:fs';
import type { Survivor } from '../../reports/proof/kill-matrix.ts';

/** In the sources: what only a clone has is not compiled. */
const FILE = new URL('../../../tests/self/survivors.json', import.meta.url);

/** A line each. */
export function readSurvivors(): readonly Survivor[] {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Survivor[];
}
