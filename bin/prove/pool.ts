import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '../../reports/proof/kill-matrix.ts';
import type { Task } from './judge-task.ts';

const MOST = 8;

/**
 * Judges all tasks in a few processes, and tells of each outcome as it comes.
 * @returns what went wrong where a variant could not be judged: a defect of the suite or of the variant
 * @throws Error when a process breaks
 */
export async function judgeAll(
  tasks: readonly Task[],
  told: (task: Task, outcome: Outcome) => void,
): Promise<string[]> {
  const queue = [...tasks];
  const failures: string[] = [];
  const lane = () =>
    new Promise<void>((resolve, reject) => {
      const child = fork(fileURLToPath(new URL(`./worker.${import.meta.url.slice(-2)}`, import.meta.url)), {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      let task: Task | undefined;
      const next = () => {
        task = queue.shift();
        if (task === undefined) child.disconnect();
        else child.send(task);
      };
      child.on('message', (message: { outcome: Outcome } | { failure: string }) => {
        if ('failure' in message) failures.push(message.failure);
        else if (task !== undefined) told(task, message.outcome);
        next();
      });
      child.on('error', reject);
      child.on('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`a process of the proof ended with ${code}`)),
      );
      next();
    });
  await Promise.all(Array.from({ length: Math.min(MOST, availableParallelism(), tasks.length) }, lane));
  return failures;
}
