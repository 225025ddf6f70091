/** Texts that all processes of one run of the self-tests share: the first process that needs a text makes it. */
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Playwright empties this folder before each run of the self-tests. */
const SHARED = fileURLToPath(new URL('../test-results/shared/', import.meta.url));

/** Returns the text of this name; null: no process has written it yet. */
export function readShared(name: string): string | null {
  const path = join(SHARED, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** Writes a text, unless another process was first. @returns the text of the first */
export function writeShared(name: string, text: string): string {
  mkdirSync(SHARED, { recursive: true });
  const own = join(SHARED, `${name}.${process.pid}`);
  writeFileSync(own, text, { mode: 0o600 });
  tryToMake(() => linkSync(own, join(SHARED, name)));
  rmSync(own);
  return readShared(name) ?? text;
}

/** Returns the text about something, e.g. a variant. The process that makes the file `claim` makes the text; the others wait. */
export async function makeOnce(about: string, make: () => Promise<string>): Promise<string> {
  const name = createHash('sha256').update(about).digest('hex');
  const claim = join(SHARED, `${name}.claim`);
  let text = readShared(name);
  while (text === null && !tryToMake(() => writeFileSync(claim, '', { flag: 'wx' }))) {
    await setTimeout(100);
    text = readShared(name);
  }
  if (text !== null) return text;
  try {
    // Another process may have written the text just before it removed its claim
    return readShared(name) ?? writeShared(name, await make());
  } finally {
    rmSync(claim);
  }
}

/** Calls a function that makes a new file. @returns false if the file was there before */
function tryToMake(makeFile: () => void): boolean {
  try {
    makeFile();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}
