/** Reads files that others wrote. It reads only what is a file, and stops at a limit. */
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';

/** Says why a path gives no file, as the end of a sentence: "is a folder; a file is expected". */
export class Unreadable extends Error {}

/** The most bytes of each kind of file that commands read. */
export const LARGEST = {
  key: 64 * 1024,
  signed: 16 * 1024 * 1024,
  report: 64 * 1024 * 1024,
  evidence: 256 * 1024 * 1024,
} as const;

/** Opens without waiting. Windows lacks this flag, and its folders hold no named pipes. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Paths of pipes that a shell makes for `<(command)`. A pipe elsewhere may never get a writer. */
const PIPES = /^\/(?:dev\/(?:fd\/|stdin$)|proc\/(?:self|\d+)\/fd\/)/;

/**
 * Returns the bytes of a file.
 * @param isKey true for the file of a key: then a pipe that a shell makes for `<(command)` is read too
 * @throws Unreadable
 */
export function readForeign(path: string, most: number, isKey = false): Buffer {
  const orPipe = isKey && PIPES.test(path);
  let file: number;
  try {
    // A pipe without a writer would block.
    file = openSync(path, orPipe ? 'r' : AT_ONCE);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code !== 'ENOENT';
    throw new Unreadable(isThere ? `cannot be read (${codeOf(error)})` : 'does not exist');
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() && !(orPipe && stat.isFIFO()))
      throw new Unreadable(`is ${kindOf(stat)}; a file is expected`);
    return bytesOf(file, most);
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(`cannot be read (${codeOf(error)})`);
  } finally {
    closeSync(file);
  }
}

/**
 * Reads to the end and counts. The size of the file is not used: a file may grow, and files of /proc have size
 * 0.
 */
function bytesOf(file: number, most: number): Buffer {
  const parts: Buffer[] = [];
  for (let size = 0; ;) {
    const part = Buffer.allocUnsafe(64 * 1024);
    const length = readSync(file, part, 0, part.length, null);
    if (length === 0) return Buffer.concat(parts, size);
    size += length;
    if (size > most) throw new Unreadable(`is larger than ${most / 1024} KiB, and such a file is not`);
    parts.push(part.subarray(0, length));
  }
}

/** True if the path is a folder. Reading it later reports any other problem. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a named pipe';
  return stat.isSocket() ? 'a socket' : 'a device';
}

function codeOf(error: unknown): string {
  // A socket cannot be opened.
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return code === 'ENXIO' ? 'it is a socket; a file is expected' : code;
}
