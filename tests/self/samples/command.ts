/** Runs a command of `bin/`: in this process (`runCommand`), or in a process of its own, as a user starts it (`startCommand`). */
import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import type { Report } from '../../../reports/document/report-document.ts';
import { PROJECT, makeFolder, run, type Done } from './installed.ts';

export { makeFolder };

/** How a command ended: exit code, printed texts, its working directory, and the report that it wrote; null: it wrote none. */
export interface EndedCommand extends Done {
  folder: string;
  report: Report | null;
}

/** Starts a command of `bin/` in a process of its own, in an empty folder and with only these variables besides the path. */
export function startCommand(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  folder = makeFolder(),
): Promise<EndedCommand> {
  return start([findScript(name), ...args], { folder, env });
}

/** Starts Playwright's own command in the clone, with reports in a folder of its own. */
export function startPlaywright(args: readonly string[], env: NodeJS.ProcessEnv): Promise<EndedCommand> {
  return start([CLI, 'test', ...args], { folder: makeFolder(), env, cwd: PROJECT });
}
const CLI = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');

async function start(
  words: string[],
  { folder, env, cwd = folder }: { folder: string; env: NodeJS.ProcessEnv; cwd?: string },
): Promise<EndedCommand> {
  const ended = await run(process.execPath, words, { cwd, env: { ...environmentIn(folder), ...env } });
  return { ...ended, folder, report: readReport(folder) };
}

/**
 * Runs a command of `bin/` in this process. This saves a second of CPU: only the script is loaded again, not its imports.
 * A run makes no page of Allure. A command waits until the command before it has ended, because they share the process.
 */
export function runCommand(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  folder = makeFolder(),
): Promise<EndedCommand> {
  const ended = lastCommand.then(() => runScript(name, args, env, folder));
  lastCommand = ended.catch(() => undefined);
  return ended;
}
let lastCommand: Promise<unknown> = Promise.resolve();

/**
 * Makes a function that runs commands in this folder, e.g. `await shell('compare a.json b.json', 1, 'Worse')`. The function
 * expects the exit code 1 and `Worse` in the output, and returns the output.
 */
export const shellIn =
  (folder: string, env: NodeJS.ProcessEnv = {}) =>
  async (words: string, exitCode = 0, says: string | RegExp = ''): Promise<string> => {
    const [name = '', ...args] = words.split(' ');
    const ended = await runCommand(name, args, env, folder);
    const said = ended.out + ended.err;
    expect([ended.exitCode, said], words).toEqual([
      exitCode,
      typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says),
    ]);
    return said;
  };

/** Makes the address of each import of a script new, e.g. `judge.js?2`: an address imported before would run nothing. */
let importCount = 0;

/** Thrown by `process.exit`, so that the script ends and this process goes on. */
class Exit extends Error {}

/** Takes the place of the process that makes pages of Allure. It answers at once, and makes none. */
class NoAllure extends EventEmitter {
  readonly connected = true;
  readonly unref = () => undefined;
  readonly kill = () => undefined;
  readonly send = () => this.emit('message', {});
}

/**
 * Imports a script while `process` has its arguments, variables, folder and streams. Then puts back what `process` had before.
 * The first exit code counts: what the script prints after it is dropped.
 */
async function runScript(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<EndedCommand> {
  const { argv, exit, exitCode, on, env: ownEnv, stdout, stderr } = process;
  const [writeOut, writeErr] = [stdout.write, stderr.write];
  const [ownFolder, { fork }] = [process.cwd(), childProcess];
  let code: number | null = null;
  const printed = { out: '', err: '' };
  const collect = (stream: 'out' | 'err') => (text: string | Uint8Array) => {
    if (code === null) printed[stream] += Buffer.from(text).toString();
    return true;
  };
  // From here on, `process` is as the command expects it; `finally` puts all of it back
  process.chdir(folder);
  Object.assign(childProcess, {
    fork: (...given: Parameters<typeof fork>) =>
      String(given[0]).includes('allure-page') ? new NoAllure() : fork(...given),
  });
  // Modules that import `fork` by its name get the new one now
  syncBuiltinESMExports();
  stdout.write = collect('out');
  stderr.write = collect('err');
  Object.assign(process, {
    argv: [process.execPath, findScript(name), ...args],
    env: { ...environmentIn(folder), TMPDIR: ownEnv.TMPDIR, ...env },
    exitCode: undefined,
    // A command must not listen to the signals and errors of this process
    on: () => process,
    exit: (status: number) => {
      code ??= status;
      throw new Exit();
    },
  });
  try {
    await import(`../../../bin/${name}.js?${(importCount += 1)}`);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  } finally {
    code ??= Number(process.exitCode ?? 0);
    Object.assign(process, { argv, exit, exitCode, on, env: ownEnv });
    [stdout.write, stderr.write] = [writeOut, writeErr];
    process.chdir(ownFolder);
    Object.assign(childProcess, { fork });
    syncBuiltinESMExports();
  }
  return { exitCode: code, ...printed, folder, report: readReport(folder) };
}

const environmentIn = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: folder,
  REPORT_DIR: join(folder, 'out'),
});
const findScript = (name: string) => fileURLToPath(new URL(`../../../bin/${name}.js`, import.meta.url));

/** Reads the report that a run left in a folder: a full report in `out`, or that of a part in `out/partial`; null: none. */
function readReport(folder: string): Report | null {
  const path = ['out', join('out', 'partial')]
    .map((each) => join(folder, each, 'report.json'))
    .find((each) => existsSync(each));
  return path === undefined ? null : (JSON.parse(readFileSync(path, 'utf8')) as Report);
}

/** Returns the ids of requirements with one of these verdicts. */
export function idsWith(
  report: Report | null,
  ...verdicts: Report['requirements'][number]['verdict'][]
): string[] {
  return (report?.requirements ?? []).filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}
