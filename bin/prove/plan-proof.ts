/**
 * Plans a proof: a list of tasks. A task names a variant, the base (the service on which the variant is put), and the round trip to
 * the service. It also says if the run goes to its end. A hard variant is a fault that is hard to see, e.g. in 1 % of the answers.
 */
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { REFERENCE } from '../../fixtures/implementations/bases.ts';
import { chooseVariants, NEAR_ROUND_TRIP, type Chosen, type PlanOptions } from './choose-variants.ts';
import type { Task } from './judge-task.ts';
import { isHeldBack } from './order/order-cases.ts';

/** By satellite, in milliseconds. */
const FAR_AWAY = 1_200;
/** A tenth of faults and freedoms is judged at these round trips too: on this machine, in the same country, across an ocean, by satellite. */
const DISTANCES = [0, 50, 150, FAR_AWAY] as const;
/** Slow freedoms are judged with this many seeds at most. */
const SLOW_SEEDS = 5;

/**
 * Plans a proof, in the same order on every machine.
 * @throws Error if a named variant does not exist
 */
export function planProof(options: PlanOptions): Chosen & { tasks: Task[] } {
  const chosen = chooseVariants(options);
  const tasks = options.seeds === undefined ? makeTasks(chosen, options) : makeSeededTasks(chosen, options);
  return { ...chosen, tasks };
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
  // The plan always has the reference, so a plan with only the reference means that `--only` fits nothing.
  if (plan.scope === 'named' && plan.tasks.every(({ kind, id }) => kind === 'base' && id === 'reference'))
    throw new Error(
      'No base, fault, freedom, pair or hard variant has this in its id; kill-matrix.json and `npm run explain -- <id>` name them.',
    );
}

/** Makes the tasks of a proof without `--seeds`: services near by, and if all variants are judged, services far away too. */
function makeTasks(chosen: Chosen, options: PlanOptions): Task[] {
  const { scope, faults, freedoms, bases, hard, pairs, roundTrip } = chosen;
  const make = (kind: Task['kind'], each: { id: string; base?: string }, facts: Partial<Task> = {}) =>
    makeTask(kind, each, { roundTrip, options, ...facts });
  // To save time, a run on a fault stops when the promise of the fault has failed. The runs on these faults show what else fails,
  // so they go to their end. `alone`: nothing else may fail. `onlyShould`: no `must` may fail.
  const needsWholeRun = (fault: (typeof faults)[number]) =>
    fault.onlyShould || fault.alone || scope === 'named' || isInTenth('judged to the end', fault);
  const near = [
    ...bases.map((base) => make('base', base)),
    ...faults.map((fault) => make('fault', fault, { whole: needsWholeRun(fault) })),
    ...freedoms.map((freedom) => make('freedom', freedom)),
    // A hard variant may have a seed and a round trip of its own.
    ...hard.variants.map(({ seed = options.seed ?? 1, roundTrip: away = roundTrip, ...variant }) =>
      make('hard', variant, { seed, roundTrip: away }),
    ),
    ...pairs.judged.map((pair) => make('pair', pair)),
    ...(scope === 'named' ? [] : makeQuickTasks(chosen, make)),
  ];
  if (scope !== 'all') return near;
  const tenth = near.filter(
    (task) => ['fault', 'freedom'].includes(task.kind) && isInTenth('at each distance', task),
  );
  // By satellite, a run on a slow freedom does not end within its time limit.
  const isTooSlow = (id: string, away: number) =>
    away >= FAR_AWAY && freedoms.some((each) => each.id === id && each.slow);
  const distant = DISTANCES.filter((each) => each !== roundTrip).flatMap((away) =>
    tenth
      .filter(({ id }) => !isTooSlow(id, away))
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
 * Makes a task on the base of the variant, or on the base that `--base` names, or on the reference.
 * @param facts members of the task that are not the usual ones. `whole: false`: the run may stop before its end
 */
function makeTask(
  kind: Task['kind'],
  variant: { id: string; base?: string },
  { options, ...facts }: Partial<Task> & { roundTrip: number; options: PlanOptions },
): Task {
  const { id, base = options.base ?? REFERENCE } = variant;
  const { evidence, wire } = options;
  // A variant that is judged at several distances leaves one file for each.
  const isNear = facts.roundTrip === (options.roundTrip ?? NEAR_ROUND_TRIP);
  const file = `${kind}-${id}${isNear ? '' : `-${facts.roundTrip}-ms`}.jsonl`;
  return {
    kind,
    id,
    base,
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
  // The first bytes of a digest are a random number that is the same in each proof.
  return createHash('sha256').update(`${purpose}: ${id}`).digest().readUInt32LE() % 10 === 0;
}
