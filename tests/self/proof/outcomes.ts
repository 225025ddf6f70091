/** Outcomes of variants that nobody judged. */
import type { VariantOutcome } from '../../../reports/shown/proof/kill-matrix.ts';

/** A run near the reference on which all passed, but for what is told. */
export function outcome(
  kind: VariantOutcome['kind'],
  id: string,
  told: Partial<VariantOutcome> = {},
): VariantOutcome {
  return {
    id,
    kind,
    base: 'reference',
    roundTrip: 5,
    whole: true,
    verdicts: [],
    exitCode: 0,
    requests: 1,
    animals: 1,
    hangsOn: [],
    milliseconds: 1,
    ...told,
  };
}
