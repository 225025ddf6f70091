/** The outcome of a variant in the proof. A test names only what differs. */
import type { VariantOutcome } from '../../../reports/shown/proof/kill-matrix.ts';

/** A run of the whole suite on a variant with a round trip of 5 ms. Nothing failed. `more` replaces what differs. */
export function outcomeWith(
  kind: VariantOutcome['kind'],
  id: string,
  more: Partial<VariantOutcome> = {},
): VariantOutcome {
  return {
    ...{ id, kind, base: 'reference', roundTrip: 5, whole: true, verdicts: [], exitCode: 0 },
    ...{ requests: 1, animals: 1, milliseconds: 1, ...more },
  };
}
