/** Wires that are worse than a cable between two machines: what runs through them must come to the same verdicts. */
import type { Impairments } from '../../../fixtures/world/world.ts';

/** By the word that `prove --wire` takes. */
export const CONDITIONS: Readonly<Record<string, Partial<Impairments>>> = {
  jitter: { jitter: 40 },
  // longer than a window of lag, shorter than REQUEST_TIMEOUT
  stalls: { stall: { likely: 0.002, milliseconds: 8_000 } },
  loss: { loss: 0.02 },
  resets: { reset: 0.002 },
  'one-connection': { mostConnections: 1 },
  'few-connections': { mostConnections: 3 },
  'refused-connections': { mostConnections: 3, furtherConnections: 'are refused' },
};
