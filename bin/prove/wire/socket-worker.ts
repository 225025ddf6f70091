/**
 * A process of a calibration. It judges variants over real sockets in real time and never imports a simulated
 * world.
 */
import { collectSuite } from '../../selection/collect-suite.ts';
import { judgeTask } from '../judge-task.ts';
import { judgeForParent } from '../pool.ts';

const suite = collectSuite();

judgeForParent(async (task) => judgeTask(task, await suite));
