import type { Report } from '../document/report.ts';

/** How much of what requests can be a run has crossed, or null where the report does not say. */
export function pairsInWords({ coverage }: Pick<Report, 'coverage'>): string | null {
  if (coverage === undefined) return null;
  const operations = Object.entries(coverage).map(
    ([operation, { pairs }]) => `${operation} ${pairs.met} of ${pairs.meetable}`,
  );
  return `pairs of what a request can be: ${operations.join(', ')}`;
}
