/** Writes the files of a command. A link in place of a file is never followed, because it may lead anywhere. */
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

/** Something other than a file is at the path of a file to write. */
export class NoFileThere extends Error {}

/** The permissions of a new file, before the mask of the process. */
const USUAL_MODE = 0o666;

/**
 * Writes a file. An existing file is replaced and its permissions stay. The file is written whole or not at
 * all.
 * @throws NoFileThere, Error
 */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const before = statOf(path);
  if (before?.isSymbolicLink() === true)
    throw new NoFileThere(
      `${path} is a link, and nothing is written through one: name the file itself, or remove the link`,
    );
  if (before !== undefined && !before.isFile())
    throw new NoFileThere(`${path} is not a file: name another one`);
  const beside = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    writeFileSync(beside, content, {
      flag: 'wx',
      mode: before === undefined ? USUAL_MODE : before.mode & 0o777,
    });
    renameSync(beside, path);
  } finally {
    rmSync(beside, { force: true });
  }
}

/**
 * Writes a new file and makes its folder.
 * @returns false if something was there, even a link; then nothing is written
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
 * @throws NoFileThere, Error
 */
export function makeOwnFolder(path: string): void {
  if (statOf(path)?.isSymbolicLink() === true)
    throw new NoFileThere(`${path} is a link, and nothing is written through one: name the folder itself`);
  mkdirSync(path, { recursive: true });
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
