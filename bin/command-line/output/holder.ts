/**
 * Claims the folder `.run` for one run. A run names its process in `run.json` there, and touches that file about once a second. The folder
 * is free if the process has ended here, or if nobody has touched the file for some seconds. Clocks of two machines are never compared.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { LARGEST, readForeign } from '../files/foreign-file.ts';
import { ignoreErrors, isPathThere } from '../files/own-file.ts';
import { Unwritable } from '../files/unwritable.ts';

/** The content of `run.json`. `place`: the host or container in which `pid` is valid. `began`: the start of the run, ISO 8601. */
interface Holder {
  pid: number;
  place: string;
  began: string;
}

/** The file in the folder that names its holder. */
export const HOLDER_FILE = 'run.json';
/** The place of this process: its machine, and on Linux the container (namespace of process numbers). */
export const PLACE = `${hostname()} ${ignoreErrors(() => readlinkSync('/proc/self/ns/pid')) ?? ''}`;
/** Milliseconds between two touches of the file. */
const TOUCH_EVERY = 1_000;
/** The holder is dead if it has not touched its file for 8,000 ms. */
const DEAD_AFTER = 8_000;
/** Milliseconds between two reads of the file. */
const READ_EVERY = 250;

/**
 * Makes the folder `work` for this process. It is prepared under another name and then renamed, so it never exists without
 * its file `run.json`.
 * @param name the folder in the words of a message: `REPORT_DIR (out)`
 * @returns a function that removes the folder
 * @throws Unwritable if another run has the folder
 */
export async function claimFolder(work: string, name: string): Promise<() => void> {
  const file = join(work, HOLDER_FILE);
  const own: Holder = { pid: process.pid, place: PLACE, began: new Date().toISOString() };
  while (!makeIfFree(work, JSON.stringify(own))) await removeRunOfKilled(work, name);
  // If somebody deletes the folder, `touch` does nothing, and the run notices it when it writes. The timer does not keep the process alive.
  const touch = () => ignoreErrors(() => utimesSync(file, new Date(), new Date()));
  const timer = setInterval(touch, TOUCH_EVERY).unref();
  return () => {
    clearInterval(timer);
    ignoreErrors(() => rmSync(work, { recursive: true, force: true }));
  };
}

/** Makes the folder with its file. Returns false if there is a folder already. @throws Error if it cannot be made */
function makeIfFree(work: string, own: string): boolean {
  const prepared = `${work}-${randomUUID()}`;
  try {
    mkdirSync(prepared);
    writeFileSync(join(prepared, HOLDER_FILE), own);
    renameSync(prepared, work);
    return true;
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    // A claimed folder holds its file, and no folder can replace a folder that is not empty.
    if (isPathThere(work)) return false;
    throw error;
  }
}

/** Removes the folder of a run that was killed. @throws Unwritable if that run still runs */
async function removeRunOfKilled(work: string, name: string): Promise<void> {
  const holder = readHolder(work);
  if (holder !== null && (await isAlive(holder, work))) {
    const { place, pid, began } = holder;
    const where = place === PLACE ? `process ${pid}` : 'in another container or on another machine';
    throw new Unwritable(
      `${name} is in use by another run (${where}, since ${began}): wait for its end, or name another folder.`,
    );
  }
  const moved = `${work}-${randomUUID()}`;
  try {
    renameSync(work, moved);
  } catch (error) {
    // The holder has ended meanwhile and has removed the folder itself.
    if (!isPathThere(work)) return;
    throw error;
  }
  // If another process has claimed the folder since it was read above, it gets the folder back.
  if (isDeepStrictEqual(readHolder(moved), holder)) rmSync(moved, { recursive: true, force: true });
  else renameSync(moved, work);
}

/** Returns the process that the folder names; null if its file cannot be read. */
function readHolder(work: string): Holder | null {
  return ignoreErrors(() => {
    const text = readForeign(join(work, HOLDER_FILE), LARGEST.keyOrHolder).toString('utf8');
    const { pid, place, began } = JSON.parse(text) as Holder;
    return typeof place === 'string' && typeof began === 'string' ? { pid, place, began } : null;
  });
}

/**
 * True if the process still runs. The number alone does not say so: another process may have it now. So the file is watched for 8 s,
 * because a run touches it each second, and removes it when it ends.
 */
async function isAlive({ pid, place }: Holder, work: string): Promise<boolean> {
  if (place === PLACE && hasEnded(pid)) return false;
  const readTouch = () => ignoreErrors(() => statSync(join(work, HOLDER_FILE)).mtimeMs);
  const first = readTouch();
  for (let waited = 0; waited < DEAD_AFTER; waited += READ_EVERY) {
    await pause(READ_EVERY);
    if (readTouch() !== first) return isPathThere(join(work, HOLDER_FILE));
  }
  return false;
}

/** True if no process here has this number (ESRCH). For a process of another user the error is EPERM: it exists. */
function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
