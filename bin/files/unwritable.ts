/** What is said if something could not be written: what, why, and what to do. */
import { relative } from 'node:path';

/** Codes of the system, in words that follow "because". */
const CAUSES: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'a file may not grow that large here',
  EROFS: 'the disk takes no changes',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  ENOENT: 'the folder is gone or cannot be made',
  ENOTDIR: 'there is something in its place that is not a folder',
  EEXIST: 'there is something in its place that is not a folder',
  EISDIR: 'there is a folder in its place',
  EIO: 'the disk reports an error',
};

/** What only room helps against. */
const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Something could not be written; the message is one sentence for whoever started the command. */
export class Unwritable extends Error {}

/** The path as people type it in this folder. */
export function asTyped(path: string): string {
  return relative(process.cwd(), path) || '.';
}

/** Whether the system refused it. Everything else that is thrown is a mistake of ours. */
export function isRefusedBySystem(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return (
    error instanceof Error &&
    typeof (error as NodeJS.ErrnoException).code === 'string' &&
    (error as NodeJS.ErrnoException).syscall !== undefined
  );
}

/** Whether a disk or folder takes no file; a process that cannot be started or reached is another matter. */
export function isRefusedByDisk(error: unknown): boolean {
  return isRefusedBySystem(error) && error.code in CAUSES;
}

/** The sentence for an error of the system. @param what the subject, such as `REPORT_DIR (out)` @param then what to do when that is seen to */
export function unwritable(what: string, error: unknown, then: string): Unwritable {
  if (error instanceof Unwritable) return error;
  if (!isRefusedBySystem(error)) throw error;
  const { code } = error;
  return new Unwritable(
    `${what} cannot be written, because ${CAUSES[code] ?? 'the system refuses it'} (${code}): ${FULL.includes(code) ? 'make room there' : 'see that it can be written'}${then}.`,
    { cause: error },
  );
}
