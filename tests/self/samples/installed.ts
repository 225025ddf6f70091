/** The package as people get it: packed, installed in a folder of its own, and started as a program. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import suite from '../../../package.json' with { type: 'json' };

/** The root of the project, seen from the compiled tests. */
export const PROJECT = fileURLToPath(new URL('../../../../', import.meta.url));
/** The compiled command. */
export const MAIN = join(PROJECT, 'dist', 'bin', 'animal-store-conformance.js');

/** Folders that the package leaves out: `files` of package.json has `!dist/tests/self` for one. */
const LEFT_OUT = suite.files.flatMap((each) => /^!(dist\/\w[^*]*)/.exec(each)?.[1] ?? []);
/** True for a compiled file or folder that the package has, as `files` of package.json says. */
export const isPacked = (path: string) => !LEFT_OUT.some((each) => path.startsWith(join(PROJECT, each)));

export const makeFolder = () => mkdtempSync(join(tmpdir(), 'conformance-test-'));

export const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((each) =>
    each.isFile() ? [join(each.parentPath, each.name)] : [],
  );

/** How a program ended, and what it printed. */
export interface Done {
  exitCode: number | null;
  out: string;
  err: string;
}

/** How a program is started. `env`: its full environment. `user`: the id of the user who runs it; only root can set it. */
export interface Started {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  user?: number;
  input?: string;
}

/** Runs a program, and waits until it has ended with any exit code. */
export function run(
  program: string,
  args: readonly string[],
  { cwd, env = process.env, user, input }: Started,
): Promise<Done> {
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.on('error', () => undefined).end(input ?? '');
  return new Promise((done, fail) =>
    child.once('error', fail).once('close', (exitCode) => done({ exitCode, out, err })),
  );
}

/** Runs a program that has to succeed. @returns its standard output @throws Error if its exit code is not 0 */
export async function mustRun(program: string, args: readonly string[], started: Started): Promise<string> {
  const { exitCode, out, err } = await run(program, args, started);
  if (exitCode !== 0)
    throw new Error(
      `${program} ${args.join(' ')} ended with ${String(exitCode)}\n${out.slice(-2_000)}\n${err.slice(-2_000)}`,
    );
  return out;
}

/** The environment for installers: ours without variables of Playwright and npm, but with our registry, and its own cache. */
export function installerEnv(cache: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_|TEST_|PW(?!D$)|NODE_OPTIONS|NODE_ENV|NODE_PATH|FORCE_COLOR|DEBUG)/i.test(name) ||
      /^npm_config_registry$/i.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    npm_config_cache: cache,
    npm_config_update_notifier: 'false',
    npm_config_loglevel: 'error',
    COREPACK_ENABLE_STRICT: '0',
  };
}

/** Makes a folder with a package.json and nothing else. */
export function emptyProject(below: string, name: string): string {
  const folder = join(below, name);
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', version: '1.0.0', private: true, type: 'module' }),
  );
  return folder;
}

/** The tarball of this project, and the environment for installers. */
interface Packed {
  folder: string;
  tarball: string;
  env: NodeJS.ProcessEnv;
}

/** Installs the tarball into a new project by Yarn 4. `yarn`: arguments by which npx runs Yarn there. */
export async function installByYarn(
  { folder, tarball, env }: Packed,
  linker: 'node-modules' | 'pnp',
): Promise<{ cwd: string; yarn: readonly string[] }> {
  const cwd = emptyProject(folder, `yarn4-${linker}`);
  const lines = [`nodeLinker: ${linker}`, 'enableTelemetry: false', 'enableGlobalCache: false', ''];
  writeFileSync(join(cwd, '.yarnrc.yml'), lines.join('\n'));
  writeFileSync(join(cwd, 'yarn.lock'), '');
  const yarn = ['--yes', '--package', '@yarnpkg/cli-dist@4', 'yarn'];
  await mustRun('npx', [...yarn, 'add', `animal-store-conformance@file:${tarball}`], {
    cwd,
    env: { ...env, YARN_ENABLE_IMMUTABLE_INSTALLS: '0' },
  });
  return { cwd, yarn };
}

export async function pack(): Promise<Packed> {
  const folder = makeFolder();
  const env = installerEnv(join(folder, 'cache'));
  await mustRun('npm', ['pack', '--pack-destination', folder], { cwd: PROJECT, env });
  const name = readdirSync(folder).find((each) => each.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm pack has made no tarball');
  return { folder, tarball: join(folder, name), env };
}

/** Paths that differ between the commit before the last one and the working tree; null if git cannot say. */
export function changedFiles(): string[] | null {
  try {
    const names = execFileSync('git', ['diff', '--name-only', '--no-renames', 'HEAD^1'], {
      cwd: PROJECT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return names.split('\n').filter((name) => name !== '');
  } catch {
    return null;
  }
}
