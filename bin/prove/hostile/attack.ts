/** Runs the real command against hostile targets (servers that stall, flood or attack their client), and lists its mistakes. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Hostile } from '../../../fixtures/implementations/hostile/hostile-target.ts';
import { checkUntil } from '../../../fixtures/session/waiting.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { checkReport } from '../../../reports/document/report-schema.ts';
import { HOSTILE } from '../../../fixtures/implementations/hostile/index.ts';
import { findLeaks } from './leaks.ts';
import { hasProcess, readProcess, readProcesses } from './processes.ts';

/** The result of a run against a hostile target. */
export interface Attacked {
  id: string;
  exitCode: number | null;
  seconds: number;
  /** The most memory that all its processes used at one time, in MiB. */
  memory: number;
  /** One line for each mistake of the run. */
  problems: string[];
  /** The reason for the end of the run, from its report. */
  reason: string;
}

/** A run that uses more memory (MiB, all its processes) or more seconds has failed. A busy machine stays below both. */
const MOST_MEMORY = 700;
const MOST_SECONDS = 240;
/** Short deadlines in seconds: a hostile target makes a run wait for each deadline. */
const SHORT = { REQUEST_TIMEOUT: '2', CONSISTENCY_WINDOW: '2' };
/** When the command has ended, the attack looks at most this many times if a child process still runs. */
const MOST_READS = 25;
/** Milliseconds between two reads of the processes of the run. */
const READ_INTERVAL = 200;
const REPORTS = ['report.json', 'junit.xml', 'ctrf.json', 'summary.md', 'conformance.html', 'footprint.json'];

/** Runs the command with these options against the target, in a new folder. `exits`: the exit codes that are right. */
export async function attack(
  { id, exits = [1, 3], env = {}, serve }: Hostile,
  args: readonly string[] = [],
): Promise<Attacked> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-hostile-'));
  // `strays` counts requests that came to another origin than the target.
  const { baseUrl, key, strays, close } = await serve();
  const ran = await runCommand(folder, { BASE_URL: baseUrl, API_KEY: key, ...SHORT, ...env }, args);
  await close();

  const path = join(folder, 'out', 'report.json');
  const report = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : null;
  const problems = [
    ...findProcessProblems(ran, exits, strays()),
    ...findReportProblems(ran, report, folder),
    ...findSecrecyProblems(ran, key, folder),
  ];
  if (problems.length === 0) rmSync(folder, { recursive: true, force: true });
  else problems.push(`see ${folder}`);
  return {
    id,
    exitCode: ran.exitCode,
    seconds: ran.seconds,
    memory: Math.round(ran.memory),
    problems,
    reason: report?.reason ?? ran.err.trim(),
  };
}

/** The process of the command, as seen from outside. */
interface Ran {
  exitCode: number | null;
  seconds: number;
  /** In MiB. */
  memory: number;
  out: string;
  err: string;
  /** The numbers of all its processes. */
  pids: readonly number[];
  /** The arguments of all its processes, and the environment of its child processes. The key must not be there. */
  argsAndEnvs: string;
}

/** Runs the suite as a command, until it ends or its time is over, and watches its processes. */
async function runCommand(
  folder: string,
  variables: Record<string, string>,
  args: readonly string[],
): Promise<Ran> {
  const begun = Date.now();
  const script = fileURLToPath(new URL('../../conformance.js', import.meta.url));
  const child = spawn(process.execPath, [script, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      REPORT_DIR: join(folder, 'out'),
      GITHUB_ACTIONS: 'true',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const watched = watch(child.pid ?? 0);
  const guard = setTimeout(() => child.kill('SIGTERM'), MOST_SECONDS * 1_000);
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(guard);
  const seconds = (Date.now() - begun) / 1_000;
  const seen = watched.end();
  // On a busy machine, a killed child process needs a moment to end.
  await checkUntil(() => !seen.pids.some(hasProcess), [0, ...Array<number>(MOST_READS).fill(READ_INTERVAL)]);
  return { exitCode, seconds, out, err, ...seen };
}

/** Watches the process of the command and its children every 200 ms, until `end` is called. `end` returns what it has seen. */
function watch(command: number): { end: () => Pick<Ran, 'memory' | 'pids' | 'argsAndEnvs'> } {
  let [memory, argsAndEnvs] = [0, ''];
  const pids = new Set<number>();
  const timer = setInterval(() => {
    const processes = readProcesses(command);
    memory = Math.max(memory, processes.memory);
    const argsOfCommand = readProcess(command).args;
    for (const pid of processes.pids.filter((each) => !pids.has(each))) {
      const { args, env } = readProcess(pid);
      const hasEnded = args === '';
      // Between fork and exec, a child is a copy of the command for a moment: its environment is not yet its own.
      const isCopy = args === argsOfCommand && pid !== command;
      if (hasEnded || isCopy) continue;
      argsAndEnvs += pid === command ? args : args + env;
      pids.add(pid);
    }
  }, READ_INTERVAL);
  return {
    end: () => {
      clearInterval(timer);
      return { memory, pids: [...pids], argsAndEnvs };
    },
  };
}

/** A condition that must be true, and the problem to print if it is false. */
type Demand = [isMet: boolean, problem: string];

function findUnmet(demands: readonly Demand[]): string[] {
  return demands.filter(([isMet]) => !isMet).map(([, problem]) => problem);
}

function findProcessProblems(ran: Ran, exits: readonly number[], strays: number): string[] {
  const { exitCode, seconds, memory, out, err, pids } = ran;
  return findUnmet([
    [
      exitCode !== null && exits.includes(exitCode),
      `it exits with ${exitCode}, not ${exits.join(' or ')}: ${takeEnd(err || out)}`,
    ],
    [seconds < MOST_SECONDS, `it takes ${seconds} s`],
    [memory < MOST_MEMORY, `its processes take ${Math.round(memory)} MiB`],
    [strays === 0, `${strays} requests went to another origin`],
    [!pids.some(hasProcess), 'it leaves a process behind'],
  ]);
}

function findReportProblems({ exitCode, out, err }: Ran, report: Report | null, folder: string): string[] {
  if (exitCode === 2) return findUnmet([[report === null, 'it exits with 2 and leaves a report']]);
  if (report === null) return [`it exits with ${exitCode} and leaves no report: ${takeEnd(err || out)}`];
  return [
    ...findUnmet([[report.exitCode === exitCode, 'its report names another exit code']]),
    ...checkReport(report)
      .slice(0, 3)
      .map((mistake) => `its report is not valid: ${mistake}`),
    ...findUnmet(REPORTS.map((name) => [existsSync(join(folder, 'out', name)), `there is no ${name}`])),
  ];
}

function takeEnd(text: string): string {
  return text.trim().slice(-300);
}

function findSecrecyProblems({ out, err, argsAndEnvs }: Ran, key: string, folder: string): string[] {
  const places = findLeaks(key, folder, {
    stdout: out,
    stderr: err,
    'arguments or environment of a child': argsAndEnvs,
  });
  return findUnmet([
    [places.length === 0, `the key is in ${places.slice(0, 5).join(', ')}`],
    [
      // A control character but tab and line feed, or a command to GitHub (`::warning::`) or Azure (`##[`, `##vso`).
      // The suite itself writes `::error title=`, so a line may begin with `::error `.
      !/[\x00-\x08\x0b-\x1f\x7f-\x9f]|^\s*::(?!error )|##\[|##vso/m.test(out.replaceAll('\r\n', '\n')),
      'what the target says reaches the terminal as it is',
    ],
  ]);
}

/** Attacks that run at the same time: they mostly wait. */
const ATTACKS_TOGETHER = 2;

/**
 * The result of all attacks. `hostile`: the number of targets. `failed`: ids of targets on which the command made a mistake.
 * `seconds`, `mebibytes`: the largest figures that one run had.
 */
interface ProvedOnHostile {
  hostile: number;
  failed: string[];
  seconds: number;
  mebibytes: number;
}

/** Runs the command against every hostile target whose id contains `part`, and prints a few lines for each. */
export async function attackAll(part: string, out: (text: string) => void): Promise<ProvedOnHostile> {
  const queue = HOSTILE.filter(({ id }) => id.includes(part));
  const outcomes: Attacked[] = [];
  const lane = async () => {
    for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
      const outcome = await attack(target);
      const { id, exitCode, seconds, memory, problems, reason } = outcome;
      outcomes.push(outcome);
      const headline = `${problems.length === 0 ? 'ends' : 'FAILS'} ${id}: ${exitCode}, ${seconds.toFixed(1)} s, ${memory} MiB: ${reason.slice(0, 160)}`;
      out([headline, ...problems.map((problem) => `    ${problem}`)].join('\n'));
    }
  };
  await Promise.all(Array.from({ length: ATTACKS_TOGETHER }, lane));
  const most = (figure: (each: Attacked) => number) => Math.round(Math.max(0, ...outcomes.map(figure)));
  const failed = outcomes.filter(({ problems }) => problems.length > 0).map(({ id }) => id);
  return {
    hostile: outcomes.length,
    failed,
    seconds: most(({ seconds }) => seconds),
    mebibytes: most(({ memory }) => memory),
  };
}
