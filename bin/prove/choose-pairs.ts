/** Chooses the pairs of freedoms that a proof judges. A pair is one service with two permitted oddities. */
import { randomInt } from 'node:crypto';
import { drawPairs, findPair } from '../../fixtures/implementations/pairs.ts';
import type { Pairs } from '../../reports/shown/proof/kill-matrix.ts';

/** Options of the command line about pairs. */
export interface PairOptions {
  full?: boolean;
  pairs?: number;
  pairSeed?: number;
  pair?: string;
  only?: string;
}

/** The number of pairs that `--full` judges. Each such proof draws other pairs, unless `--pair-seed` is given. */
const PAIRS_OF_FULL = 2_000;
/** The number of pairs that any other whole proof judges. They are the same pairs each time, drawn by SAMPLE_SEED. */
const PAIRS_OF_WHOLE = 40;
const SAMPLE_SEED = 1;

/**
 * Returns the pairs to judge: the pair that `--pair` names, or drawn pairs. With `--only` there is none, unless `--pairs`
 * asks for some.
 * @throws Error if the named pair does not exist
 */
export function choosePairs({ full, pairs, pairSeed, pair, only }: PairOptions): Pairs {
  if (pair !== undefined) return { seed: null, judged: [findPair(pair)] };
  const usual = only === undefined ? PAIRS_OF_WHOLE : 0;
  const count = pairs ?? (full ? PAIRS_OF_FULL : usual);
  const seed = pairSeed ?? (full ? randomInt(2 ** 31) : SAMPLE_SEED);
  return { seed, judged: drawPairs(count, seed).map(findPair) };
}
