import type { Coverage } from '../../fixtures/situations/coverage.ts';
import type { Report } from '../document/report-document.ts';

/**
 * Says how many pairs and triples of request features a whole run has combined. Null if the run was not whole, or if
 * the report lacks the numbers.
 */
export function describePairs({ coverage, run }: Pick<Report, 'coverage' | 'run'>): string | null {
  if (coverage === undefined || !run.complete || run.only.length > 0) return null;
  const pairs = countMet(coverage, 'pairs');
  const triples = countMet(coverage, 'triples');
  return `pairs of request features (limit, filter, header, key ...): ${pairs}${triples === '' ? '' : `; triples: ${triples}`}`;
}

/** Returns the counts of each operation in words; empty if an older report lacks them. */
export function countMet(coverage: Coverage, kind: 'pairs' | 'triples'): string {
  return Object.entries(coverage)
    .flatMap(([operation, each]) => {
      const counts = each[kind];
      return counts === undefined ? [] : [`${operation} ${counts.met} of ${counts.meetable}`];
    })
    .join(', ');
}
