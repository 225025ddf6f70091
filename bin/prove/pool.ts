/** Distributes the variants of a proof to worker processes: each gets its next variant when it has sent the last outcome. */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { VariantOutcome } from '../../reports/shown/proof/kill-matrix.ts';
import type { Task } from './judge-task.ts';

interface Workers {
  /** The script of the worker, without its ending. */
  script: string;
  /** The most processes of it that run at the same time. */
  most: number;
}

/** Workers that judge in simulated worlds, where no time passes while a request is under way. They use the processor. */
const IN_WORLDS: Workers = { script: './worker', most: Math.min(8, availableParallelism()) };
/** Workers that judge over real sockets in real time (`prove --calibrate`). They mostly wait, so more workers run than processors exist. */
export const OVER_SOCKETS: Workers = {
  script: './wire/socket-worker',
  most: Math.min(12, 3 * availableParallelism()),
};

/**
 * Judges all tasks in worker processes.
 * @param ended called with each outcome
 * @returns one text for each variant that could not be judged: a defect of the suite or of the variant
 * @throws Error if a worker ends with an error
 */
export async function judgeAll(
  tasks: readonly Task[],
  ended: (task: Task, outcome: VariantOutcome) => void,
  { script, most }: Workers = IN_WORLDS,
): Promise<string[]> {
  const queue = [...tasks];
  const failures: string[] = [];
  const runWorker = () =>
    new Promise<void>((resolve, reject) => {
      // The worker has the ending of this file: `.js` if built, `.ts` if the sources run.
      const child = fork(fileURLToPath(new URL(`${script}.${import.meta.url.slice(-2)}`, import.meta.url)), {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        // Objects of a run are short-lived. A larger young generation saves a tenth of the CPU.
        execArgv: ['--max-semi-space-size=64'],
      });
      // The task that the worker judges now. Without a further task, the worker is disconnected, and ends with code 0.
      let task: Task | undefined;
      const sendNextTask = () => {
        task = queue.shift();
        if (task === undefined) child.disconnect();
        else child.send(task);
      };
      // The worker sends one message for each task.
      child.on('message', (message: { outcome: VariantOutcome } | { failure: string }) => {
        if ('failure' in message) failures.push(message.failure);
        else if (task !== undefined) ended(task, message.outcome);
        sendNextTask();
      });
      child.on('error', reject);
      child.on('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`a process of the proof ended with ${code}`)),
      );
      sendNextTask();
    });
  await Promise.all(Array.from({ length: Math.min(most, tasks.length) }, runWorker));
  return failures;
}

/** The part of a worker: judges each task that `judgeAll` sends, and sends back the outcome or the error. */
export function judgeForParent(judge: (task: Task) => Promise<VariantOutcome>): void {
  process.on('message', (task: Task) => {
    void judge(task).then(
      (outcome) => process.send?.({ outcome }),
      (error: Error) =>
        process.send?.({ failure: `${task.kind} ${task.id}: ${error.stack ?? error.message}` }),
    );
  });
}
