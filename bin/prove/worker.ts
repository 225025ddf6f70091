/**
 * A worker process of the proof. It judges each variant in a simulated world: clock, wire and chance are simulated, so a run
 * waits in simulated time only, and is the same each time.
 */
import { runInWorld } from './world/world.ts';
import { createHash } from 'node:crypto';
import { collectSuite } from '../run/selection/collect-suite.ts';
import { judgeTask, type Task } from './judge-task.ts';
import { judgeForParent } from './pool.ts';
import { CONDITIONS } from './wire/conditions.ts';

/** All tests, collected once for all tasks. */
const suite = collectSuite();

judgeForParent(async (task) => {
  const all = await suite;
  const { roundTrip, wire = '' } = task;
  // Without a condition (`wire` is empty), the wire has only its round trip.
  const impairments = CONDITIONS[wire] ?? {};
  return runInWorld({ seed: chooseSeed(task), roundTrip, impairments }, () => judgeTask(task, all));
});

/** Returns the seed of the world. Each variant has its own seed, which is the same in each proof. */
function chooseSeed({ kind, id, seed }: Task): number {
  return createHash('sha256').update(`${kind} ${id} ${seed}`).digest().readUInt32LE();
}
