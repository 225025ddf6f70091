/** The real command against one hostile target, and what is wrong with how it took it. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Hostile } from '../../fixtures/implementations/hostile/target.ts';
import type { Report } from '../../reports/document/report.ts';
import { reportMistakes } from '../../reports/document/report-schema.ts';
import { leaks } from './leaks.ts';
import { isAlive, lookAt, wordsOf } from './processes.ts';

/** How a run against a hostile target went. */
export interface Attacked {
  id: string;
  exitCode: number | null;
  seconds: number;
  /** The most that all its processes took together, in MiB. */
  memory: number;
  /** What should not have been, one line each. */
  problems: string[];
  /** Why the run says that it ended as it did. */
  reason: string;
}

/** Most that a run may take: MiB of all its processes, and seconds. Several runs at once, or a busy machine, are no fault of its own. */
const MOST_MEMORY = 700;
const MOST_SECONDS = 240;
/** So that the deadlines, which every one of them waits for, are short; in seconds. */
const SHORT = { REQUEST_TIMEOUT: '2', CONSISTENCY_WINDOW: '2' };
const LOOK_EVERY = 200;
const REPORTS = ['report.json', 'junit.xml', 'ctrf.json', 'summary.md', 'conformance.html', 'footprint.json'];

/** Runs the command against the target in a folder of its own. */
export async function attack(
  { id, exits = [1, 3], env = {}, serve: stand }: Hostile,
  settings: Record<string, string> = SHORT,
): Promise<Attacked> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-hostile-'));
  const { baseUrl, key, strays, close } = await stand();
  const begun = Date.now();
  const script = fileURLToPath(new URL('../conformance.js', import.meta.url));
  const variables = {
    PATH: process.env.PATH,
    HOME: folder,
    REPORT_DIR: join(folder, 'out'),
    BASE_URL: baseUrl,
    API_KEY: key,
    GITHUB_ACTIONS: 'true',
    ...settings,
    ...env,
  };
  const child = spawn(process.execPath, [script], {
    cwd: folder,
    env: variables,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err, memory, words] = ['', '', 0, ''];
  const pids = new Set<number>();
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const looking = setInterval(() => {
    const look = lookAt(child.pid ?? 0);
    memory = Math.max(memory, look.memory);
    const own = wordsOf(child.pid ?? 0).args;
    for (const pid of look.pids.filter((each) => !pids.has(each))) {
      const { args, env: environment } = wordsOf(pid);
      if (args === '' || (args === own && pid !== child.pid)) continue; // gone already, or still the copy of the command that it is made from
      words += pid === child.pid ? args : args + environment;
      pids.add(pid);
    }
  }, LOOK_EVERY);
  const guard = setTimeout(() => child.kill('SIGTERM'), MOST_SECONDS * 1_000);
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(looking);
  clearTimeout(guard);
  const seconds = (Date.now() - begun) / 1_000;
  await close();

  const path = join(folder, 'out', 'report.json');
  const report = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : null;
  const problems: string[] = [];
  const demand = (met: boolean, problem: string) => void (met || problems.push(problem));
  demand(
    exitCode !== null && exits.includes(exitCode),
    `it exits with ${exitCode}, not ${exits.join(' or ')}: ${(err || out).trim().slice(-300)}`,
  );
  demand(seconds < MOST_SECONDS, `it takes ${seconds} s`);
  demand(memory < MOST_MEMORY, `its processes take ${Math.round(memory)} MiB`);
  demand(strays() === 0, `${strays()} requests went to another origin`);
  demand(![...pids].some(isAlive), 'it leaves a process behind');
  if (exitCode === 2) demand(report === null, 'it exits with 2 and leaves a report');
  else {
    demand(report?.exitCode === exitCode, 'its report is missing, or names another exit code');
    for (const mistake of reportMistakes(report).slice(0, 3))
      problems.push(`its report is not valid: ${mistake}`);
    for (const name of REPORTS) demand(existsSync(join(folder, 'out', name)), `there is no ${name}`);
  }
  const places = leaks(key, folder, {
    stdout: out,
    stderr: err,
    'arguments or environment of a child': words,
  });
  demand(places.length === 0, `the key is in ${places.slice(0, 5).join(', ')}`);
  demand(
    !/[\x00-\x08\x0b-\x1f\x7f-\x9f]|^::error(?! )|##vso/m.test(out.replaceAll('\r\n', '')),
    'what the target says reaches the terminal as it is',
  );
  if (problems.length === 0) rmSync(folder, { recursive: true, force: true });
  else problems.push(`see ${folder}`);
  return {
    id,
    exitCode,
    seconds,
    memory: Math.round(memory),
    problems,
    reason: report?.reason ?? err.trim(),
  };
}
