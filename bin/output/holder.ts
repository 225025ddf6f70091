/**
 * Which process writes into a folder. Numbers of processes are given out again, and containers that share a folder do not see each
 * other's: only in one place, a process and its beginning say whether the holder lives. From elsewhere one sees whether the folder
 * beats: a run touches its file again and again, until it ends or is killed. No clock is compared with another.
 */
import { readFileSync, readlinkSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LARGEST, readForeign } from '../files/foreign-file.ts';

/** The process of a run, and when the run began. */
export interface Holder {
  pid: number;
  /** When the process began, as Linux counts it; null elsewhere. */
  processBegan: string | null;
  /** Where the number of the process means something. */
  place: string;
  /** ISO 8601. */
  began: string;
}

/** Name of the file in the folder that the run holds. */
const FILE = 'run.json';
/** Milliseconds between two beats; and the silence after which a holder elsewhere counts as dead: a busy process may leave some out. */
const BEAT = 1_000;
const SILENCE = 8_000;
/** Milliseconds between two looks at the file. */
const LOOK = 250;
/** All processes that see each other's numbers. */
const PLACE = placeHere();

/** The text of this process, to be written into the folder that it holds, and the name of the file. */
export function holding(began: Date): [name: string, text: string] {
  const holder: Holder = {
    pid: process.pid,
    processBegan: processBegan(process.pid),
    place: PLACE,
    began: began.toISOString(),
  };
  return [FILE, JSON.stringify(holder)];
}

/** Shows to others that the folder is held, until it is told to stop. The process does not stay for that. @returns stops it */
export function beat(folder: string): () => void {
  const file = join(folder, FILE);
  const timer = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(file, now, now);
    } catch {
      // the folder is gone, which the run sees when it writes
    }
  }, BEAT);
  timer.unref();
  return () => clearInterval(timer);
}

/** The process that says it holds the folder, dead or alive; null: no word of it can be read. */
export function holderIn(folder: string): Holder | null {
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

/** True if a holder is of this place, so that its process can be looked for. */
export function isHere({ place }: Holder): boolean {
  return place === PLACE;
}

/** Whether the process of a holder lives. One elsewhere is listened to for some seconds. */
export async function isAlive(holder: Holder, folder: string): Promise<boolean> {
  if (isHere(holder))
    return isRunning(holder.pid) && [null, processBegan(holder.pid)].includes(holder.processBegan);
  const first = beatOf(folder);
  for (let waited = 0; waited < SILENCE; waited += LOOK) {
    await pause(LOOK);
    if (beatOf(folder) !== first) return true;
  }
  return false;
}

/** When the file was touched last, as the disk says. */
function beatOf(folder: string): number | null {
  try {
    return statSync(join(folder, FILE)).mtimeMs;
  } catch {
    return null;
  }
}

/** Whether a process has this number. */
export function isRunning(pid: number): boolean {
  if (!isNumber(pid)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return statOf(pid)?.[0] !== 'Z';
}

function isNumber(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 0;
}

/** On Linux the start of the machine and the namespace of the numbers: each container has its own. */
function placeHere(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function processBegan(pid: number): string | null {
  return statOf(pid)?.[19] ?? null;
}

/** What Linux says of a process, from its state on; null if nothing says so. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
