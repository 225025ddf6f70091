/**
 * Chooses the hard variants of a proof: services whose fault is hard to see, e.g. in 1 % of the answers. A battery is a kind of them.
 * Each battery demands that a certain share of its runs names the fault. Runs without a wrong answer do not count.
 */
import { randomInt } from 'node:crypto';
import { drawHard, findHard, type Battery, type Hard } from '../../fixtures/implementations/hard-variants.ts';
import { listNamingPromises } from '../../fixtures/implementations/variant.ts';
import type { HardResult, VariantOutcome } from '../../reports/shown/proof/kill-matrix.ts';

/** The extent of a proof: `full` is `npm run prove -- --full`, `usual` is `npm run prove`, `sample` is `npm run prove -- --sample`. */
type Extent = 'full' | 'usual' | 'sample';

/** The demands of a battery. */
interface BatteryPlan {
  /** The share of runs that must name the fault, from 0 to 1. */
  least: number;
  /** The number of variants of a full, of a usual, and of a sampled proof. */
  full: number;
  usual: number;
  /** Absent: a sample has no variants of this battery. FEW_RUNS allows one miss, so a few variants would prove nothing. */
  sample?: number;
  /** The kind of its services in a few words. */
  what: string;
}

const BATTERIES: Record<Battery, BatteryPlan> = {
  held: { least: 0.99, full: 500, usual: 16, what: 'faults on a store with three animals of others' },
  mixed: { least: 0.995, full: 500, usual: 16, what: 'faults over freedoms' },
  absent: {
    least: 1,
    full: 308,
    usual: 44,
    what: 'services with reads that lack animals, on bases whose lists are not cut',
  },
  triggered: {
    least: 1,
    full: 170,
    usual: 50,
    what: 'services that go wrong if one, two or three levels meet in a request',
  },
  history: { least: 1, full: 100, usual: 100, what: 'services that go wrong after one history alone' },
  // Here `full` and `usual` count faults. Each is judged at 1 % and at 5 %.
  rare: { least: 0.95, full: 10, usual: 3, what: 'faults that show in 1 % and 5 % of the answers' },
  many: { least: 1, full: 20, usual: 2, sample: 1, what: 'twenty faults at once, ten of them named' },
};
/** A full proof judges each fault of `rare` with this many seeds, at 1 % and at 5 %. */
const SEEDS_OF_RARE = 20;
/** A battery with fewer runs than this may miss one: chance decides which requests meet the fault. */
const FEW_RUNS = 20;
/** Of the twenty faults that a service of `many` has at once, a run must name at least this many. */
const NAMED_AT_LEAST = 10;

/** The chosen hard variants. `seed` (`--hard-seed`) draws the same variants again. */
interface HardVariants {
  seed: number;
  variants: Hard[];
}

/**
 * Returns the hard variants of a proof.
 * @param extent null if only some variants are judged: then there are none, unless `named` is given
 * @param named a battery, or the id of one variant (with a colon, e.g. `absent:3`)
 * @throws Error if nothing has this name
 */
export function chooseHardVariants(
  extent: Extent | null,
  named?: string,
  seed = extent === 'full' ? randomInt(2 ** 31) : 1,
): HardVariants {
  if (named?.includes(':')) return { seed, variants: [findHard(named)] };
  const batteries = (Object.keys(BATTERIES) as Battery[]).filter((battery) =>
    named === undefined ? extent !== null : battery === named,
  );
  if (named !== undefined && batteries.length === 0)
    throw new Error(`there is no battery ${named}: it is one of ${Object.keys(BATTERIES).join(', ')}`);
  return {
    seed,
    variants: batteries.flatMap((battery) => {
      // A battery that is named is judged in full.
      const size = named !== undefined || extent === null ? 'full' : extent;
      const times = battery === 'rare' && size === 'full' ? SEEDS_OF_RARE : 1;
      return drawHard(battery, BATTERIES[battery][size] ?? 0, seed, times);
    }),
  };
}

/** Returns the result of each battery that was judged. */
export function sumHardResults(outcomes: readonly VariantOutcome[]): HardResult[] {
  return (Object.keys(BATTERIES) as Battery[]).flatMap((battery): HardResult[] => {
    const runs = outcomes.filter(({ kind, id }) => kind === 'hard' && id.startsWith(`${battery}:`));
    if (runs.length === 0) return [];
    // A run without a wrong answer cannot name the fault. For services with many faults, wrong answers are not all counted, so each
    // of their runs counts.
    const shown = runs.filter(({ wrongAnswers }) => battery === 'many' || wrongAnswers !== 0);
    const missed = shown.filter((outcome) => !isNamed(outcome));
    const { least, what } = BATTERIES[battery];
    const caught = shown.length - missed.length;
    const mayMissOne = shown.length < FEW_RUNS && battery !== 'many';
    // Example: with `least` 0.99, 500 runs may miss 5.
    const isEnough = missed.length <= Math.max((1 - least) * shown.length, mayMissOne ? 1 : 0);
    const counts = { runs: runs.length, shown: shown.length, caught };
    return [{ battery, what, ...counts, least, isEnough, missed: missed.map(describeMiss) }];
  });
}

function describeMiss({ id, wrongAnswers, verdicts }: VariantOutcome): string {
  const failed = verdicts.filter(({ verdict }) => verdict === 'fail').map((each) => each.id);
  return `${id} (${wrongAnswers ?? 'unknown'} wrong answers; failed: ${failed.join(', ') || 'nothing'})`;
}

/** True if the run named its fault. Of twenty faults, ten are enough, if the run says that the service is nonconforming. */
function isNamed({ id, exitCode, verdicts }: VariantOutcome): boolean {
  const { faults } = findHard(id);
  const failed = new Set(
    verdicts.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map((each) => each.id),
  );
  const found = faults.filter((fault) => listNamingPromises(fault).some((each) => failed.has(each)));
  if (faults.length === 1) return found.length === 1;
  return found.length >= NAMED_AT_LEAST && exitCode === 1;
}
