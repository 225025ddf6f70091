/** Finds a process and its descendants under `/proc`. This works on Linux only; elsewhere all results are empty. */
import { readdirSync, readFileSync } from 'node:fs';

/** The processes and their memory at one moment. */
interface Processes {
  pids: number[];
  /** In MiB. Memory that several processes share is divided between them (proportional set size). */
  memory: number;
}

/** Returns the process `root` and its descendants. */
export function readProcesses(root: number): Processes {
  // By the number of a process: the numbers of its children.
  const children = new Map<number, number[]>();
  for (const name of list('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The file begins with number, name, state and parent: `42 (node) S 17`.
    const parent = Number(/^\d+ \(.*\) \S (\d+)/s.exec(text(`/proc/${name}/stat`))?.[1] ?? -1);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  // `for` also visits the elements that its body adds: the children of each process, their children, and so on.
  const pids = [root];
  for (const pid of pids) pids.push(...(children.get(pid) ?? []));
  const sizes = pids.map((pid) => Number(/^Pss:\s+(\d+)/m.exec(text(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0));
  return { pids, memory: sizes.reduce((sum, each) => sum + each, 0) / 1024 };
}

/** Returns arguments and environment of a process; empty if it has ended. */
export function readProcess(pid: number): { args: string; env: string } {
  return { args: text(`/proc/${pid}/cmdline`), env: text(`/proc/${pid}/environ`) };
}

/** True if the process exists and is not a zombie. */
export function hasProcess(pid: number): boolean {
  const state = /^\d+ \(.*\) (\S)/s.exec(text(`/proc/${pid}/stat`))?.[1];
  return state !== undefined && state !== 'Z';
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function text(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
