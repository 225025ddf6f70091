/** Says how many combinations of request features a run has sent. */
import type { Coverage } from '../../../fixtures/situations/coverage.ts';
import type { Report } from '../../document/report-document.ts';

/**
 * Says how many pairs and triples of request features a run has combined, and counts the clients and histories that it has met. A
 * history is what came before a request. Null if the run was not whole, or if the report lacks the numbers.
 */
export function describePairs({ coverage, run }: Pick<Report, 'coverage' | 'run'>): string | null {
  if (coverage === undefined || !run.complete || run.only.length > 0) return null;
  const pairs = countMet(coverage, 'pairs');
  return [
    `pairs of request features (limit, filter, header, key ...): ${pairs}`,
    ...listCounts(coverage),
  ].join('; ');
}

/** Returns the counts of triples, clients and histories in words. An older report has none. */
export function listCounts(coverage: Coverage): string[] {
  return (['triples', 'clients', 'histories'] as const)
    .map((kind) => [KINDS[kind], countMet(coverage, kind)] as const)
    .filter(([, counts]) => counts !== '')
    .map((each) => each.join(': '));
}

const KINDS = { triples: 'triples', clients: 'answers by ordinary clients', histories: 'histories' } as const;

/** Returns the counts of each operation in words; empty if an older report lacks them. */
function countMet(coverage: Coverage, kind: 'pairs' | keyof typeof KINDS): string {
  return Object.entries(coverage)
    .flatMap(([operation, each]) => {
      const counts = each[kind];
      return counts === undefined ? [] : [`${operation} ${counts.met} of ${counts.meetable}`];
    })
    .join(', ');
}
