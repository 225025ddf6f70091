/** One process of the proof: judges the variants that it is told to in simulated worlds, one after the other. */
import { inWorld } from '../../fixtures/world/world.ts';
import { createHash } from 'node:crypto';
import { outcomeOf, type Task } from './judge-task.ts';
import { collectSuite } from '../selection/suite.ts';

const suite = collectSuite();

process.on('message', (task: Task) => {
  const world = { seed: seedOf(task), roundTrip: task.roundTrip };
  void suite
    .then((all) => inWorld(world, () => outcomeOf(task, all)))
    .then(
      (outcome) => process.send?.({ outcome }),
      (error: Error) =>
        process.send?.({ failure: `${task.kind} ${task.id}: ${error.stack ?? error.message}` }),
    );
});

/** Each variant has chances of its own, the same in each proof. */
function seedOf({ kind, id, seed }: Task): number {
  return createHash('sha256').update(`${kind} ${id} ${seed}`).digest().readUInt32LE();
}
