/** Chooses the variants that a proof judges, and the base (the service on which a variant is put) of each. */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BASES, REFERENCE, adaptFreedom, drawBase, findBase } from '../../fixtures/implementations/bases.ts';
import type { Base } from '../../fixtures/implementations/bases.ts';
import { FAULTS } from '../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../fixtures/implementations/freedoms/index.ts';
import { listNamingPromises, type Fault, type Freedom } from '../../fixtures/implementations/variant.ts';
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import { drawPairs, findPair } from '../../fixtures/implementations/pairs.ts';
import type { Pairs, Survivor } from '../../reports/shown/proof/kill-matrix.ts';
import { chooseHardVariants } from './harder.ts';

/**
 * Options of the command line that choose variants, or say how they are judged; bin/prove.ts describes each. `only`: a part of an id. `pair`: `<freedom>+<freedom>`.
 * `hard`: a battery of hard variants (harder.ts), or one of them, e.g. `absent:3`. `wire`: e.g. `loss`. `shard`: e.g. `2/5`.
 */
export interface PlanOptions {
  full?: boolean;
  pairs?: number;
  pairSeed?: number;
  pair?: string;
  only?: string;
  base?: string;
  hard?: string;
  hardSeed?: number;
  sample?: boolean;
  seed?: number;
  seeds?: number;
  roundTrip?: number;
  wire?: string;
  whole?: boolean;
  evidence?: string;
  shard?: string;
  resume?: boolean;
}

/** The round trip to a service in the same building, in milliseconds. */
export const NEAR_ROUND_TRIP = 5;
/** A freedom without any oddity, for tasks that judge a base alone. */
const PLAIN: Freedom = { id: '', what: '', permittedBy: '', vary: (Base) => Base };

/**
 * The variants that a plan judges. `all`: every variant, so the outcomes prove the suite. `sample`: some of each group.
 * `named`: variants that options name; their outcomes are only shown.
 */
export type ProofScope = 'all' | 'sample' | 'named';

/** The chosen variants, with the base of each. */
export type Chosen = ReturnType<typeof chooseVariants>;

/** Returns the variants that the options ask for, each with the base on which it is judged. */
export function chooseVariants(options: PlanOptions) {
  const { hard, hardSeed, roundTrip = NEAR_ROUND_TRIP } = options;
  const scope = findScope(options);
  const namedBase = options.base === undefined ? undefined : findBase(options.base);
  // The base that `--base` names, if it suits the variant; else a base that is drawn.
  const chooseBase = (variant: Fault | Freedom) => drawBase(variant, namedBase);
  return {
    scope,
    roundTrip,
    // `adaptFreedom` adds the promises that are not applicable on the base.
    bases: chooseBases(options).map((base) => ({
      ...adaptFreedom(PLAIN, base),
      id: base.name,
      base: base.name,
    })),
    faults: chooseKind(FAULTS, 'fault', options).map((fault) => ({
      ...fault,
      // `alone`: a run must find nothing but this fault. So its base is the reference, which has no oddity.
      base: fault.alone ? REFERENCE : chooseBase(fault).name,
      names: listNamingPromises(fault),
      // A fault of a `should` must not disturb the verdict on any `must`. To show this, `plan-proof.ts` lets its run go to the end.
      onlyShould: REQUIREMENTS[fault.breaks]?.level === 'should',
    })),
    freedoms: chooseKind(FREEDOMS, 'freedom', options).map((freedom) => {
      const base = chooseBase(freedom);
      return { ...adaptFreedom(freedom, base), base: base.name };
    }),
    pairs: choosePairs(options, scope),
    hard: chooseHardVariants(scope === 'named' ? null : chooseExtent(options), hard, hardSeed),
  };
}

function findScope({ only, pair, hard, sample }: PlanOptions): ProofScope {
  if ([only, pair, hard].some((each) => each !== undefined)) return 'named';
  return sample ? 'sample' : 'all';
}

/** Returns the bases that are judged without a variant on them. The reference is always one: other outcomes are compared with it. */
function chooseBases({ only, pair, hard, sample, base }: PlanOptions): readonly Base[] {
  const isPart = [only, pair, hard, base].some((each) => each !== undefined) || sample === true;
  if (!isPart) return BASES;
  const part = base ?? only;
  return BASES.filter(({ name }) => name === REFERENCE || (part !== undefined && name.includes(part)));
}

/** Returns the faults or freedoms that the options ask for. */
function chooseKind<T extends Fault | Freedom>(
  all: readonly T[],
  kind: 'fault' | 'freedom',
  { only, pair, hard, sample }: PlanOptions,
): readonly T[] {
  // The sample has a fault of each stem (`list-pets`, ...). Freedoms are one group: the bases of the faults have some too.
  if (sample) return drawSample(all, ({ id }) => (kind === 'fault' ? (id.split('.')[0] ?? id) : ''));
  if (only !== undefined) return all.filter(({ id }) => id.includes(only));
  return pair === undefined && hard === undefined ? all : [];
}

/** How many variants a proof draws: `--sample`, `--full`, or as usual. */
function chooseExtent({ sample, full }: PlanOptions): 'sample' | 'full' | 'usual' {
  if (sample) return 'sample';
  return full ? 'full' : 'usual';
}

/** `--full` judges this many pairs: services with two freedoms. Each time it draws other pairs, unless `--pair-seed` is given. */
const PAIRS_OF_FULL = 2_000;
/** A proof of all variants without `--full` judges this many pairs. They are the same each time, drawn by SAMPLE_SEED. */
const PAIRS_OF_USUAL = 40;
const SAMPLE_SEED = 1;

/**
 * Returns the pairs to judge: the pair that `--pair` names, or drawn pairs. If only some variants are judged, there is none, unless
 * `--pairs` or `--full` asks for some.
 * @throws Error if the named pair does not exist
 */
function choosePairs({ full, pairs, pairSeed, pair }: PlanOptions, scope: ProofScope): Pairs {
  if (pair !== undefined) return { seed: null, judged: [findPair(pair)] };
  const countWithoutFull = scope === 'all' ? PAIRS_OF_USUAL : 0;
  const count = pairs ?? (full ? PAIRS_OF_FULL : countWithoutFull);
  const seed = pairSeed ?? (full ? randomInt(2 ** 31) : SAMPLE_SEED);
  return { seed, judged: drawPairs(count, seed).map(findPair) };
}

/** `npm run test:commands` judges one of 500 faults and freedoms, and at least one of each group. `npm run test:full` judges all. */
const ONE_OF = 500;

/**
 * Returns every 500th variant of each group, beginning with the first of the group. The sample is the same at each call.
 * @param nameGroup returns the group of a variant, e.g. `list-pets`
 */
function drawSample<T>(all: readonly T[], nameGroup: (each: T) => string): T[] {
  return [...groupBy(all, nameGroup).values()].flatMap((group) =>
    group.filter((_, index) => index % ONE_OF === 0),
  );
}

/** By the name of a group: its elements, in their order. */
function groupBy<T>(all: readonly T[], nameGroup: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(nameGroup(each), [...(groups.get(nameGroup(each)) ?? []), each]);
  return groups;
}

/** Returns the faults that no run names yet; the proof expects exactly these. The file is among the sources, not in `dist/`. */
export function readSurvivors(): readonly Survivor[] {
  const file = new URL('../../../tests/self/survivors.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Survivor[];
}
