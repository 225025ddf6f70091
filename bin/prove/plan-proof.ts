/**
 * Plans a proof: a list of tasks. A task names a variant, the base (the service on which the variant is put), and the round trip to
 * the service. It also says if the run goes to its end. A hard variant is a fault that is hard to see, e.g. in 1 % of the answers.
 */
import { createHash, randomInt } from 'node:crypto';
import { join, resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { BASES, REFERENCE, adaptFreedom, drawBase, findBase } from '../../fixtures/implementations/bases.ts';
import type { Base } from '../../fixtures/implementations/bases.ts';
import { FAULTS } from '../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../fixtures/implementations/freedoms/index.ts';
import { namesOf, type Fault, type Freedom } from '../../fixtures/implementations/variant.ts';
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import { drawPairs, findPair } from '../../fixtures/implementations/pairs.ts';
import type { Pairs, Survivor } from '../../reports/shown/proof/kill-matrix.ts';
import { chooseHardVariants } from './harder.ts';
import type { Task } from './judge-task.ts';
import { isHeldBack } from './order/order-cases.ts';

/** Options of the command line that choose variants; bin/prove.ts describes each. */
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
const NEAR_ROUND_TRIP = 5;
/** By satellite. */
const FAR_AWAY = 1_200;
/** A tenth of faults and freedoms is judged at these round trips too: on this machine, in the same country, across an ocean, by satellite. */
const DISTANCES = [0, 50, 150, FAR_AWAY] as const;
/** Slow freedoms are judged with this many seeds at most. */
const SLOW_SEEDS = 5;
/** A freedom without any oddity, for tasks that judge a base alone. */
const PLAIN: Freedom = { id: '', what: '', permittedBy: '', vary: (Base) => Base };

/**
 * The variants that a plan judges. `all`: every variant, so the outcomes prove the suite. `sample`: some of each group.
 * `named`: variants that options name; their outcomes are only shown.
 */
export type ProofScope = 'all' | 'sample' | 'named';

/** The chosen variants, with the base of each. */
type Chosen = ReturnType<typeof chooseVariants>;

/**
 * Plans a proof, in the same order on every machine.
 * @throws Error if a named variant does not exist
 */
export function planProof(options: PlanOptions): Chosen & { tasks: Task[] } {
  const chosen = chooseVariants(options);
  const tasks = options.seeds === undefined ? makeTasks(chosen, options) : makeSeededTasks(chosen, options);
  return { ...chosen, tasks };
}

/** Returns the variants that the options ask for, each with the base on which it is judged. */
function chooseVariants(options: PlanOptions) {
  const { hard, hardSeed, roundTrip = NEAR_ROUND_TRIP } = options;
  const scope = findScope(options);
  const namedBase = options.base === undefined ? undefined : findBase(options.base);
  const chooseBase = (variant: Fault | Freedom) => drawBase(variant, namedBase);
  return {
    scope,
    roundTrip,
    bases: chooseBases(options).map((base) => ({
      ...adaptFreedom(PLAIN, base),
      id: base.name,
      base: base.name,
    })),
    faults: chooseKind(FAULTS, 'fault', options).map((fault) => ({
      ...fault,
      // A whole run on a fault with `alone` must find nothing but this fault, so its base has no oddity.
      base: fault.alone ? REFERENCE : chooseBase(fault).name,
      names: namesOf(fault),
      // A broken `should` must not disturb the verdict on any `must`. To show this, the run goes to its end.
      onlyShould: REQUIREMENTS[fault.breaks]?.level === 'should',
    })),
    freedoms: chooseKind(FREEDOMS, 'freedom', options).map((freedom) => {
      const base = chooseBase(freedom);
      return { ...adaptFreedom(freedom, base), base: base.name };
    }),
    pairs: choosePairs(options, scope),
    hard: chooseHardVariants(scope === 'named' ? null : nameExtent(options), hard, hardSeed),
  };
}

/** True if this run, or all shards together, judge all that a proof needs. */
export function isWholeProof({ scope }: Pick<Chosen, 'scope'>, { seeds }: PlanOptions): boolean {
  return scope === 'all' && seeds === undefined;
}

/**
 * Checks that options can be given together, and that they name a variant.
 * @throws Error
 */
export function requireProvable(plan: ReturnType<typeof planProof>, options: PlanOptions): void {
  const { shard, full, pairSeed, hardSeed, resume } = options;
  if (shard !== undefined && !isWholeProof(plan, options))
    throw new Error('--shard shares a whole proof; leave --only, --pair, --hard, --sample and --seeds out');
  const isDrawnAnew = full && [pairSeed, hardSeed].includes(undefined);
  if (isDrawnAnew && (shard !== undefined || resume))
    throw new Error(
      'what --full draws must be the same in all parts of a proof: give --pair-seed and --hard-seed',
    );
  // The plan always has the reference, so it alone means that `--only` fits nothing.
  if (plan.scope === 'named' && plan.tasks.every(({ kind, id }) => kind === 'base' && id === 'reference'))
    throw new Error(
      'No base, fault, freedom, pair or hard variant has this in its id; kill-matrix.json and `npm run explain -- <id>` name them.',
    );
}

function findScope({ only, pair, hard, sample }: PlanOptions): ProofScope {
  if ([only, pair, hard].some((each) => each !== undefined)) return 'named';
  return sample ? 'sample' : 'all';
}

/** Returns the bases that are judged alone. The reference is always among them: other outcomes are compared with it. */
function chooseBases({ only, pair, hard, sample, base }: PlanOptions): readonly Base[] {
  const isPart = [only, pair, hard, base].some((each) => each !== undefined) || sample === true;
  const part = base ?? only;
  return BASES.filter(
    ({ name }) => !isPart || name === REFERENCE || (part !== undefined && name.includes(part)),
  );
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

function nameExtent({ sample, full }: PlanOptions): 'sample' | 'full' | 'whole' {
  if (sample) return 'sample';
  return full ? 'full' : 'whole';
}

/** Makes the tasks of a proof without `--seeds`: services near by, and if all variants are judged, services far away too. */
function makeTasks(chosen: Chosen, options: PlanOptions): Task[] {
  const { scope, faults, freedoms, bases, hard, pairs, roundTrip } = chosen;
  const make = (kind: Task['kind'], each: { id: string; base?: string }, facts: Partial<Task> = {}) =>
    makeTask(kind, each, { roundTrip, options, ...facts });
  // The run on any other fault stops when its promise has failed, because this saves time.
  const isToTheEnd = (fault: (typeof faults)[number]) =>
    fault.onlyShould || fault.alone || scope === 'named' || isInTenth('judged to the end', fault);
  const near = [
    ...bases.map((base) => make('base', base)),
    ...faults.map((fault) => make('fault', fault, { whole: isToTheEnd(fault) })),
    ...freedoms.map((freedom) => make('freedom', freedom)),
    // A hard variant may have a seed and a round trip of its own.
    ...hard.variants.map(({ seed = options.seed ?? 1, roundTrip: away = roundTrip, ...variant }) =>
      make('hard', variant, { seed, roundTrip: away }),
    ),
    ...pairs.judged.map((pair) => make('pair', pair)),
    ...(scope === 'named' ? [] : makeQuickTasks(chosen, make)),
  ];
  if (scope !== 'all') return near;
  const distant = DISTANCES.filter((each) => each !== roundTrip).flatMap((away) =>
    near
      .filter((task) => ['fault', 'freedom'].includes(task.kind) && isInTenth('at each distance', task))
      // A service that slows the run down does not let it end within TIME_LIMIT if it is far away too.
      .filter(({ id }) => away < FAR_AWAY || !freedoms.some((each) => each.id === id && each.slow))
      // The run on a fault stops when its promise has failed. A freedom breaks none, so its run goes to the end.
      .map((task) => make(task.kind, task, { roundTrip: away, whole: task.kind === 'freedom' })),
  );
  return [...near, ...distant];
}

/**
 * Makes quick runs on all freedoms and on the half of the faults that is held back. The cases of quick runs were chosen to find the
 * other half (bin/order.ts), so that half would make them look too good. Faults of a should, and faults that not every run can
 * catch (`beyondReach`), are left out.
 */
function makeQuickTasks(
  { faults, freedoms }: Chosen,
  make: (kind: Task['kind'], variant: { id: string; base?: string }) => Task,
): Task[] {
  const heldBack = faults.filter(
    ({ id, onlyShould, beyondReach }) => !onlyShould && beyondReach === undefined && isHeldBack(id),
  );
  return [
    ...heldBack.map((fault) => make('quick', { ...fault, id: `fault ${fault.id}` })),
    ...freedoms.map((freedom) => make('quick', { ...freedom, id: `freedom ${freedom.id}` })),
  ];
}

/** Makes the tasks of `--seeds`: only tests with generated input, on every freedom, with many seeds. */
function makeSeededTasks({ freedoms, roundTrip }: Chosen, options: PlanOptions): Task[] {
  return freedoms.flatMap((freedom) =>
    Array.from({ length: Math.min(options.seeds ?? 0, freedom.slow ? SLOW_SEEDS : Infinity) }, (_, index) =>
      makeTask('freedom', freedom, {
        roundTrip,
        options,
        seed: index + 1,
        propertiesOnly: true,
        whole: false,
      }),
    ),
  );
}

/**
 * Makes a task.
 * @param variant its base; without one, the task has the base that `--base` names, or the reference
 * @param facts members of the task that are not the usual ones. `whole: false`: the run may stop before its end
 */
function makeTask(
  kind: Task['kind'],
  { id, base }: { id: string; base?: string },
  { options, ...facts }: Partial<Task> & { roundTrip: number; options: PlanOptions },
): Task {
  const { evidence, wire } = options;
  // A variant that is judged at several distances leaves one file for each.
  const isNear = facts.roundTrip === (options.roundTrip ?? NEAR_ROUND_TRIP);
  const file = `${kind}-${id}${isNear ? '' : `-${facts.roundTrip}-ms`}.jsonl`;
  return {
    kind,
    id,
    base: base ?? options.base ?? REFERENCE,
    seed: options.seed ?? 1,
    propertiesOnly: false,
    ...(wire !== undefined && { wire }),
    evidence: evidence === undefined ? null : join(resolve(evidence), file),
    ...facts,
    whole: facts.whole !== false || options.whole === true,
  };
}

/**
 * True for about one tenth of all variants; each purpose has another tenth. The draw uses the id of the variant alone, so
 * new variants do not change it.
 */
function isInTenth(purpose: string, { id }: { id: string }): boolean {
  return createHash('sha256').update(`${purpose}: ${id}`).digest().readUInt32LE() % 10 === 0;
}

// Chooses the pairs of freedoms that a proof judges. A pair is one service with two permitted oddities.

/** The number of pairs that `--full` judges. Each such proof draws other pairs, unless `--pair-seed` is given. */
const PAIRS_OF_FULL = 2_000;
/** The number of pairs that any other whole proof judges. They are the same pairs each time, drawn by SAMPLE_SEED. */
const PAIRS_OF_WHOLE = 40;
const SAMPLE_SEED = 1;

/**
 * Returns the pairs to judge: the pair that `--pair` names, or drawn pairs. If only some variants are judged, there is none, unless
 * `--pairs` or `--full` asks for some.
 * @throws Error if the named pair does not exist
 */
function choosePairs({ full, pairs, pairSeed, pair }: PlanOptions, scope: ProofScope): Pairs {
  if (pair !== undefined) return { seed: null, judged: [findPair(pair)] };
  const countOfWhole = scope === 'all' ? PAIRS_OF_WHOLE : 0;
  const count = pairs ?? (full ? PAIRS_OF_FULL : countOfWhole);
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

/** Returns all variants by their group. */
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
