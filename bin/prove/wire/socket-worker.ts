/**
 * A process of a calibration. It judges variants over real sockets in real time and never imports a simulated
 * world.
 */
import { collectSuite } from '../../selection/suite.ts';
import { outcomeOf } from '../judge-task.ts';
import { judgeAsTold } from '../pool.ts';

const suite = collectSuite();

judgeAsTold(async (task) => outcomeOf(task, await suite));
