/** What a proof has judged so far, in a file: one that was cut off goes on from there. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '../../reports/proof/kill-matrix.ts';
import type { Task } from './judge-task.ts';

/** In REPORT_DIR, a line for each variant. */
const FILE = 'proof.jsonl';

/** What earlier parts of a proof have judged. A proof begins anew unless it is asked to go on; one of a part leaves no file. */
export class Progress {
  private readonly path: string | null;
  private readonly before: ReadonlyMap<string, Outcome>;

  private constructor(path: string | null, before: ReadonlyMap<string, Outcome>) {
    this.path = path;
    this.before = before;
  }

  /** @throws Error if the file of an earlier proof cannot be read */
  static open(folder: string | null, { resume }: { resume: boolean }): Progress {
    if (folder === null) return new Progress(null, new Map());
    const path = join(folder, FILE);
    mkdirSync(folder, { recursive: true });
    if (!resume || !existsSync(path)) writeFileSync(path, '');
    const text = readFileSync(path, 'utf8');
    // the next line begins anew, whatever the last one was cut off at
    if (text !== '' && !text.endsWith('\n')) appendFileSync(path, '\n');
    return new Progress(path, new Map(text.split('\n').flatMap(lineRead)));
  }

  /** What is known of these tasks already, and which of them are left. */
  of(tasks: readonly Task[]): { judged: Outcome[]; left: Task[] } {
    return {
      judged: tasks.flatMap((task) => this.before.get(keyOf(task)) ?? []),
      left: tasks.filter((task) => !this.before.has(keyOf(task))),
    };
  }

  keep(task: Task, outcome: Outcome): void {
    if (this.path !== null) appendFileSync(this.path, `${JSON.stringify([keyOf(task), outcome])}\n`);
  }
}

/** None: of a proof that was cut off, the last line may be half. */
function lineRead(line: string): [string, Outcome][] {
  try {
    return [JSON.parse(line) as [string, Outcome]];
  } catch {
    return [];
  }
}

/** The text by which a task is known, in every proof the same. */
export function keyOf({ kind, id, base, seed, roundTrip, wire, propertiesOnly, whole }: Task): string {
  return JSON.stringify([kind, id, base, seed, roundTrip, wire, propertiesOnly, whole]);
}
