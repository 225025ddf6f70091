/** Wires that are worse than a cable between two machines. Verdicts must be equal on each of them. */
import type { Impairments } from '../../../fixtures/world/world.ts';

/** Conditions by the word that `prove --wire` takes. */
export const CONDITIONS: Readonly<Record<string, Partial<Impairments>>> = {
  jitter: { jitter: 40 },
  // Longer than the consistency window, shorter than REQUEST_TIMEOUT.
  stalls: { stall: { likely: 0.002, milliseconds: 8_000 } },
  loss: { loss: 0.02 },
  resets: { reset: 0.002 },
  'one-connection': { mostConnections: 1 },
  'few-connections': { mostConnections: 3 },
  'refused-connections': { mostConnections: 3, furtherConnections: 'are refused' },
};
