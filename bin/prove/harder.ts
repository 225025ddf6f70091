/**
 * The batteries of hard variants: kinds of services whose fault is hard to see. Of all runs to which the service gave a wrong
 * answer, a battery demands that a certain share names the fault.
 */
import { randomInt } from 'node:crypto';
import { drawHard, findHard, type Battery, type Hard } from '../../fixtures/implementations/hard-variants.ts';
import { namesOf } from '../../fixtures/implementations/variant.ts';
import type { HardResult, VariantOutcome } from '../../reports/shown/proof/kill-matrix.ts';

/**
 * The number of variants of a battery: `full` for `npm run prove -- --full`, `whole` for `npm run prove`, `sample` for `npm
 * test`.
 */
type Extent = 'full' | 'whole' | 'sample';
/**
 * `least`: the share of runs that must name the fault, from 0 to 1. `full`, `whole`, `sample`: the number of variants. Only
 * `many` has a number for samples: with few variants, the other batteries allow one miss, so a sample would prove nothing.
 */
const BATTERIES: Record<
  Battery,
  Record<Exclude<Extent, 'sample'>, number> & { sample?: number; least: number; what: string }
> = {
  // This store holds animals of others. (Elsewhere, a held list is one that a cache keeps.)
  held: { least: 0.99, full: 500, whole: 16, what: 'faults on a store with three animals of others' },
  mixed: { least: 0.995, full: 500, whole: 16, what: 'faults over freedoms' },
  absent: {
    least: 1,
    full: 308,
    whole: 44,
    what: 'services with reads that lack animals, on bases whose lists are not cut',
  },
  triggered: {
    least: 1,
    full: 170,
    whole: 50,
    what: 'services that go wrong if one, two or three levels meet in a request',
  },
  history: { least: 1, full: 100, whole: 100, what: 'services that go wrong after one history alone' },
  // The number of faults. Each is judged at 1 % and at 5 %.
  rare: { least: 0.95, full: 10, whole: 3, what: 'faults that show in 1 % and 5 % of the answers' },
  many: { least: 1, full: 20, whole: 2, sample: 1, what: 'twenty faults at once, ten of them named' },
};
/** A full proof judges each rare fault at each share with this many seeds. */
const SEEDS_OF_RARE = 20;
/** With fewer runs than this, one miss is allowed: chance decides which requests meet the fault. */
const FEW_RUNS = 20;
/** Of twenty faults at once, at least this many must be named. */
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
export function chooseHardVariants({
  extent,
  named,
  seed = extent === 'full' ? randomInt(2 ** 31) : 1,
}: {
  extent: Extent | null;
  named?: string;
  seed?: number;
}): HardVariants {
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
    const own = outcomes.filter(({ kind, id }) => kind === 'hard' && id.startsWith(`${battery}:`));
    if (own.length === 0) return [];
    // A run without a wrong answer says nothing. With many faults at once, wrong answers are not all counted, so each
    // run of that battery counts.
    const shown = own.filter(({ wrongAnswers }) => battery === 'many' || wrongAnswers !== 0);
    const missed = shown.filter((outcome) => !isNamed(outcome));
    const { least, what } = BATTERIES[battery];
    const caught = shown.length - missed.length;
    const mayMissOne = shown.length < FEW_RUNS && battery !== 'many';
    const isEnough = missed.length <= Math.max((1 - least) * shown.length, mayMissOne ? 1 : 0);
    return [
      {
        battery,
        what,
        runs: own.length,
        shown: shown.length,
        caught,
        least,
        isEnough,
        missed: missed.map(
          ({ id, wrongAnswers, verdicts }) =>
            `${id} (${wrongAnswers ?? 'unknown'} wrong answers; failed: ${
              verdicts
                .filter(({ verdict }) => verdict === 'fail')
                .map((each) => each.id)
                .join(', ') || 'nothing'
            })`,
        ),
      },
    ];
  });
}

/** True if the run named its fault. If the service has twenty faults, ten named ones are enough. */
function isNamed({ id, exitCode, verdicts }: VariantOutcome): boolean {
  const { faults } = findHard(id);
  const failed = new Set(
    verdicts.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map((each) => each.id),
  );
  const found = faults.filter((fault) => namesOf(fault).some((each) => failed.has(each)));
  return faults.length === 1 ? found.length === 1 : found.length >= NAMED_AT_LEAST && exitCode === 1;
}
