/**
 * `prove --calibrate`: judges some variants twice, in a simulated world and over real sockets in real time. Both runs must
 * come to the same verdicts.
 */
import { createHash } from 'node:crypto';
import { drawBase } from '../../../fixtures/implementations/bases.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import type { VariantOutcome } from '../../../reports/shown/proof/kill-matrix.ts';
import type { Task } from '../judge-task.ts';
import { judgeAll, OVER_SOCKETS } from '../pool.ts';

/** The share of all variants that is judged, from 0 to 1. */
const JUDGED_SHARE = 0.05;
/** Verdicts on these kinds of variants depend most on time, so one variant of each kind is always judged. */
const ALWAYS = [/lag/, /\.429-/];

/** Verdicts that are compared. */
const COMPARED = ['fail', 'warn', 'inconclusive'] as const;

/**
 * Judges both ways the variants that the seed draws, and prints each difference.
 * @returns the number of variants that differ or could not be judged
 */
export async function calibrate(seed: number, out: (text: string) => void): Promise<number> {
  const tasks = drawTasks(seed);
  // By the id of a variant: its verdicts in the simulated world, and over real sockets.
  const [world, sockets] = [new Map<string, string>(), new Map<string, string>()];
  const begun = Date.now();
  const unjudged = [
    ...(await judgeAll(tasks, (task, outcome) => world.set(task.id, describeVerdicts(outcome)))),
    ...(await judgeAll(
      tasks,
      (task, outcome) => sockets.set(task.id, describeVerdicts(outcome)),
      OVER_SOCKETS,
    )),
  ];
  const different = tasks.filter(({ id }) => world.get(id) !== sockets.get(id));
  for (const { kind, id } of different)
    out(`${kind} ${id}:\n  in the world: ${world.get(id)}\n  over sockets: ${sockets.get(id)}`);
  for (const failure of unjudged) out(failure);
  const seconds = Math.round((Date.now() - begun) / 1_000);
  out(JSON.stringify({ calibrated: tasks.length, seed, different: different.length, seconds }));
  return different.length + unjudged.length;
}

/** Draws the variants. Each run goes to its end, at a round trip of 0 ms. */
function drawTasks(seed: number): Task[] {
  const all = [
    ...FAULTS.map((each) => ({ kind: 'fault' as const, id: each.id, base: drawBase(each).name })),
    ...FREEDOMS.map((each) => ({ kind: 'freedom' as const, id: each.id, base: drawBase(each).name })),
  ];
  // Sorted by a digest, the order is random and depends on the seed alone.
  const drawLot = ({ kind, id }: (typeof all)[number]) =>
    createHash('sha256').update(`${seed} ${kind} ${id}`).digest('hex');
  const drawn = all.sort((one, other) => (drawLot(one) < drawLot(other) ? -1 : 1));
  const always = ALWAYS.flatMap((kind) => drawn.find(({ id }) => kind.test(id)) ?? []);
  return [...new Set([...always, ...drawn.slice(0, Math.round(all.length * JUDGED_SHARE))])].map((each) => ({
    ...each,
    seed: 1,
    propertiesOnly: false,
    whole: true,
    roundTrip: 0,
    evidence: null,
  }));
}

/** Returns the verdicts of a run in one line: `fail list-pets.limit; warn none; inconclusive none; exit 1`. */
function describeVerdicts({ verdicts, exitCode }: VariantOutcome): string {
  const named = COMPARED.map((verdict) => {
    const ids = verdicts.filter((each) => each.verdict === verdict).map(({ id }) => id);
    return `${verdict} ${ids.sort().join(' ') || 'none'}`;
  });
  return `${named.join('; ')}; exit ${exitCode}`;
}
