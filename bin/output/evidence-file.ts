import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVIDENCE } from './artifacts.ts';
import { asTyped, unwritable } from '../files/unwritable.ts';

/** The evidence file. Where it cannot be written any more it says so once, and takes no more. */
export class EvidenceFile {
  /** Why it is not whole, or null. */
  problem: Error | null = null;
  /** Learns of the problem when it comes up. */
  onProblem: ((problem: Error) => void) | null = null;
  private file: number | null;

  /** @throws Unwritable */
  constructor(folder: string) {
    const path = join(folder, EVIDENCE);
    try {
      this.file = openSync(path, 'w');
    } catch (error) {
      throw unwritable(asTyped(path), error, ', or name another folder');
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

  /** What comes later is not kept. */
  close(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
  }
}
