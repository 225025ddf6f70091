/**
 * Finds out if another run writes into a folder. A run names its process in `run.json` there (the holder), and touches the file
 * about once a second. A holder is dead if its process has ended here, or if nobody has touched the file for some seconds. Clocks
 * of two machines are never compared.
 */
import { readlinkSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LARGEST, readForeign } from '../files/foreign-file.ts';

/** The content of `run.json`. `place`: the host or container in which `pid` is valid. `began`: the start of the run, ISO 8601. */
export interface Holder {
  pid: number;
  place: string;
  began: string;
}

const FILE = 'run.json';
/** Milliseconds between two touches, until a holder without a touch is dead, and between two looks at the file. */
const [TOUCH_EVERY, DEAD_AFTER, READ_EVERY] = [1_000, 8_000, 250];
const PLACE = `${hostname()} ${ignoreError(() => readlinkSync('/proc/self/ns/pid')) ?? ''}`;

/** Returns name and text of the file that names this process in the folder. */
export function describeHolder(began: Date): [name: string, text: string] {
  return [
    FILE,
    JSON.stringify({ pid: process.pid, place: PLACE, began: began.toISOString() } satisfies Holder),
  ];
}

/** Touches the file regularly. The timer does not keep the process alive. @returns a function that stops it */
export function touchHolder(folder: string): () => void {
  const touch = () => utimesSync(join(folder, FILE), new Date(), new Date());
  // If the folder is gone, the run notices this when it writes.
  const timer = setInterval(() => ignoreError(touch), TOUCH_EVERY).unref();
  return () => clearInterval(timer);
}

/** Returns the process that the folder names, dead or alive; null if the file cannot be read. */
export function readHolder(folder: string): Holder | null {
  return ignoreError(() => {
    const text = readForeign(join(folder, FILE), LARGEST.key).toString('utf8');
    const { pid, place, began } = JSON.parse(text) as Holder;
    return Number.isSafeInteger(pid) && [place, began].every((each) => typeof each === 'string')
      ? { pid, place, began }
      : null;
  });
}

/** True if the process is at this place, so that its number can be looked up. */
export function isHere({ place }: Holder): boolean {
  return place === PLACE;
}

/** True if the process still runs. This watches its file for some seconds: another process may have the number now. */
export async function isAlive(holder: Holder, folder: string): Promise<boolean> {
  if (isHere(holder) && !isRunning(holder.pid)) return false;
  const readTouch = () => ignoreError(() => statSync(join(folder, FILE)).mtimeMs);
  const first = readTouch();
  for (let waited = 0; waited < DEAD_AFTER; waited += READ_EVERY) {
    await pause(READ_EVERY);
    if (readTouch() !== first) return true;
  }
  return false;
}

/** True if a process with this number runs at this place. EPERM: it is of another user. */
export function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function ignoreError<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}
