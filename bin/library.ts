/**
 * `import { judge, type Report } from 'animal-store-conformance'`: judges a target from a program. The run has a process of
 * its own: test runner, environment, signals and `.env` file of the caller do not affect it.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNearest } from '../fixtures/settings/nearest-name.ts';
import { VARIABLES } from '../fixtures/settings/variables.ts';
import type { Report } from '../reports/document/report-document.ts';
import { hasOlderReports } from './command-line/output/report-folder.ts';
import { filterEnvironment } from './command-line/passed-on.ts';

export type {
  Counts,
  Observation,
  Report,
  RequirementResult,
  Verdict,
} from '../reports/document/report-document.ts';

/** The variables of the suite by name: target and settings. Relative paths start at the caller's working directory. */
export interface Target {
  /** The base address of the service, with its path prefix. Without it, the embedded reference is judged. */
  BASE_URL?: string;
  /** The key that the service accepts. Only the process of the run gets it. */
  API_KEY?: string | undefined;
  /** A file with the key, in place of API_KEY. */
  API_KEY_FILE?: string;
  /** Identifiers of categories that exist at the target, separated by commas. */
  CATEGORY_IDS?: string;
  /** The folder for all reports. Without it, no file stays on the disk. */
  REPORT_DIR?: string;
  /** Every other variable, as docs/configuration.md lists them. */
  [variable: string]: string | number | undefined;
}

/** Options of a run. */
export interface Asked {
  /** Ids or stems of requirements; only these are judged. */
  only?: readonly string[];
  /** The token of one counterexample to run again. */
  replay?: string;
  /** If true, the run is quick: it asks few requests, and its verdict is never `conforming`. */
  quick?: boolean;
  /** If true, the run ends with the first must that fails. */
  failFast?: boolean;
  /** If true, the exit code of the report is 0 if every failure is waived. */
  acceptWaivers?: boolean;
  /** If true, the exit code of the report is 1 if the behaviour profile differs from PROFILE_LOCK. */
  lock?: boolean;
  /** Aborting it ends the run early; the report says so. */
  signal?: AbortSignal;
  /** Gets the text that a terminal would show. */
  output?: (text: string) => void;
}

/** The run was not possible with these settings. The message says why, one line for each mistake. */
export class Refused extends Error {
  override name = 'Refused';
}

/** The exit code of a refused run. */
const REFUSED_EXIT = 2;

/**
 * Judges a target and returns its report for every verdict: see `report.verdict` and `report.exitCode`.
 * @throws Refused if a variable, an option or the key is wrong; then nothing was judged
 * @throws the reason of `signal` if it is aborted before the run can leave a report
 */
export async function judge(target: Target = {}, asked: Asked = {}): Promise<Report> {
  asked.signal?.throwIfAborted();
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const reports = resolve(target.REPORT_DIR ?? join(folder, 'reports'));
    const env = { ...makeEnvironment(target), REPORT_DIR: reports };
    const { exitCode, errors } = await run(folder, env, asked);
    if (exitCode === REFUSED_EXIT) throw new Refused(errors.trim());
    const report = readReport(isPartial(asked) ? join(reports, 'partial') : reports);
    if (report !== null) return report;
    asked.signal?.throwIfAborted();
    throw new Error(`The run has left no report. ${errors.trim()}`.trim());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the command. Returns its exit code, and in `errors` the text on standard error. */
function run(
  cwd: string,
  env: NodeJS.ProcessEnv,
  asked: Asked,
): Promise<{ exitCode: number | null; errors: string }> {
  const command = fileURLToPath(new URL('./animal-store-conformance.js', import.meta.url));
  const child = spawn(process.execPath, [command, 'run', ...makeOptions(asked)], {
    cwd,
    env: { ...filterEnvironment(process.env), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => asked.output?.(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const stop = () => void child.kill('SIGTERM');
  asked.signal?.addEventListener('abort', stop, { once: true });
  return new Promise((done, fail) => {
    child.once('error', fail).once('close', (exitCode) => {
      asked.signal?.removeEventListener('abort', stop);
      done({ exitCode, errors });
    });
  });
}

/** Returns the variables of the run, with absolute paths. @throws Refused if a name is not a variable of the suite */
function makeEnvironment(target: Target): Record<string, string> {
  const names = VARIABLES.map(({ name }): string => name);
  const set = Object.entries(target).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const mistakes = set.flatMap(([name]) => {
    if (names.includes(name)) return [];
    const meant = findNearest(name, names);
    return [`${name} is not a variable of the suite${meant === undefined ? '' : `; did you mean ${meant}?`}`];
  });
  if (mistakes.length > 0) throw new Refused(mistakes.join('\n'));
  const isPath = (name: string) =>
    name.endsWith('_FILE') || ['WAIVERS', 'PROFILE_LOCK', 'ALLURE_HISTORY'].includes(name);
  return Object.fromEntries(set.map(([name, value]) => [name, isPath(name) ? resolve(value) : value]));
}

function makeOptions({ only = [], replay, ...asked }: Asked): string[] {
  const { quick = false, failFast = false, acceptWaivers = false, lock = false } = asked;
  return [
    ...(quick ? ['--quick'] : []),
    ...(failFast ? ['--fail-fast'] : []),
    ...only.flatMap((id) => ['--only', id]),
    ...(replay === undefined ? [] : ['--replay', replay]),
    ...(acceptWaivers ? ['--accept-waivers'] : []),
    ...(lock ? ['--lock'] : []),
  ];
}

/** True if the run asks only a part of the suite. Reports of such a run go to the folder `partial`, reports of whole runs do not. */
function isPartial({ only = [], replay, failFast = false }: Asked): boolean {
  return only.length > 0 || replay !== undefined || failFast;
}

/** Reads the report of the run; null if the run left none: a report of an earlier run does not count. */
function readReport(folder: string): Report | null {
  try {
    if (hasOlderReports(folder)) return null;
    return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
  } catch {
    return null;
  }
}
