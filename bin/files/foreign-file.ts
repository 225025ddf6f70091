/** Files of others, which may be anything: only what is a file is read, and no more of it than is expected. */
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';

/** Why a path gives no file, behind its name: "is a folder; a file is expected". */
export class Unreadable extends Error {}

/** Bytes of the files that commands read, at most. */
export const LARGEST = {
  key: 64 * 1024,
  signed: 16 * 1024 * 1024,
  report: 64 * 1024 * 1024,
  evidence: 256 * 1024 * 1024,
} as const;

/** On Windows there are no named pipes among files, and no such flag. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Where a shell puts the pipe of `<(command)`; whoever reads a pipe elsewhere may wait for a writer for ever. */
const PIPES = /^\/(?:dev\/(?:fd\/|stdin$)|proc\/(?:self|\d+)\/fd\/)/;

/**
 * The bytes of a file. `isKey`: the pipe that a shell gives for `<(command)` is read too, to its end.
 * @throws Unreadable
 */
export function readForeign(path: string, most: number, isKey = false): Buffer {
  const orPipe = isKey && PIPES.test(path);
  let file: number;
  try {
    // a pipe that nobody writes to would keep us waiting
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

/** The size is not asked before: a file can grow meanwhile, and those of /proc have none. */
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

/** True if a path is a folder; whatever else is there, or in its way, is seen when it is read. */
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
  // a socket cannot be opened at all
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return code === 'ENXIO' ? 'it is a socket; a file is expected' : code;
}
