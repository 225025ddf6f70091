/**
 * Measures time, CPU and memory of a command with all its child processes, for `npm run bench`. CPU and memory are 0 on
 * systems other than Linux.
 */
import { fork, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../reports/document/report-document.ts';
import { readProcesses } from '../prove/hostile/processes.ts';
import type { BenchTarget, Traits } from './bench-target.ts';

interface MeasuredFigures {
  seconds: number;
  /** Seconds of CPU of all processes. */
  cpu: number;
  /** The most memory of all processes at one time, in MiB. */
  memory: number;
}

/** Milliseconds between two measurements of the memory. */
const MILLISECONDS_BETWEEN_READS = 250;
/** Linux counts CPU in ticks; a second has this many. */
const TICKS_PER_SECOND = 100;

/** Returns the seconds of CPU that all ended children of this process have used, with their children. */
function measureChildren(): number {
  const fields = existsSync('/proc/self/stat')
    ? (readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [])
    : [];
  // The file is `42 (node) S 17 ...`. Behind the name, `fields[0]` is its field 3, so `fields[13]` and `fields[14]` are its fields 16 and
  // 17: user and system time of ended children.
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / TICKS_PER_SECOND;
}

/** Runs Node to its end and measures it. */
async function measureNode(
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<MeasuredFigures> {
  const [begun, before] = [performance.now(), measureChildren()];
  const child = spawn(process.execPath, args, { ...options, stdio: 'ignore' });
  let memory = 0;
  const readMemory = () => (memory = Math.max(memory, readProcesses(child.pid ?? 0).memory));
  const timer = setInterval(readMemory, MILLISECONDS_BETWEEN_READS);
  await new Promise((resolve) => child.on('close', resolve));
  clearInterval(timer);
  return { seconds: (performance.now() - begun) / 1_000, cpu: measureChildren() - before, memory };
}

/** The figures of a run. Requests and animals are NaN if it has left no report. */
export interface MeasuredRun extends MeasuredFigures {
  requests: number;
  animals: number;
}

/** Judges a target as a user does, with reports. Without a target, the embedded reference is judged. */
export async function measureRun(
  clone: string,
  target: BenchTarget | null,
  options: readonly string[],
): Promise<MeasuredRun> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-bench-'));
  const targetVariables = target === null ? {} : { BASE_URL: target.baseUrl, API_KEY: target.key };
  const { PATH, HOME } = process.env;
  const figures = await measureNode(
    [join(clone, 'dist', 'bin', 'animal-store-conformance.js'), 'run', ...options],
    { cwd: folder, env: { PATH, HOME, REPORT_DIR: folder, ...targetVariables } },
  );
  // A run with `--only` leaves its report in the folder `partial`.
  const path = [folder, join(folder, 'partial')]
    .map((each) => join(each, 'report.json'))
    .find((each) => existsSync(each));
  const report = path === undefined ? null : (JSON.parse(readFileSync(path, 'utf8')) as Report);
  rmSync(folder, { recursive: true, force: true });
  return { ...figures, requests: report?.run.requests ?? NaN, animals: report?.run.animalsCreated ?? NaN };
}

/** Serves a target in a child process until the promise of `body` resolves. */
export async function serveTraits<T>(traits: Traits, body: (target: BenchTarget) => Promise<T>): Promise<T> {
  // The target has the ending of this file: `.js` if built, `.ts` if the sources run.
  const child = fork(fileURLToPath(new URL(`./bench-target.${import.meta.url.slice(-2)}`, import.meta.url)));
  const target = new Promise<BenchTarget>((resolve, reject) =>
    child
      .once('message', (message) => resolve(message as BenchTarget))
      .once('error', reject)
      .once('exit', () => reject(new Error('the target of the measurement ended before it answered'))),
  );
  child.send(traits);
  try {
    return await body(await target);
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    await ended;
  }
}
