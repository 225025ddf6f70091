/** What a proof has judged so far, in a file: one that was cut off goes on from there. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '../../reports/proof/kill-matrix.ts';
import type { Task } from './judge-task.ts';

/** In REPORT_DIR, a line for each variant. */
const FILE = 'proof.jsonl';

/** Which variants are judged, and which are left. A proof begins anew unless it is told to go on; one of a part leaves no file. */
export class Progress {
  readonly judged: readonly Outcome[];
  readonly left: readonly Task[];
  private readonly path: string | null;

  private constructor(path: string | null, judged: readonly Outcome[], left: readonly Task[]) {
    this.path = path;
    this.judged = judged;
    this.left = left;
  }

  /** @throws Error where the file of an earlier proof cannot be read */
  static open(folder: string | null, tasks: readonly Task[], { resume }: { resume: boolean }): Progress {
    if (folder === null) return new Progress(null, [], tasks);
    const path = join(folder, FILE);
    mkdirSync(folder, { recursive: true });
    if (!resume || !existsSync(path)) writeFileSync(path, '');
    const before = new Map(
      readFileSync(path, 'utf8')
        .split('\n')
        // the last line of a proof that was cut off may be half
        .filter((line) => line.endsWith(']'))
        .map((line) => JSON.parse(line) as [string, Outcome]),
    );
    const outcomes = tasks.map((task) => before.get(keyOf(task)));
    return new Progress(
      path,
      outcomes.filter((each) => each !== undefined),
      tasks.filter((_, index) => outcomes[index] === undefined),
    );
  }

  keep(task: Task, outcome: Outcome): void {
    if (this.path !== null) appendFileSync(this.path, `${JSON.stringify([keyOf(task), outcome])}\n`);
  }
}

function keyOf({ kind, id, seed, roundTrip, propertiesOnly, whole }: Task): string {
  return JSON.stringify([kind, id, seed, roundTrip, propertiesOnly, whole]);
}
