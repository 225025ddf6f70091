/** What the commands about certificates share: mistakes that end with 2, files that are read or explained in one line. */
import { statSync, type Stats } from 'node:fs';
import { privateKey, publicKey } from '../../reports/certificate/signed/keys.ts';
import { terminal } from '../../reports/words/escape.ts';
import type { KeyObject } from 'node:crypto';
import { LARGEST, readForeign, Unreadable } from '../files/foreign-file.ts';
import { NoFileThere } from '../files/own-file.ts';
import { err } from '../output/print.ts';

/** A mistake of whoever calls, in one line; the command ends with 2. */
export class Mistake extends Error {}

/** Runs a command to its exit code: a mistake is one line and 2, and what nobody foresaw one line and 3. */
export async function ends(main: () => number | Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    err(
      error instanceof Mistake
        ? `${error.message}\n`
        : `The suite itself broke: ${terminal(error instanceof Error ? error.message : String(error))}\n`,
    );
    process.exitCode = error instanceof Mistake ? 2 : 3;
  }
}

/** Writes what a command makes. `place`: as people named it. @throws Mistake, in one line, if that is not possible */
export function writing<T>(place: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new Mistake(
      error instanceof NoFileThere
        ? error.message
        : `${place} cannot be written to (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
    );
  }
}

/** The bytes of a file. @throws Mistake */
export function readFile(path: string, most: number = LARGEST.signed, orPipe = false): Buffer {
  try {
    return readForeign(path, most, orPipe);
  } catch (error) {
    throw new Mistake(`${path} ${error instanceof Unreadable ? error.message : 'cannot be read'}`);
  }
}

/** The private key of a file that nobody else may read. @throws Mistake, without anything of the key */
export function readPrivateKey(path: string, passphraseFile: string | undefined): KeyObject {
  const pem = readKeyFile(path).toString('latin1');
  const passphrase =
    passphraseFile === undefined
      ? null
      : readKeyFile(passphraseFile)
          .toString('utf8')
          .replace(/\r?\n$/, '');
  const read = privateKey(path, pem, process.platform === 'win32' ? null : modeOf(path), passphrase);
  if ('problem' in read) throw new Mistake(read.problem);
  return read.key;
}

/** The public key of a file. @throws Mistake */
export function readPublicKey(path: string): KeyObject {
  const read = publicKey(path, readKeyFile(path).toString('latin1'));
  if ('problem' in read) throw new Mistake(read.problem);
  return read.key;
}

/** The time of a day (its beginning, UTC) or of a moment in ISO 8601. @throws Mistake */
export function readTime(text: string, option: string): Date {
  const day = text.slice(0, 10);
  const time = new Date(day === text ? `${text}T00:00:00.000Z` : text);
  const begin = new Date(`${day}T00:00:00.000Z`);
  const isTime =
    /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text) &&
    !Number.isNaN(time.getTime()) &&
    // the 31st of a shorter month would be a day of the next one
    begin.toISOString().startsWith(day);
  if (!isTime)
    throw new Mistake(`${option} must be a day, YYYY-MM-DD, or a moment such as 2026-12-01T10:00:00Z`);
  return time;
}

/** The clock of the suite: AS_OF if it is set, as in a run. @throws Mistake */
export function now(): Date {
  const { AS_OF } = process.env;
  return AS_OF === undefined ? new Date() : readTime(AS_OF, 'AS_OF');
}

/** Keys are of the operator, whose shell may hand them over in a pipe. */
function readKeyFile(path: string): Buffer {
  return readFile(path, LARGEST.key, true);
}

function modeOf(path: string): number {
  const { mode }: Stats = statSync(path);
  return mode & 0o777;
}
