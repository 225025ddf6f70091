/**
 * A worker process of `prove --calibrate`. It judges variants over real sockets in real time, and never imports the
 * simulated world, which would replace Node's clock.
 */
import { collectSuite } from '../../run/selection/collect-suite.ts';
import { judgeTask } from '../judge-task.ts';
import { judgeForParent } from '../pool.ts';

/** All tests, collected once for all tasks. */
const suite = collectSuite();

judgeForParent(async (task) => judgeTask(task, await suite));
