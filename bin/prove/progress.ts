/** Keeps the outcomes of a proof in a file. A proof that was interrupted goes on from there (`--resume`). */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VariantOutcome } from '../../reports/shown/proof/kill-matrix.ts';
import type { Task } from './judge-task.ts';

/** The file in REPORT_DIR, with one line for each variant. */
const FILE = 'proof.jsonl';

/** The outcomes that an earlier, interrupted proof or its shards have left, by the key of the task. */
export class ProofProgress {
  private readonly path: string | null;
  private readonly before: ReadonlyMap<string, VariantOutcome>;

  private constructor(path: string | null, before: ReadonlyMap<string, VariantOutcome>) {
    this.path = path;
    this.before = before;
  }

  /**
   * Opens the file of a proof. Without `resume`, earlier outcomes are removed.
   * @param folder the folder of the file; null if only some variants are judged: then nothing is kept
   * @throws Error if the file of an earlier proof cannot be read
   */
  static open(folder: string | null, { resume }: { resume: boolean }): ProofProgress {
    if (folder === null) return new ProofProgress(null, new Map());
    const path = join(folder, FILE);
    mkdirSync(folder, { recursive: true });
    if (!resume || !existsSync(path)) writeFileSync(path, '');
    const text = readFileSync(path, 'utf8');
    // An interrupted proof may have left an incomplete last line. The next outcome starts on a new line.
    if (text !== '' && !text.endsWith('\n')) appendFileSync(path, '\n');
    return new ProofProgress(path, new Map(text.split('\n').flatMap(readLine)));
  }

  /** Returns the known outcomes of these tasks, and the tasks that have no outcome yet. */
  findKnown(tasks: readonly Task[]): { judged: VariantOutcome[]; left: Task[] } {
    return {
      judged: tasks.flatMap((task) => this.before.get(keyTask(task)) ?? []),
      left: tasks.filter((task) => !this.before.has(keyTask(task))),
    };
  }

  /** Appends an outcome to the file. */
  keep(task: Task, outcome: VariantOutcome): void {
    if (this.path !== null) appendFileSync(this.path, `${JSON.stringify([keyTask(task), outcome])}\n`);
  }
}

/** Returns the outcome in a line, with the key of its task. Empty if the line is incomplete. */
function readLine(line: string): [string, VariantOutcome][] {
  try {
    return [JSON.parse(line) as [string, VariantOutcome]];
  } catch {
    return [];
  }
}

/** Returns the key of a task. A task of another proof with the same members has the same key. */
export function keyTask({ kind, id, base, seed, roundTrip, wire, propertiesOnly, whole }: Task): string {
  return JSON.stringify([kind, id, base, seed, roundTrip, wire, propertiesOnly, whole]);
}
