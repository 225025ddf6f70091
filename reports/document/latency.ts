/** Summarizes the durations of the answers of one operation. Pure. */

/** Percentiles in milliseconds. `histogram` counts the answers up to each of `LIMITS`, then the slower ones. */
export interface Timing {
  count: number;
  p50: number;
  p95: number;
  /** Absent before version 5, as `histogram`. */
  p99?: number;
  histogram?: number[];
}

/** Upper limits of the histogram, in milliseconds. */
export const LIMITS: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];

/** Returns the percentiles, in hundredths of a millisecond, and the histogram. @param values milliseconds */
export function computeTiming(values: readonly number[]): Timing {
  const sorted = values.toSorted((left, right) => left - right);
  const rank = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 100) / 100;
  const histogram = [...LIMITS, Infinity].map(
    (limit, index) =>
      values.filter((value) => value <= limit && value > (LIMITS[index - 1] ?? -Infinity)).length,
  );
  return { count: sorted.length, p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), histogram };
}
