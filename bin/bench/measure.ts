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

/** The measured figures. */
interface MeasuredFigures {
  seconds: number;
  /** Seconds of CPU of all processes. */
  cpu: number;
  /** The most memory of all processes at one time, in MiB. */
  memory: number;
  exitCode: number | null;
  /** The start, in milliseconds since the epoch. */
  at: number;
}

/** Milliseconds between two measurements of the memory. */
const MILLISECONDS_BETWEEN_LOOKS = 250;
/** Linux counts CPU in ticks; a second has this many. */
const TICKS_PER_SECOND = 100;

/** Returns seconds of CPU of all ended children of this process, with their children. */
function measureChildren(): number {
  const fields = existsSync('/proc/self/stat')
    ? (readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [])
    : [];
  // The list begins with the third field of the file. Fields 16 and 17 are user and system time of ended children.
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / TICKS_PER_SECOND;
}

/** Runs a program to its end and measures it. */
export async function measureProgram(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<MeasuredFigures> {
  const [begun, before, at] = [performance.now(), measureChildren(), Date.now()];
  const child = spawn(program, args, { cwd: options.cwd, env: options.env ?? process.env, stdio: 'ignore' });
  let memory = 0;
  const looking = setInterval(
    () => (memory = Math.max(memory, readProcesses(child.pid ?? 0).memory)),
    MILLISECONDS_BETWEEN_LOOKS,
  );
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(looking);
  return {
    seconds: (performance.now() - begun) / 1_000,
    cpu: measureChildren() - before,
    memory: Math.round(memory),
    exitCode,
    at,
  };
}

/** The figures of a run of `npm run conformance`, with its report; null if it has left none. */
interface MeasuredRun extends MeasuredFigures {
  report: Report | null;
  /** The lines of the run's evidence. */
  evidence: string[];
}

/** The folder of the clone that is measured. */
export const CLONE = fileURLToPath(new URL('../../..', import.meta.url));

/** Options of a measured run. */
interface MeasureOptions {
  env?: NodeJS.ProcessEnv;
  /** Options of the command, e.g. `--only`. */
  options?: readonly string[];
  /** How many runs write into the same folder one after the other. Only the last run is measured. Default: 1. */
  times?: number;
}

/** Judges a target as a user does, with reports. Without a target, the embedded reference is judged. */
export async function measureJudging(
  target: BenchTarget | null,
  { env = {}, options = [], times = 1 }: MeasureOptions = {},
): Promise<MeasuredRun> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-bench-'));
  const named = target === null ? {} : { BASE_URL: target.baseUrl, API_KEY: target.key };
  const { PATH, HOME } = process.env;
  const once = () =>
    measureProgram(
      'npm',
      ['run', '--silent', 'conformance', ...(options.length === 0 ? [] : ['--', ...options])],
      {
        cwd: CLONE,
        env: { PATH, HOME, REPORT_DIR: folder, ...named, ...env },
      },
    );
  let taken = await once();
  for (let time = 1; time < times; time += 1) taken = await once();
  const read = (name: string) => {
    const path = [folder, join(folder, 'partial')]
      .map((each) => join(each, name))
      .find((each) => existsSync(each));
    return path === undefined ? null : readFileSync(path, 'utf8');
  };
  const [report, evidence] = [read('report.json'), read('evidence.jsonl')];
  rmSync(folder, { recursive: true, force: true });
  return {
    ...taken,
    report: report === null ? null : (JSON.parse(report) as Report),
    evidence: evidence?.trimEnd().split('\n') ?? [],
  };
}

/** Serves a target in a child process until the promise of `body` resolves. */
export async function serveTraits<T>(traits: Traits, body: (target: BenchTarget) => Promise<T>): Promise<T> {
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
