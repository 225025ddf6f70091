import { openEvidence } from './artifacts.ts';

/** The evidence file. Lines that come before the folder is known are kept in memory until it is. */
export class EvidenceFile {
  private early: string[] | null = [];
  private file: ReturnType<typeof openEvidence> | null = null;

  write(text: string): void {
    if (this.file === null) this.early?.push(text);
    else this.file.write(text);
  }

  /** @throws Error when it cannot be written */
  open(folder: string): void {
    this.file = openEvidence(folder);
    for (const text of this.early ?? []) this.file.write(text);
    this.early = null;
  }

  /** What comes later is not kept. */
  close(): void {
    this.file?.close();
    this.file = null;
    this.early = null;
  }
}
