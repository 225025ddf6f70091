import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { VariantOutcome } from '../../reports/proof/kill-matrix.ts';
import type { Task } from './judge-task.ts';

/** A script that judges, and the most processes of it at one time. */
interface Workers {
  script: string;
  most: number;
}

const IN_WORLDS: Workers = { script: './worker', most: Math.min(8, availableParallelism()) };
/** In real time these processes mostly wait, so there may be more of them than processors. */
export const OVER_SOCKETS: Workers = {
  script: './wire/socket-worker',
  most: Math.min(12, 3 * availableParallelism()),
};

/**
 * Judges all tasks in a few processes.
 * @param ended gets each outcome when it comes
 * @returns the errors of variants that could not be judged: defects of the suite or of the variant
 * @throws Error when a process breaks
 */
export async function judgeAll(
  tasks: readonly Task[],
  ended: (task: Task, outcome: VariantOutcome) => void,
  { script, most }: Workers = IN_WORLDS,
): Promise<string[]> {
  const queue = [...tasks];
  const failures: string[] = [];
  const lane = () =>
    new Promise<void>((resolve, reject) => {
      const child = fork(fileURLToPath(new URL(`${script}.${import.meta.url.slice(-2)}`, import.meta.url)), {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        // Objects of a run live shortly. A larger young generation saves a tenth of the CPU.
        execArgv: ['--max-semi-space-size=64'],
      });
      let task: Task | undefined;
      const next = () => {
        task = queue.shift();
        if (task === undefined) child.disconnect();
        else child.send(task);
      };
      child.on('message', (message: { outcome: VariantOutcome } | { failure: string }) => {
        if ('failure' in message) failures.push(message.failure);
        else if (task !== undefined) ended(task, message.outcome);
        next();
      });
      child.on('error', reject);
      child.on('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`a process of the proof ended with ${code}`)),
      );
      next();
    });
  await Promise.all(Array.from({ length: Math.min(most, tasks.length) }, lane));
  return failures;
}

/** Judges each task that the parent process sends, and sends back the outcome or the error. */
export function judgeForParent(judge: (task: Task) => Promise<VariantOutcome>): void {
  process.on('message', (task: Task) => {
    void judge(task).then(
      (outcome) => process.send?.({ outcome }),
      (error: Error) =>
        process.send?.({ failure: `${task.kind} ${task.id}: ${error.stack ?? error.message}` }),
    );
  });
}
