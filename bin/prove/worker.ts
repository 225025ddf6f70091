/** One process of the proof: judges the variants that it is told to, one after the other. */
import { outcomeOf, type Task } from './judge-task.ts';
import { collectSuite } from '../selection/suite.ts';

const suite = collectSuite();

process.on('message', (task: Task) => {
  void suite
    .then((all) => outcomeOf(task, all))
    .then(
      (outcome) => process.send?.({ outcome }),
      (error: Error) =>
        process.send?.({ failure: `${task.kind} ${task.id}: ${error.stack ?? error.message}` }),
    );
});
