/** Which pairs of freedoms a proof judges. */
import { randomInt } from 'node:crypto';
import { drawPairs, pairOf } from '../../fixtures/implementations/pairs.ts';
import type { Pairs } from '../../reports/proof/kill-matrix.ts';

/** What the command line says about pairs. */
export interface PairOptions {
  full?: boolean;
  pairs?: number;
  pairSeed?: number;
  pair?: string;
  only?: string;
}

/** How many `--full` judges, with a seed of its own each time. */
const ALL = 2_000;
/** How many every proof judges, always the same ones: a sample. */
const SAMPLE = 40;
const SAMPLE_SEED = 1;

/** The pairs to be judged; none if only some variants are. @throws Error if a pair is named that there is not */
export function pairsOf({ full, pairs, pairSeed, pair, only }: PairOptions): Pairs {
  if (pair !== undefined) return { seed: null, judged: [pairOf(pair)] };
  const usual = only === undefined ? SAMPLE : 0;
  const count = pairs ?? (full ? ALL : usual);
  const seed = pairSeed ?? (full ? randomInt(2 ** 31) : SAMPLE_SEED);
  return { seed, judged: drawPairs(count, seed).map(pairOf) };
}
