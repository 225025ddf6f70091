/**
 * Finds out if another run writes into a folder. The run names its process in `run.json` there (the holder).
 * A place is a machine or a container. On the same place, the process number and the start time of the process tell if it
 * still runs. From another place, process numbers are not visible: there a run is alive if it goes on touching `run.json`,
 * which it does about once a second. Clocks of two places are never compared.
 */
import { readFileSync, readlinkSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LARGEST, readForeign } from '../files/foreign-file.ts';

/** The content of `run.json`: the process of a run, and the start of the run. */
export interface Holder {
  pid: number;
  /** The start of the process as Linux counts it; null on other systems. */
  processBegan: string | null;
  /** The machine or container in which the process number is valid. */
  place: string;
  /** The start of the run, ISO 8601. */
  began: string;
}

/** The file in the folder that identifies the run. */
const FILE = 'run.json';
/** Milliseconds between two touches of the file. */
const TOUCH_EVERY = 1_000;
/** A run at another place is dead after this many milliseconds without a touch. A busy process may miss some touches. */
const DEAD_AFTER = 8_000;
/** Milliseconds between two reads of the file's time. */
const READ_EVERY = 250;
/** The place of this process. */
const PLACE = findPlace();

/** Returns name and text of the file that identifies this process in the folder. */
export function describeHolder(began: Date): [name: string, text: string] {
  const holder: Holder = {
    pid: process.pid,
    processBegan: findProcessStart(process.pid),
    place: PLACE,
    began: began.toISOString(),
  };
  return [FILE, JSON.stringify(holder)];
}

/**
 * Touches the file regularly, so that others see that the run is alive. The timer does not keep the process alive.
 * @returns a function that stops the touching
 */
export function touchHolder(folder: string): () => void {
  const file = join(folder, FILE);
  const timer = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(file, now, now);
    } catch {
      // The folder is gone: the run notices this when it writes.
    }
  }, TOUCH_EVERY);
  timer.unref();
  return () => clearInterval(timer);
}

/** Returns the process that the folder names, dead or alive; null if the file cannot be read. */
export function readHolder(folder: string): Holder | null {
  try {
    const holder = JSON.parse(
      readForeign(join(folder, FILE), LARGEST.key).toString('utf8'),
    ) as Partial<Holder>;
    const { pid = 0, processBegan: since = null, place, began } = holder;
    return isNumber(pid) && typeof place === 'string' && typeof began === 'string'
      ? { pid, processBegan: since, place, began }
      : null;
  } catch {
    return null;
  }
}

/** True if the process is at this place, so that its number can be looked up. */
export function isHere({ place }: Holder): boolean {
  return place === PLACE;
}

/** True if the process still runs. For a process at another place, this watches its file for some seconds. */
export async function isAlive(holder: Holder, folder: string): Promise<boolean> {
  // Another process may have the number now: then the start times differ.
  if (isHere(holder))
    return isRunning(holder.pid) && [null, findProcessStart(holder.pid)].includes(holder.processBegan);
  const first = readTouch(folder);
  for (let waited = 0; waited < DEAD_AFTER; waited += READ_EVERY) {
    await pause(READ_EVERY);
    if (readTouch(folder) !== first) return true;
  }
  return false;
}

/** Returns the time of the last touch of the file, by the clock of the disk. */
function readTouch(folder: string): number | null {
  try {
    return statSync(join(folder, FILE)).mtimeMs;
  } catch {
    return null;
  }
}

/** True if a process with this number runs at this place. A zombie (state Z) does not run. */
export function isRunning(pid: number): boolean {
  if (!isNumber(pid)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and is of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return readStat(pid)?.[0] !== 'Z';
}

function isNumber(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 0;
}

/**
 * Returns a text that differs for each place. On Linux: the id of the machine's start and the namespace of process numbers,
 * of which each container has its own. On other systems: the host name.
 */
function findPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Returns the start of a process: the 22nd field of its `stat`, which counts from the start of the machine. */
function findProcessStart(pid: number): string | null {
  return readStat(pid)?.[19] ?? null;
}

/** Returns the fields of `/proc/<pid>/stat` from the third on, the state. Null if the process does not exist. */
function readStat(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in brackets. It may contain blanks and brackets.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
