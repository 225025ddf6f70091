/** Judges variants with few generated inputs, which cost half of a run: at night with as many as any run has. */
import type { CollectedTest } from '../../../fixtures/asking/lanes/collection.ts';
import {
  judgeVariant,
  SETTINGS,
  type JudgedVariant,
  type Variant,
} from '../../../fixtures/implementations/judge-variant.ts';

/** True in `npm run test:full`, which asks everything. */
export const ASKS_ALL = process.env.SELF_TESTS === 'all';
/** PROPERTY_RUNS of a test that is not about generated input. */
export const FEW_INPUTS = ASKS_ALL ? SETTINGS.propertyRuns : 10;

/** Picks the tests of promises whose ids begin so: `verifying('create-pet.', 'list-pets.limit')`; without words all tests. */
export function verifying(...begins: readonly string[]): (test: CollectedTest) => boolean {
  return ({ declared }) =>
    begins.length === 0 || declared.verifies.some((id) => begins.some((each) => id.startsWith(each)));
}

/** Judges a variant in this process, over real sockets. */
export function runOn(variant: Variant, tests: readonly CollectedTest[]): Promise<JudgedVariant> {
  return judgeVariant({ ...variant, settings: { propertyRuns: FEW_INPUTS, ...variant.settings } }, tests);
}
