import type { Report } from '../document/report.ts';

/** How many features of requests a whole run has combined, or null if it was not whole, or the report does not say. */
export function pairsInWords({ coverage, run }: Pick<Report, 'coverage' | 'run'>): string | null {
  if (coverage === undefined || !run.complete || run.only.length > 0) return null;
  const operations = Object.entries(coverage).map(
    ([operation, { pairs }]) => `${operation} ${pairs.met} of ${pairs.meetable}`,
  );
  return `pairs of request features (limit, filter, header, key ...): ${operations.join(', ')}`;
}
