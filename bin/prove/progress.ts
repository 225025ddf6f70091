/** Keeps the outcomes of a proof in the file proof.jsonl. With `--resume`, a proof that was interrupted goes on after them. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VariantOutcome } from '../../reports/shown/proof/kill-matrix.ts';
import type { Task } from './judge-task.ts';

/** The file in REPORT_DIR. It has one line for each variant. */
const FILE = 'proof.jsonl';

/** The file of a proof, with the outcomes that an interrupted proof or its shards have left there. */
export class ProofProgress {
  private readonly path: string | null;
  /** Outcomes of earlier proofs, by `keyTask`. */
  private readonly known: ReadonlyMap<string, VariantOutcome>;

  private constructor(path: string | null, known: ReadonlyMap<string, VariantOutcome>) {
    this.path = path;
    this.known = known;
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
      judged: tasks.flatMap((task) => this.known.get(keyTask(task)) ?? []),
      left: tasks.filter((task) => !this.known.has(keyTask(task))),
    };
  }

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
