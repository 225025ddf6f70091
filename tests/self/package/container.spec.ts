/** The container. Its file is read, and its steps run in a folder, as a user without rights: no container engine is needed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findFreePort } from '../../../fixtures/implementations/others/free-port.ts';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import type { Report } from '../../../reports/document/report-document.ts';
import { installerEnv, mustRun, PROJECT, run, makeFolder } from '../samples/installed.ts';

const read = (name: string) => readFileSync(join(PROJECT, name), 'utf8');
const DOCKERFILE = DockerfileParser.parse(read('Dockerfile'));
const instructions = DOCKERFILE.getInstructions();
/** The arguments of every instruction of this keyword, e.g. `USER`. */
const args = (keyword: string) =>
  instructions
    .filter((each) => each.getKeyword() === keyword)
    .map((each) => each.getArgumentsContent() ?? '');
/** The rules of .dockerignore. `!name` lets a name in. */
const RULES = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
/** The names that go into the build. */
const SOURCES = RULES.flatMap((rule) => (rule.startsWith('!') ? [rule.slice(1)] : []));
const words = (json: string) => JSON.parse(json) as string[];
/** A user that owns nothing. */
const NOBODY = 65_534;

test('the file has no mistake that a linter knows', () => {
  expect(validate(read('Dockerfile')).map(({ message }) => message)).toEqual([]);
});

test('a slim base, a user without rights, reports in a volume, and no shell between a signal and the run', () => {
  expect(DOCKERFILE.getFROMs().map((each) => each.getImage())).toEqual([
    'node:24-slim',
    'node:24-slim',
    'suite',
    'suite',
  ]);
  expect(args('USER')).toEqual(['node']);
  expect(args('VOLUME').map(words)).toEqual([['/reports']]);
  expect(args('ENV').join(' ')).toContain('REPORT_DIR=/reports');
  expect(words(args('ENTRYPOINT')[0] ?? '')).toEqual(['node', '/suite/dist/bin/animal-store-conformance.js']);
  expect(args('CMD').map(words)).toEqual([['reference']]);
  // Nothing is written to the image after the user has lost the right to write.
  const user = instructions.findIndex((each) => each.getKeyword() === 'USER');
  expect(instructions.slice(user).some((each) => ['RUN', 'COPY', 'ADD'].includes(each.getKeyword()))).toBe(
    false,
  );
  expect(read('Dockerfile')).not.toMatch(/API_KEY=|^ARG /m);
});

test('only the reference is asked for its health', () => {
  const asks = 'CMD ["node", "/suite/dist/bin/animal-store-conformance.js", "reference", "--health"]';
  expect(args('HEALTHCHECK')).toEqual([expect.stringContaining(asks), 'NONE']);
});

test('nothing but the sources goes into the build: no secrets, no history, no reports', () => {
  expect(RULES[0]).toBe('*');
  expect(SOURCES.filter((name) => !existsSync(join(PROJECT, name)))).toEqual([]);
  expect(RULES).toContain('reports/out');
  for (const each of ['.env', '.git', 'node_modules', 'dist']) expect(SOURCES).not.toContain(each);
});

test('compose judges a healthy service beside it, with nothing writable but the reports', () => {
  const closed = {
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  };
  expect(parse(read('compose.yaml'))).toMatchObject({
    services: {
      store: { ...closed, build: { target: 'reference' } },
      judge: {
        ...closed,
        build: { target: 'judge' },
        depends_on: { store: { condition: 'service_healthy' } },
        environment: { BASE_URL: 'http://store:8080/v1', API_KEY_FILE: '/run/secrets/api-key' },
        volumes: ['reports:/reports'],
        secrets: ['api-key'],
      },
    },
    volumes: { reports: null },
    secrets: { 'api-key': { environment: 'API_KEY' } },
  });
});

/** Serves the reference by the installed command while the body runs. Asks for its health before, meanwhile and after. */
async function serveHealthy(
  suite: string,
  user: { uid?: number; gid?: number },
  body: (target: { BASE_URL: string; API_KEY: string }) => Promise<void>,
): Promise<void> {
  const port = String(await findFreePort());
  const env = {
    PATH: process.env.PATH,
    HOST: '0.0.0.0',
    PORT: port,
    API_KEY: 'a-key-that-was-brought-along',
  };
  const main = join(suite, 'dist', 'bin', 'animal-store-conformance.js');
  const health = async () =>
    (await run(process.execPath, [main, 'reference', '--health'], { cwd: tmpdir(), env })).exitCode;
  expect(await health()).toBe(1);
  const served = spawn(process.execPath, [main, 'reference'], { cwd: tmpdir(), env, ...user });
  const [first] = (await once(served.stdout, 'data')) as [Buffer];
  expect(first.toString()).toContain('listens');
  expect(await health()).toBe(0);
  await body({ BASE_URL: `http://127.0.0.1:${port}/v1`, API_KEY: env.API_KEY });
  served.kill('SIGTERM');
  expect(await once(served, 'exit')).toEqual([0, null]);
  expect(await health()).toBe(1);
}

test('the reference says whether it answers, and ends when it is told to', async () => {
  await serveHealthy(PROJECT, {}, async ({ BASE_URL, API_KEY }) => {
    const answer = await fetch(`${BASE_URL}/pets`, { headers: { Authorization: `Bearer ${API_KEY}` } });
    expect(answer.status).toBe(200);
  });
});

test('the steps of the file build the suite, and a user without rights runs it and stops it by a signal @long', async () => {
  test.skip(process.getuid?.() !== 0, 'only root can run something as somebody else');
  const root = makeFolder();
  chmodSync(root, 0o755);
  const [source, suite, reports, temporary, work] = ['source', 'suite', 'reports', 'tmp', 'work'].map(
    (name) => join(root, name),
  ) as [string, string, string, string, string];
  for (const each of [source, temporary, reports, work]) mkdirSync(each);
  for (const name of SOURCES)
    cpSync(join(PROJECT, name), join(source, name), {
      recursive: true,
      filter: (path) => path !== join(PROJECT, 'reports', 'out'),
    });
  // `/suite` and `/tmp` of the image are folders below `root` here
  const [build = ''] = args('RUN');
  const script = build
    .replaceAll(/(?<=\s)\/(suite|tmp)(?=[\s/]|$)/g, (_, name: string) =>
      name === 'suite' ? suite : temporary,
    )
    .replaceAll(/\\\n/g, '');
  // Builds the suite from the sources; afterwards the sources are gone
  await mustRun('sh', ['-e', '-c', script], { cwd: source, env: installerEnv(join(root, 'cache')) });
  rmSync(source, { recursive: true });
  for (const each of ['node_modules/typescript', 'node_modules/oxlint', 'dist/tests/self', 'bin'])
    expect(existsSync(join(suite, each))).toBe(false);
  for (const each of [reports, temporary]) chmodSync(each, 0o777);
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', REPORT_DIR: reports, TMPDIR: temporary };
  const main = join(suite, 'dist', 'bin', 'animal-store-conformance.js');
  await serveHealthy(suite, { uid: NOBODY, gid: NOBODY }, async (target) => {
    const started = { cwd: work, env: { ...env, ...target } };
    const judged = await run(process.execPath, [main], { ...started, user: NOBODY });
    expect(judged).toMatchObject({ exitCode: 0, err: '' });
    // A second run gets a signal when it prints its first line of progress, e.g. `100 of 399 tests`
    const stopped = spawn(process.execPath, [main], { ...started, uid: NOBODY, gid: NOBODY });
    for await (const chunk of stopped.stdout as AsyncIterable<Buffer>)
      if (chunk.toString().includes('of ')) stopped.kill('SIGTERM');
    const report = JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8')) as Report;
    expect(report).toMatchObject({
      exitCode: 3,
      run: { complete: false, stopped: expect.stringContaining('SIGTERM') },
    });
  });
  // Neither run has written into its working directory or into the suite
  expect(await mustRun('find', [work, suite, '-user', String(NOBODY)], { cwd: root })).toBe('');
  rmSync(root, { recursive: true, force: true });
});
