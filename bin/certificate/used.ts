/** The issuer's record of answered challenges: one line for each, written before anything is signed. */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { Challenge } from '../../fixtures/settings/challenge.ts';
import { LARGEST } from '../files/foreign-file.ts';
import { NoFileThere } from '../files/own-file.ts';
import { Mistake, readFile } from './certificate-files.ts';

/** One line of the record. */
interface Used {
  nonce: string;
  at: string;
  /** A random id of the command that wrote the line. */
  by: string;
}

/**
 * Flags for opening the record: links are not followed, and a pipe without a reader does not block, where the
 * system supports this.
 */
const APPENDING =
  constants.O_APPEND |
  constants.O_CREAT |
  constants.O_WRONLY |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/**
 * Records that the challenge has an answer.
 * @returns true if this is the first answer
 * @throws Mistake, Error
 */
export function takeOnce(path: string, { nonce }: Challenge, at: Date): boolean {
  const own: Used = { nonce, at: at.toISOString(), by: randomUUID() };
  append(path, `${JSON.stringify(own)}\n`);
  // If two commands write at the same time, the first line counts.
  return usedIn(path).find((each) => each.nonce === nonce)?.by === own.by;
}

function append(path: string, line: string): void {
  let file: number;
  try {
    file = openSync(path, APPENDING, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP')
      throw new NoFileThere(`${path} is a link, and nothing is written through one: name the file itself`);
    throw error;
  }
  try {
    writeSync(file, line);
  } finally {
    closeSync(file);
  }
}

function usedIn(path: string): Used[] {
  const lines = readFile(path, LARGEST.report).toString('utf8').split('\n').filter(Boolean);
  return lines.map((line, index) => {
    try {
      const { nonce, at, by } = JSON.parse(line) as Used;
      if (/^[0-9a-f]{64}$/.test(nonce) && typeof by === 'string') return { nonce, at, by };
    } catch {
      // The error below reports the line.
    }
    throw new Mistake(`${path} is not a record of answered challenges: line ${index + 1} is not an entry`);
  });
}
