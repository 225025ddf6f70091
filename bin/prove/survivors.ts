/** What is shown of single faults beside the faults themselves. */
import { readFileSync } from 'node:fs';
import type { Survivor } from '../../reports/proof/kill-matrix.ts';

/** In the sources: what only a clone has is not compiled. */
function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../tests/self/${name}.json`, import.meta.url), 'utf8'));
}

/** Faults that no run names yet, a line each. */
export function readSurvivors(): readonly Survivor[] {
  return read('survivors') as Survivor[];
}

/** By faults, another requirement that names them as well as their own: written down before the order of causes was judged by it. */
export function readAlsoRight(): Readonly<Record<string, string>> {
  return read('also-right') as Record<string, string>;
}
