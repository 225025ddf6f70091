import type { Report } from '../document/report-document.ts';

/**
 * Says how many pairs of request features a whole run has combined. Null if the run was not whole, or if the
 * report lacks the numbers.
 */
export function describePairs({ coverage, run }: Pick<Report, 'coverage' | 'run'>): string | null {
  if (coverage === undefined || !run.complete || run.only.length > 0) return null;
  const operations = Object.entries(coverage).map(
    ([operation, { pairs }]) => `${operation} ${pairs.met} of ${pairs.meetable}`,
  );
  return `pairs of request features (limit, filter, header, key ...): ${operations.join(', ')}`;
}
