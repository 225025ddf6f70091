/** One process of a calibration: judges what it is asked to over the sockets and in the time of this machine. It never imports a world. */
import { collectSuite } from '../../selection/suite.ts';
import { outcomeOf } from '../judge-task.ts';
import { judgeAsTold } from '../pool.ts';

const suite = collectSuite();

judgeAsTold(async (task) => outcomeOf(task, await suite));
