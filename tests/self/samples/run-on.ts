/** Judges variants with few generated inputs, which cost half of a run: at night with as many as any run has. */
import type { CollectedTest } from '../../../fixtures/lanes/collection.ts';
import {
  judgeVariant,
  SETTINGS,
  type JudgedVariant,
  type Variant,
} from '../../../fixtures/implementations/judge-variant.ts';

/** PROPERTY_RUNS of a test that is not about generated input. */
export const FEW_INPUTS = process.env.SELF_TESTS === 'all' ? SETTINGS.propertyRuns : 10;

/** Judges a variant in this process, over real sockets. */
export function runOn(variant: Variant, tests: readonly CollectedTest[]): Promise<JudgedVariant> {
  return judgeVariant({ ...variant, settings: { propertyRuns: FEW_INPUTS, ...variant.settings } }, tests);
}
