/** Writes files of a command, such as certificates. A link in place of a file is never followed: it may lead anywhere. */
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { Unwritable } from './unwritable.ts';

/** The permissions of a new file; the process's umask takes some of them away. */
const USUAL_MODE = 0o666;

/**
 * Writes a file, or replaces an existing file and keeps its permissions as far as the umask allows. It writes a temporary file in the same
 * folder and renames it to `path`, so nobody ever reads half a file.
 * @throws Unwritable, Error
 */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const before = readStat(path);
  if (before?.isSymbolicLink() === true)
    throw new Unwritable(
      `${path} is a link, and nothing is written through one: name the file itself, or remove the link`,
    );
  if (before !== undefined && !before.isFile())
    throw new Unwritable(`${path} is not a file: name another one`);
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode: (before?.mode ?? USUAL_MODE) & 0o777 });
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Writes a new file, and makes its folder if it is missing.
 * @returns false if the path exists, even as a link: then nothing is written
 * @throws Error
 */
export function writeNewFile(path: string, content: string, mode: number): boolean {
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, content, { flag: 'wx', mode });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Makes a folder, unless a link is in its place.
 * @throws Unwritable, Error
 */
export function makeOwnFolder(path: string): void {
  if (readStat(path)?.isSymbolicLink() === true)
    throw new Unwritable(`${path} is a link, and nothing is written through one: name the folder itself`);
  mkdirSync(path, { recursive: true });
}

function readStat(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** True if the path exists, even as a link to nothing. */
export function isPathThere(path: string): boolean {
  return ignoreErrors(() => readStat(path)) != null;
}

/** True if the path is a folder and not a link. */
export function isOwnFolder(path: string): boolean {
  return ignoreErrors(() => readStat(path))?.isDirectory() === true;
}

/** Calls `act` and returns its result; null if it throws. For files that may be missing, and for cleaning up after a run. */
export function ignoreErrors<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}
