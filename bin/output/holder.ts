/** Which process writes into a folder: said by its number and by when it began, because numbers are given out again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The process of a run, and when the run began. */
interface Holder {
  pid: number;
  /** When the process began, as Linux counts it; null elsewhere. */
  processBegan: string | null;
  /** ISO 8601. */
  began: string;
}

/** Name of the file in the folder that the run holds. */
const FILE = 'run.json';

/** The text of this process, to be written into the folder that it holds, and the name of the file. */
export function holding(began: Date): [name: string, text: string] {
  const holder: Holder = {
    pid: process.pid,
    processBegan: processBegan(process.pid),
    began: began.toISOString(),
  };
  return [FILE, JSON.stringify(holder)];
}

/** The process that holds the folder, if it still runs. */
export function holderOf(folder: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as Holder;
    return isRunning(holder.pid) && [null, processBegan(holder.pid)].includes(holder.processBegan)
      ? holder
      : null;
  } catch {
    return null;
  }
}

/** Whether a process has this number. */
export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return statOf(pid)?.[0] !== 'Z';
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
