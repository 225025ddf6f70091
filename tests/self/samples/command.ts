/** The commands, in a folder of their own: in this process, or in one of their own as a user starts them. */
import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { replaceStep } from '../../../fixtures/implementations/operators.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import { Reference, type Vary } from '../../../fixtures/reference/reference-service.ts';
import { serve, type Served } from '../../../fixtures/reference/serve.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import type { Call } from '../../../fixtures/reference/call.ts';
import { PROJECT, makeFolder, run, type Done } from './installed.ts';

export { makeFolder };

/** The end of a command. `report` is null if it wrote none. */
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
/** Runs the words of a command in a folder. Expects its exit code, and a part of what it prints. @returns what it prints */
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

/** How many commands ran here. */
let count = 0;

/** Ends the script that calls `process.exit`. */
class Exit extends Error {}

/** The process that would make pages of Allure: says that it made each. */
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
    // its signals and errors are those of the tests
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

/** The report that a run left in a folder, whether it was asked for all or for a part; null where there is none. */
function reportIn(folder: string): Report | null {
  const path = ['out', join('out', 'partial')]
    .map((each) => join(folder, each, 'report.json'))
    .find((each) => existsSync(each));
  return path === undefined ? null : (JSON.parse(readFileSync(path, 'utf8')) as Report);
}

/** The reference as it is. */
export const plainly: Vary = (Base) => Base;

/** Lists have one animal more than their limit. */
export const oneMore = replaceStep('page', (usual) => (pets, limit) => usual(pets, limit + 1));

/** Serves the reference, varied, while the body runs; gives it the variables that name it as the target. */
export async function against<T>(
  vary: Vary,
  body: (target: { BASE_URL: string; API_KEY: string }, served: Served) => Promise<T>,
  basePath?: string,
): Promise<T> {
  const key = drawKey();
  const served = await serve({
    key,
    Service: vary(Reference),
    ...(basePath === undefined ? {} : { basePath }),
  });
  try {
    return await body({ BASE_URL: served.baseUrl, API_KEY: key }, served);
  } finally {
    await served.close();
  }
}

/** Runs `conformance` in this process on the reference, varied. */
export function runAgainst(
  vary: Vary,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  folder = makeFolder(),
): Promise<Ended> {
  return against(vary, (target) => command('conformance', args, { ...target, ...env }, folder));
}

/** Ids of requirements with one of these verdicts. */
export function idsWith(
  report: Report | null,
  ...verdicts: Report['requirements'][number]['verdict'][]
): string[] {
  return (report?.requirements ?? []).filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}

// A varied reference that keeps count of what came to it and what it made.

/** The requests of a service, counted on its own side. */
interface Seen {
  requests: number;
  methods: Set<string>;
  /** Animals that it holds of runs of this suite. */
  animals: number;
  wrongKeys: number;
  /** The most requests under way together. */
  together: number;
  /** When each request came, in milliseconds. */
  times: number[];
}

/** Counts, then does what the variation does. */
export function counted(vary: Vary): { vary: Vary; seen: Seen } {
  const seen: Seen = { requests: 0, methods: new Set(), animals: 0, wrongKeys: 0, together: 0, times: [] };
  let underWay = 0;
  const counting = (Base: typeof Reference): typeof Reference =>
    class extends vary(Base) {
      override async handle(call: Call): Promise<void> {
        seen.requests += 1;
        seen.methods.add(call.method);
        seen.times.push(Date.now());
        const [, token = this.key] = /^bearer (\S.*)/i.exec(call.headers.authorization ?? '') ?? [];
        if (token !== this.key) seen.wrongKeys += 1;
        underWay += 1;
        seen.together = Math.max(seen.together, underWay);
        try {
          await super.handle(call);
        } finally {
          underWay -= 1;
        }
      }

      override async add(...given: Parameters<Reference['add']>): Promise<void> {
        if (given[0].name !== 'foreign') seen.animals += 1;
        await super.add(...given);
      }
    };
  return { vary: counting, seen };
}
