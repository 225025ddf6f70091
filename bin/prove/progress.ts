/** Keeps the outcomes of a proof in a file, so that a proof that was cut off can go on from there. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VariantOutcome } from '../../reports/proof/kill-matrix.ts';
import type { Task } from './judge-task.ts';

/** The file in REPORT_DIR, with one line for each variant. */
const FILE = 'proof.jsonl';

/**
 * The outcomes of earlier parts of a proof. A proof begins anew unless `resume` is true; a proof of some
 * variants writes no file.
 */
export class ProofProgress {
  private readonly path: string | null;
  private readonly before: ReadonlyMap<string, VariantOutcome>;

  private constructor(path: string | null, before: ReadonlyMap<string, VariantOutcome>) {
    this.path = path;
    this.before = before;
  }

  /**
   * Opens the file of a proof.
   * @throws Error if the file of an earlier proof cannot be read
   */
  static open(folder: string | null, { resume }: { resume: boolean }): ProofProgress {
    if (folder === null) return new ProofProgress(null, new Map());
    const path = join(folder, FILE);
    mkdirSync(folder, { recursive: true });
    if (!resume || !existsSync(path)) writeFileSync(path, '');
    const text = readFileSync(path, 'utf8');
    // A proof that was cut off may have left a half line: the next one starts on a new line.
    if (text !== '' && !text.endsWith('\n')) appendFileSync(path, '\n');
    return new ProofProgress(path, new Map(text.split('\n').flatMap(lineRead)));
  }

  /** Divides tasks into those that have an outcome already and those that are left. */
  of(tasks: readonly Task[]): { judged: VariantOutcome[]; left: Task[] } {
    return {
      judged: tasks.flatMap((task) => this.before.get(keyTask(task)) ?? []),
      left: tasks.filter((task) => !this.before.has(keyTask(task))),
    };
  }

  keep(task: Task, outcome: VariantOutcome): void {
    if (this.path !== null) appendFileSync(this.path, `${JSON.stringify([keyTask(task), outcome])}\n`);
  }
}

/** Empty if the line is not whole. */
function lineRead(line: string): [string, VariantOutcome][] {
  try {
    return [JSON.parse(line) as [string, VariantOutcome]];
  } catch {
    return [];
  }
}

/** Returns the key of a task. It is equal in all proofs. */
export function keyTask({ kind, id, base, seed, roundTrip, wire, propertiesOnly, whole }: Task): string {
  return JSON.stringify([kind, id, base, seed, roundTrip, wire, propertiesOnly, whole]);
}
