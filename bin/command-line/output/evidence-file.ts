import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVIDENCE } from './artifacts.ts';
import { shortenPath, explainUnwritable } from '../files/unwritable.ts';

/** Writes `evidence.jsonl` during the run. If writing fails, it calls `onProblem` once and ignores all later text. */
export class EvidenceFile {
  /** The error of the first text that could not be written; null if there is none. */
  problem: Error | null = null;
  /** Called once if writing fails. */
  onProblem: ((problem: Error) => void) | null = null;
  private file: number | null;

  /** @throws Unwritable */
  constructor(folder: string) {
    const path = join(folder, EVIDENCE);
    try {
      this.file = openSync(path, 'w');
    } catch (error) {
      throw explainUnwritable(shortenPath(path), error, ', or name another folder');
    }
  }

  write(text: string): void {
    if (this.file === null) return;
    try {
      writeFileSync(this.file, text);
    } catch (error) {
      this.problem = error as Error;
      this.close();
      this.onProblem?.(this.problem);
    }
  }

  /** Closes the file. Later text is ignored. */
  close(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
  }
}
