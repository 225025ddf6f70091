import { lastTitle, type Case } from '../../fixtures/evidence/completeness.ts';
import { collectSuite } from '../selection/suite.ts';

/** Every case that a complete run of this suite has: each of its tests with each requirement that it is about. */
export async function plannedCases(): Promise<Case[]> {
  const tests = await collectSuite();
  return tests.flatMap(({ declared, place }) =>
    declared.verifies.map((requirement) => ({ title: lastTitle(place.title), requirement })),
  );
}
