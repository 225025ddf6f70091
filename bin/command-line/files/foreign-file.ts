/** Reads files that others wrote, which may be anything: a folder, a pipe that never ends, or a file of 100 GB. */
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { ignoreErrors } from './own-file.ts';

/** A file cannot be read. The message is the end of a sentence that begins with the path: "is a folder; a file is expected". */
export class Unreadable extends Error {}

/** The most bytes of each kind of file that commands read. */
export const LARGEST = {
  keyOrHolder: 64 * 1024,
  signed: 16 * 1024 * 1024,
  report: 64 * 1024 * 1024,
  evidence: 256 * 1024 * 1024,
} as const;

/** Flags to open a file without waiting: a named pipe without a writer would block. Windows has no such flag and no need. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Paths of pipes that a shell makes for `<(command)`, e.g. `/dev/fd/63`. A pipe elsewhere may never get a writer. */
const PIPES = /^\/(?:dev\/(?:fd\/|stdin$)|proc\/(?:self|\d+)\/fd\/)/;

/**
 * Returns the bytes of a file.
 * @param most the most bytes; a larger file is refused
 * @param isKey true for the file of a key: then a pipe that a shell makes for `<(command)` is read too
 * @throws Unreadable
 */
export function readForeign(path: string, most: number, isKey = false): Buffer {
  const orPipe = isKey && PIPES.test(path);
  let file: number;
  try {
    // The pipe of a shell has a writer, so the open call may wait for it.
    file = openSync(path, orPipe ? 'r' : AT_ONCE);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code !== 'ENOENT';
    throw new Unreadable(isThere ? `cannot be read (${findCode(error)})` : 'does not exist');
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() && !(orPipe && stat.isFIFO()))
      throw new Unreadable(`is ${describeKind(stat)}; a file is expected`);
    return readBytes(file, most);
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(`cannot be read (${findCode(error)})`);
  } finally {
    closeSync(file);
  }
}

/** Reads to the end and counts the bytes. The size that the system reports may be wrong: a file may grow, or be in /proc. */
function readBytes(file: number, most: number): Buffer {
  const parts: Buffer[] = [];
  for (let size = 0; ;) {
    const part = Buffer.allocUnsafe(64 * 1024);
    const length = readSync(file, part, 0, part.length, null);
    if (length === 0) return Buffer.concat(parts, size);
    size += length;
    if (size > most) throw new Unreadable(`is larger than ${most / 1024} KiB; a smaller file is expected`);
    parts.push(part.subarray(0, length));
  }
}

/** True if the path is a folder. False also if it cannot be examined: the code that reads it later reports the problem. */
export function isFolder(path: string): boolean {
  return ignoreErrors(() => statSync(path))?.isDirectory() === true;
}

function describeKind(stat: Stats): string {
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a named pipe';
  return stat.isSocket() ? 'a socket' : 'a device';
}

/** Returns the error code of the system, e.g. `EACCES`. Opening a socket fails with ENXIO: then it says so. */
function findCode(error: unknown): string {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return code === 'ENXIO' ? 'it is a socket; a file is expected' : code;
}
