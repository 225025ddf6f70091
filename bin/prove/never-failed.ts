/** Tests that no fault has failed yet: most faults are left alone when their promise has failed, so some are judged to the end for them. */
import type { Outcome } from '../../reports/proof/kill-matrix.ts';

/** A test as the matrix names it, and the requirements that it verifies. */
interface VerifyingTest {
  name: string;
  verifies: readonly string[];
}

/** Most faults that are judged to the end for one test. */
export const ROUNDS = 3;

/**
 * Faults that may fail the tests that never failed: for each test the one of this round, of those that break what it
 * verifies and that were not judged to the end by the plan.
 */
export function faultsFor<T extends { id: string; breaks: string; beyondReach?: string }>(
  tests: readonly VerifyingTest[],
  faults: readonly T[],
  outcomes: readonly Outcome[],
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
