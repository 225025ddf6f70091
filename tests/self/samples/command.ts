/** Runs a command of `bin/`: in this process (`command`), or in a process of its own, as a user starts it (`startCommand`). */
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

/** How a command ended. `report`: the report that it wrote; null: it wrote none. */
export interface Ended extends Done {
  folder: string;
  report: Report | null;
}

/** Starts a command of `bin/` in a process of its own, in an empty folder and with only these variables besides the path. */
export function startCommand(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  folder = makeFolder(),
): Promise<Ended> {
  return start([findScript(name), ...args], { folder, env });
}

/** Starts Playwright's own command in the clone, with reports in a folder of its own. */
export function startPlaywright(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return start([CLI, 'test', ...args], { folder: makeFolder(), env, cwd: PROJECT });
}
const CLI = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');

async function start(
  words: string[],
  { folder, env, cwd = folder }: { folder: string; env: NodeJS.ProcessEnv; cwd?: string },
): Promise<Ended> {
  const ended = await run(process.execPath, words, { cwd, env: { ...environmentIn(folder), ...env } });
  return { ...ended, folder, report: reportIn(folder) };
}

/**
 * Runs a command of `bin/` in this process, which is 1 CPU s cheaper: its script is loaded anew, the modules below it are not.
 * A run makes no page of Allure. A command waits for the end of the one before, because they share the process.
 */
export function command(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  folder = makeFolder(),
): Promise<Ended> {
  const ended = last.then(() => runScript(name, args, env, folder));
  last = ended.catch(() => undefined);
  return ended;
}
let last: Promise<unknown> = Promise.resolve();
/**
 * Runs commands in a folder, e.g. `await shell('compare a.json b.json', 1, 'Worse')`: expects the exit code and a part of the
 * output. @returns the output
 */
export const shellIn =
  (folder: string, env: NodeJS.ProcessEnv = {}) =>
  async (words: string, exitCode = 0, says: string | RegExp = ''): Promise<string> => {
    const [name = '', ...args] = words.split(' ');
    const ended = await command(name, args, env, folder);
    const said = ended.out + ended.err;
    expect([ended.exitCode, said], words).toEqual([
      exitCode,
      typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says),
    ]);
    return said;
  };

/** Counts the commands of this process: each loads its script anew. */
let count = 0;

/** Thrown by `process.exit`, so that the script ends and this process goes on. */
class Exit extends Error {}

/** Stands for the process that makes pages of Allure: answers at once and makes none. */
class NoAllure extends EventEmitter {
  readonly connected = true;
  readonly unref = () => undefined;
  readonly kill = () => undefined;
  readonly send = () => this.emit('message', {});
}

async function runScript(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<Ended> {
  const { argv, exit, exitCode, on, env: ownEnv, stdout, stderr } = process;
  const [writeOut, writeErr] = [stdout.write, stderr.write];
  const [home, { fork }] = [process.cwd(), childProcess];
  let code: number | null = null;
  const ended = { out: '', err: '' };
  const take = (stream: 'out' | 'err') => (text: string | Uint8Array) => {
    if (code === null) ended[stream] += Buffer.from(text).toString();
    return true;
  };
  process.chdir(folder);
  Object.assign(childProcess, {
    fork: (...given: Parameters<typeof fork>) =>
      String(given[0]).includes('allure-page') ? new NoAllure() : fork(...given),
  });
  syncBuiltinESMExports();
  stdout.write = take('out');
  stderr.write = take('err');
  Object.assign(process, {
    argv: [process.execPath, findScript(name), ...args],
    env: { ...environmentIn(folder), TMPDIR: ownEnv.TMPDIR, ...env },
    exitCode: undefined,
    // a command must not listen to the signals and errors of this process
    on: () => process,
    exit: (given: number) => {
      code ??= given;
      throw new Exit();
    },
  });
  try {
    await import(`../../../bin/${name}.js?${(count += 1)}`);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  } finally {
    code ??= Number(process.exitCode ?? 0);
    Object.assign(process, { argv, exit, exitCode, on, env: ownEnv });
    [stdout.write, stderr.write] = [writeOut, writeErr];
    process.chdir(home);
    Object.assign(childProcess, { fork });
    syncBuiltinESMExports();
  }
  return { exitCode: code, ...ended, folder, report: reportIn(folder) };
}

const environmentIn = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: folder,
  REPORT_DIR: join(folder, 'out'),
});
const findScript = (name: string) => fileURLToPath(new URL(`../../../bin/${name}.js`, import.meta.url));

/** The report that a run left in a folder, whether it was asked for all or for a part; null: there is none. */
function reportIn(folder: string): Report | null {
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
