/** Chooses faults that are judged to the end for tests that no fault has failed yet. */
import type { VariantOutcome } from '../../reports/proof/kill-matrix.ts';

/** A test with its name in the matrix and its requirements. */
interface VerifyingTest {
  name: string;
  verifies: readonly string[];
}

/** The most faults that are judged to the end for one test. */
export const ROUNDS = 3;

/**
 * Returns one fault for each test that never failed. The fault breaks a requirement of the test, and the plan
 * did not judge it to the end. Each round takes the next fault.
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
