/** The issuer's record of answered challenges (`--used`), one line each. `certify` signs no run whose challenge has a line already. */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { Challenge } from '../../fixtures/settings/challenge.ts';
import { LARGEST } from '../command-line/files/foreign-file.ts';
import { Unwritable } from '../command-line/files/unwritable.ts';
import { Mistake, readFile } from './certificate-files.ts';

/**
 * Flags for opening the record to append a line. O_NOFOLLOW refuses links; O_NONBLOCK refuses a pipe without a reader, which
 * would block. Windows has neither.
 */
const APPENDING =
  constants.O_APPEND |
  constants.O_CREAT |
  constants.O_WRONLY |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** Matches a line: the number of the challenge, the time, and a random id of the command that wrote the line. */
const LINE = /^\{"nonce":"([0-9a-f]{64})","at":"[^"]*","by":"[^"]+"\}$/;

/**
 * Records that the challenge has an answer.
 * @returns true if this is the first answer
 * @throws Mistake, Error
 */
export function recordFirstAnswer(path: string, { nonce }: Challenge, at: Date): boolean {
  const own = JSON.stringify({ nonce, at: at.toISOString(), by: randomUUID() });
  append(path, `${own}\n`);
  // Each command appends its line first and reads then. If two commands do so at the same time, the first line counts.
  return findAnswer(path, nonce) === own;
}

/**
 * Returns the first line of a challenge in the record; undefined if the challenge has no answer.
 * @throws Mistake
 */
export function findAnswer(path: string, nonce: string): string | undefined {
  const lines = readFile(path, LARGEST.report).toString('utf8').split('\n').filter(Boolean);
  const wrong = lines.findIndex((line) => !LINE.test(line));
  if (wrong >= 0)
    throw new Mistake(`${path} is not a record of answered challenges: line ${wrong + 1} is not an entry`);
  return lines.find((line) => LINE.exec(line)?.[1] === nonce);
}

/** Appends a line to the record. @throws Unwritable if the path is a link */
function append(path: string, line: string): void {
  let file: number;
  try {
    file = openSync(path, APPENDING, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP')
      throw new Unwritable(`${path} is a link, and nothing is written through one: name the file itself`);
    throw error;
  }
  try {
    writeSync(file, line);
  } finally {
    closeSync(file);
  }
}
