/** Chooses faults to judge to the end, so that each test fails on at least one fault. */
import type { VariantOutcome } from '../../reports/shown/proof/kill-matrix.ts';

/** `name`: the test as the result of the proof names it. `verifies`: its requirements. */
interface VerifyingTest {
  name: string;
  verifies: readonly string[];
}

/** At most this many faults are tried for one test. */
export const ROUNDS = 3;

/**
 * Returns, for each test that never failed, the next fault that breaks one of its requirements.
 * @param faults the faults that were not judged to the end
 * @param round from 0: round 1 takes the second fault of each test that has still not failed
 */
export function chooseFaults<T extends { id: string; breaks: string; beyondReach?: string }>(
  tests: readonly VerifyingTest[],
  faults: readonly T[],
  outcomes: readonly VariantOutcome[],
  round: number,
): T[] {
  const failed = new Set(outcomes.flatMap(({ kind, failedTests }) => (kind === 'fault' ? failedTests : [])));
  const candidates = tests
    .filter(({ name }) => !failed.has(name))
    .map(
      ({ verifies }) =>
        faults.filter(({ breaks, beyondReach }) => beyondReach === undefined && verifies.includes(breaks))[
          round
        ],
    );
  return [...new Set(candidates)].filter((each) => each !== undefined);
}
