/** Turns an error of the disk into one sentence for the user: what could not be written, why, and what to do. */
import { relative } from 'node:path';

/** Causes by the error code of the system, in words that follow "because". */
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

/** Error codes for which the advice is to make room on the disk. */
const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** A file or folder could not be written. The message is one sentence for the user. */
export class Unwritable extends Error {}

/** Returns the path relative to the working directory, as a user would type it. */
export function shortenPath(path: string): string {
  return relative(process.cwd(), path) || '.';
}

/** True if a call of the operating system failed, e.g. with EACCES. Any other error is a defect of the suite. */
export function isRefusedBySystem(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/** True if the code of the error is in CAUSES. False for other errors of the system, e.g. ECONNREFUSED. */
export function isRefusedByDisk(error: unknown): boolean {
  return isRefusedBySystem(error) && error.code in CAUSES;
}

/**
 * Makes the error with the sentence: `<what> cannot be written, because <cause> (<code>): <remedy><then>.`
 * @param what e.g. `REPORT_DIR (out)`
 * @param then the end of the sentence, e.g. ` and run again`
 * @throws error itself, if it does not come from the system
 */
export function explainUnwritable(what: string, error: unknown, then: string): Unwritable {
  if (error instanceof Unwritable) return error;
  if (!isRefusedBySystem(error)) throw error;
  const { code } = error;
  return new Unwritable(
    `${what} cannot be written, because ${CAUSES[code] ?? 'the system refuses it'} (${code}): ${FULL.includes(code) ? 'make room there' : 'see that it can be written'}${then}.`,
    { cause: error },
  );
}
