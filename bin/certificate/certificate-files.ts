/**
 * Reads and writes files for commands such as `certify`, and ends these commands: a mistake of the user is printed in one line,
 * with exit code 2.
 */
import { statSync } from 'node:fs';
import { Rejected } from '../../reports/certificate/signed/envelope.ts';
import { parsePrivateKey, parsePublicKey } from '../../reports/certificate/signed/key-files.ts';
import { isMoment } from '../../reports/document/checked-json.ts';
import { escapeTerminal } from '../../reports/shown/words/escape.ts';
import type { KeyObject } from 'node:crypto';
import { LARGEST, readForeign, Unreadable } from '../command-line/files/foreign-file.ts';
import { explainUnwritable, Unwritable } from '../command-line/files/unwritable.ts';
import { printError } from '../command-line/output/print.ts';

/** A mistake of the user. The message has a line for each mistake; the command ends with exit code 2. */
export class Mistake extends Error {}

/**
 * Runs a command and sets its exit code to the result of `main`. If `main` throws, the error is printed. The exit code is 2 for
 * `Mistake`, `Rejected` (a file of others is wrong) and `Unwritable`. For any other error, a defect of the suite, it is `codeOfDefect`.
 */
export async function endWithCode(main: () => number | Promise<number>, codeOfDefect = 3): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    const isDefect = ![Mistake, Rejected, Unwritable].some((each) => error instanceof each);
    const why = error instanceof Error ? error.message : String(error);
    // `escapeTerminal` would join the lines of a Mistake.
    const line = error instanceof Mistake ? why : escapeTerminal(why);
    printError(`${isDefect ? 'The suite itself broke: ' : ''}${line}\n`);
    process.exitCode = isDefect ? codeOfDefect : 2;
  }
}

/**
 * Calls `write`, which writes files, and returns its result.
 * @param place the folder or file, for the message
 * @throws Unwritable
 */
export function writeOrRefuse<T>(place: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw explainUnwritable(place, error, ', or name another one');
  }
}

/**
 * Reads the bytes of a file.
 * @param most the most bytes; a larger file is refused
 * @param orPipe true if a pipe of the user's shell, `<(command)`, is read too
 * @throws Mistake
 */
export function readFile(path: string, most: number = LARGEST.signed, orPipe = false): Buffer {
  try {
    return readForeign(path, most, orPipe);
  } catch (error) {
    throw new Mistake(`${path} ${error instanceof Unreadable ? error.message : 'cannot be read'}`);
  }
}

/**
 * Reads a private key from a file that nobody else may read.
 * @throws Mistake, Rejected; no message holds a part of the key
 */
export function readPrivateKey(path: string, passphraseFile: string | undefined): KeyObject {
  const pem = readKeyFile(path).toString('latin1');
  const line = passphraseFile === undefined ? undefined : readKeyFile(passphraseFile).toString('utf8');
  const passphrase = line?.replace(/\r?\n$/, '');
  const mode = process.platform === 'win32' ? null : statSync(path).mode & 0o777;
  return parsePrivateKey(path, pem, mode, passphrase);
}

/**
 * Reads a public key from a file.
 * @throws Mistake, Rejected
 */
export function readPublicKey(path: string): KeyObject {
  return parsePublicKey(path, readKeyFile(path).toString('latin1'));
}

/** Reads the file of a key, which may be a pipe of the user's shell. */
function readKeyFile(path: string): Buffer {
  return readFile(path, LARGEST.keyOrHolder, true);
}

/**
 * Reads a whole number from 1 to `most`.
 * @throws Mistake
 */
export function readWholeNumber(text: string, option: string, most: number): number {
  const number = Number(text);
  if (/^\d{1,6}$/.test(text) && number >= 1 && number <= most) return number;
  throw new Mistake(`${option} must be a whole number from 1 to ${most}`);
}

/**
 * Reads a day (its beginning, UTC) or a moment in RFC 3339.
 * @throws Mistake
 */
export function readTime(text: string, option: string): Date {
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
  if (isMoment(moment)) return new Date(moment);
  throw new Mistake(`${option} must be a day, YYYY-MM-DD, or a moment such as 2026-12-01T10:00:00Z`);
}

/**
 * Returns the present time, or the beginning of the day AS_OF if that variable is set, as in a run.
 * @throws Mistake
 */
export function readNow(): Date {
  const { AS_OF } = process.env;
  return AS_OF === undefined ? new Date() : readTime(AS_OF, 'AS_OF');
}
