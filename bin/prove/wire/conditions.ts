/** Bad conditions of the simulated wire. On each of them a run must come to the same verdicts as without. */
import type { Impairments } from '../world/world.ts';

/** By the word that `prove --wire` takes. `jitter` and `milliseconds` are times; `loss`, `reset` and `probability` are from 0 to 1. */
export const CONDITIONS: Readonly<Record<string, Partial<Impairments>>> = {
  jitter: { jitter: 40 },
  // A stall is longer than the consistency window and shorter than REQUEST_TIMEOUT.
  stalls: { stall: { probability: 0.002, milliseconds: 8_000 } },
  loss: { loss: 0.02 },
  resets: { reset: 0.002 },
  'one-connection': { mostConnections: 1 },
  'few-connections': { mostConnections: 3 },
  'refused-connections': { mostConnections: 3, furtherConnections: 'are refused' },
};
