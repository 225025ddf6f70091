/** Summarizes the durations of the answers of each operation. Pure. */
import type { Operation } from '../../fixtures/exchange/exchange.ts';
import type { ExchangeRecord } from '../../fixtures/evidence/record.ts';

/** The number of answers, and percentiles of their durations in milliseconds. */
export interface Timing {
  count: number;
  p50: number;
  p95: number;
}

/** Returns the percentiles, rounded to a hundredth of a millisecond: of 20 values, p95 is the highest. @param values milliseconds */
export function computeTiming(values: readonly number[]): Timing {
  const sorted = values.toSorted((left, right) => left - right);
  const findPercentile = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 100) / 100;
  return { count: sorted.length, p50: findPercentile(0.5), p95: findPercentile(0.95) };
}

export function computeTimings(exchanges: readonly ExchangeRecord[]): Partial<Record<Operation, Timing>> {
  const durations: Partial<Record<Operation, number[]>> = {};
  for (const { ask, begin, end, response } of exchanges)
    if (response !== null) (durations[ask.operation] ??= []).push(end - begin);
  return Object.fromEntries(
    Object.entries(durations).map(([operation, values]) => [operation, computeTiming(values)]),
  );
}
