/** The command where it cannot even be loaded, e.g. a file is missing: one sentence, and never the exit code of a failure. */
import { cpSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { MAIN, PROJECT, makeFolder, run } from '../samples/installed.ts';
import suite from '../../../package.json' with { type: 'json' };

const STACK = /^ +at /m;

test('too few file handles, at any place: exit code 3 and one sentence', async () => {
  test.skip(process.platform === 'win32', 'Windows has no such limit');
  for (const handles of [24, 40, 64, 80, 96, 120, 140]) {
    const words = `ulimit -n ${handles} && exec "$0" "$@"`;
    const cwd = makeFolder();
    const { exitCode, err } = await run('sh', ['-c', words, process.execPath, MAIN, 'run', '--quiet'], {
      cwd,
    });
    expect({ handles, exitCode }).toEqual({ handles, exitCode: 3 });
    expect(err).toContain('ulimit -n');
    expect(err.trim().split('\n')).toHaveLength(1);
  }
  const build = join(PROJECT, 'bin', 'build.js');
  const { exitCode, err } = await run(
    'sh',
    ['-c', `ulimit -n 19 && exec "$0" "$1"`, process.execPath, build],
    { cwd: makeFolder() },
  );
  expect(exitCode).not.toBe(1);
  expect(err).not.toMatch(STACK);
});

test('a missing file of the suite, and a Node that is too old: exit code 2 and one sentence', async () => {
  const folder = makeFolder();
  for (const name of ['bin', 'package.json'])
    cpSync(join(PROJECT, 'dist', name), join(folder, name), { recursive: true });
  const main = join(folder, 'bin', 'animal-store-conformance.js');
  const begins = () => run(process.execPath, [main, 'run'], { cwd: folder });
  const incomplete = await begins();
  expect(incomplete).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(/is missing\): install it again\.\n$/),
  });
  expect(incomplete.err.trim().split('\n')).toHaveLength(1);
  const [, major, minor] = /LEAST_NODE = \[(\d+), (\d+)\]/.exec(readFileSync(main, 'utf8')) ?? [];
  expect(`>=${major}.${minor}`).toBe(suite.engines.node);
  writeFileSync(main, readFileSync(main, 'utf8').replace(/LEAST_NODE = \[\d+/, 'LEAST_NODE = [99'));
  expect(await begins()).toMatchObject({
    exitCode: 2,
    out: '',
    err: expect.stringMatching(/^The suite needs Node 99/),
  });
  rmSync(folder, { recursive: true });
});

test('a clone without a compiler, or with sources that do not compile: one sentence, and not 1', async () => {
  const folder = makeFolder();
  for (const name of ['bin', 'fixtures', 'reports', 'schemas', 'package.json', 'tsconfig.json'])
    cpSync(join(PROJECT, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.includes('reports/out'),
    });
  const builds = () => run(process.execPath, [join(folder, 'bin', 'build.js')], { cwd: folder });
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  writeFileSync(join(folder, 'playwright.config.ts'), '');
  expect(await builds()).toMatchObject({
    exitCode: 2,
    err: 'The compiler is missing in node_modules: run npm ci, then start again.\n',
  });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  for (const name of ['fixtures', 'reports', 'schemas']) rmSync(join(folder, name), { recursive: true });
  expect(readdirSync(folder)).not.toContain('fixtures');
  expect(await builds()).toMatchObject({ exitCode: 3, err: 'The sources could not be compiled.\n' });
  rmSync(folder, { recursive: true });
});
