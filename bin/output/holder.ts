/**
 * Finds out if another run writes into a folder.
 * In one place, process number and start time identify a process. Containers that share a folder do not see
 * each other's processes, and numbers are reused.
 * From elsewhere only the file of the run shows that the run lives: the run touches it about once a second
 * until it ends. Clocks are never compared.
 */
import { readFileSync, readlinkSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LARGEST, readForeign } from '../files/foreign-file.ts';

/** The process of a run, with the time at which the run began. */
export interface Holder {
  pid: number;
  /** The start of the process as Linux counts it; null on other systems. */
  processBegan: string | null;
  /** The place in which the process number is valid. */
  place: string;
  /** ISO 8601. */
  began: string;
}

/** The file in the folder that identifies the run. */
const FILE = 'run.json';
/**
 * BEAT is the time between two touches of the file, in milliseconds. After SILENCE without a touch a run
 * elsewhere counts as dead; a busy process may miss some touches.
 */
const BEAT = 1_000;
const SILENCE = 8_000;
/** Milliseconds between two reads of the file's time. */
const READ_EVERY = 250;
/** The place of this process: all processes there see each other's numbers. */
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
 * Touches the file of the folder regularly, so that others see that the run lives. It does not keep the process
 * alive.
 * @returns stops the touching
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
  }, BEAT);
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

/** True if the process is of this place, so that its number can be looked up. */
export function isHere({ place }: Holder): boolean {
  return place === PLACE;
}

/** True if the process lives. For a process elsewhere, this watches its file for some seconds. */
export async function isAlive(holder: Holder, folder: string): Promise<boolean> {
  if (isHere(holder))
    return isRunning(holder.pid) && [null, findProcessStart(holder.pid)].includes(holder.processBegan);
  const first = readBeat(folder);
  for (let waited = 0; waited < SILENCE; waited += READ_EVERY) {
    await pause(READ_EVERY);
    if (readBeat(folder) !== first) return true;
  }
  return false;
}

/** Returns the time of the last touch of the file, by the clock of the disk. */
function readBeat(folder: string): number | null {
  try {
    return statSync(join(folder, FILE)).mtimeMs;
  } catch {
    return null;
  }
}

/** True if a process with this number runs. */
export function isRunning(pid: number): boolean {
  if (!isNumber(pid)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return readStat(pid)?.[0] !== 'Z';
}

function isNumber(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 0;
}

/** On Linux, the start of the machine and the namespace of process numbers: each container has its own. */
function findPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function findProcessStart(pid: number): string | null {
  return readStat(pid)?.[19] ?? null;
}

/** Returns the fields of `/proc/<pid>/stat` after the name, the state first; null if there are none. */
function readStat(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
