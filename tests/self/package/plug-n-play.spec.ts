/**
 * The package in Yarn's Plug'n'Play, where its files are in a zip file: every way in which it starts a process. It asks the registry and takes half a minute. A usual run makes it only if code has changed that looks for files or starts processes.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { serve } from '../../../fixtures/reference/serve.ts';
import { changedFiles } from '../samples/changed.ts';
import { installedByYarn, must, packed, PROJECT } from '../samples/installed.ts';

const KEY = 'plug-n-play-key-0123';
const LIBRARY = `import { judge } from 'animal-store-conformance';
const { requirements } = await judge({ BASE_URL: process.argv[2], API_KEY: '${KEY}' }, { only: ['list-pets.limit'] });
console.log('judged:', requirements[0].verdict);
`;

/** A file of the package that may hold such code; `files` in package.json leaves some out. */
const OURS =
  /^(bin\/(?!bench|prove|release|samples)|fixtures\/(?!world)|reports\/).*\.ts$|^tests\/self\/package\/plug-n-play/;
/** Code that looks for files beside itself, or starts a process. */
const CONCERNED = /import\.meta\.url|\b(fork|spawn|Worker)\(|process\.versions\.pnp/;

/** True if such code has changed, or if git cannot say. */
function mayHaveBroken(): boolean {
  const changed = changedFiles() ?? ['package.json'];
  return changed.some((name) => {
    const path = join(PROJECT, name);
    return (
      name === 'package.json' ||
      (OURS.test(name) && existsSync(path) && CONCERNED.test(readFileSync(path, 'utf8')))
    );
  });
}

test('command, library and many targets work in Plug’n’Play', async () => {
  test.skip(
    process.env.SELF_TESTS !== 'all' && !mayHaveBroken(),
    'no code has changed that looks for files or starts processes',
  );
  const made = await packed();
  const target = await serve({ key: KEY });
  try {
    const { cwd, yarn } = await installedByYarn(made, 'pnp');
    const started = { cwd, env: { ...made.env, REX_KEY: KEY } };
    expect(existsSync(join(cwd, 'node_modules'))).toBe(false);
    const shown = await must('npx', [...yarn, 'run', 'animal-store-conformance'], started);
    expect(shown).toContain('Conforming');
    expect(existsSync(join(cwd, 'reports/out/allure-report/index.html'))).toBe(true);
    writeFileSync(join(cwd, 'library.mjs'), LIBRARY);
    const judged = await must('npx', [...yarn, 'node', 'library.mjs', target.baseUrl], started);
    expect(judged).toContain('judged: pass');
    writeFileSync(
      join(cwd, 'targets.json'),
      JSON.stringify([{ name: 'rex', baseUrl: target.baseUrl, apiKeyVariable: 'REX_KEY' }]),
    );
    const many = ['run', 'animal-store-conformance', 'targets', 'run', 'targets.json'];
    expect(await must('npx', [...yarn, ...many], started)).toContain('1 conforming');
  } finally {
    await target.close();
    rmSync(made.folder, { recursive: true, force: true });
  }
});
