/** npm keeps the options before `--`, e.g. `npm run conformance --seed 3`. The run then sends nothing and prints the right command. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { nameOptionsOfNpm } from '../../../bin/command-line/npm-options.ts';
import { COMMANDS } from '../../../bin/command-descriptions.ts';
import { MAIN, installerEnv, makeFolder, run } from '../samples/installed.ts';

/** Variables that npm sets for `npm run conformance`. */
const NPM = { npm_lifecycle_event: 'conformance', npm_command: 'run' };

/** Returns the sentence about options that npm took from a command; null: it took none. */
function nameTaken(env: NodeJS.ProcessEnv, words: readonly string[] = [], name = 'run') {
  const described = COMMANDS.find((each) => each.name() === name);
  return described === undefined ? null : nameOptionsOfNpm(described, words, { ...NPM, ...env });
}

test('an option that npm took is named, with the command that passes it on', async () => {
  const cases: [env: NodeJS.ProcessEnv, words: string[], right: string, name?: string][] = [
    [{ npm_config_base_url: 'http://a.example/v1' }, [], '--base-url=<value>'],
    [
      { npm_config_base_url: 'true', npm_config_seed: 'true' },
      ['http://a.example', '3'],
      '--base-url=<value> --seed=<number>',
    ],
    [{ npm_config_dry_run: 'true' }, ['--base-url=http://a.example'], '--dry-run'],
    [{ npm_config_only: 'list-pets' }, [], '--only=<id>'],
    [{ npm_config_only: 'list-pets.limit' }, [], '--only=<id>'],
    [{ npm_config_mode: 'read-only' }, ['--strict'], '--mode=<value>'],
    [{ npm_config_json: 'true' }, [], '--json'],
    [{ npm_config_strict: 'true' }, [], '--strict'],
    [{ npm_config_parallel: '3' }, ['run', 'targets.json'], 'run --parallel=<n>', 'targets'],
  ];
  for (const [env, words, right, name] of cases)
    expect(nameTaken(env, words, name)).toMatch(new RegExp(`Write: npm run conformance -- ${right}$`));
  expect(nameTaken({ npm_config_seed: '4', npm_command: 'exec' })).toContain(
    'npm run conformance -- --seed=<number>',
  );
  expect(nameTaken({ npm_config_shard: '1/2' }, ['run', 'targets.json'], 'targets')).toContain('Write:');
  // The value of an option may be the key, so no message shows it
  expect(nameTaken({ npm_config_api_key_file: 's3cr3ts3cr3t' })).not.toContain('s3cr3t');
  expect(nameTaken({ npm_config_base_url: 'http://a:s3cr3t@b.example' })).not.toContain('s3cr3t');
});

test('options that are meant for npm, or that the command got, are not named', async () => {
  for (const env of [
    { npm_config_only: 'production' },
    { npm_config_https_proxy: 'http://proxy.example/' },
    { npm_config_version: 'true', npm_config_package: 'x' },
    { npm_config_dry_run: '' },
    { npm_config_dry_run: 'true', npm_command: 'publish' },
    { npm_config_seed: '4', npm_lifecycle_event: undefined },
  ])
    expect(nameTaken(env)).toBeNull();
  expect(
    nameTaken({ npm_config_base_url: 'http://a.example' }, ['--base-url', 'http://b.example']),
  ).toBeNull();
  expect(nameTaken({ npm_config_json: 'true' }, ['--strict'])).toBeNull();
});

test('npm itself: nothing is sent, and no report is touched', async () => {
  const folder = makeFolder();
  const project = join(folder, 'project');
  mkdirSync(project);
  const script = `node ${JSON.stringify(MAIN)} run`;
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'x', version: '1.0.0', scripts: { judge: script } }),
  );
  const npm = (...words: string[]) =>
    run('npm', ['run', 'judge', ...words], { cwd: project, env: installerEnv(join(folder, 'cache')) });
  const taken = await npm('--base-url', 'http://127.0.0.1:9');
  expect(taken.exitCode).toBe(2);
  expect(taken.err).toContain('Write: npm run judge -- --base-url=<value>');
  // Words without an option may be the values of options that npm kept.
  const { exitCode, err } = await npm('x', 'y');
  expect({ exitCode, err }).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('npm keeps an option'),
  });
  expect(readdirSync(project)).toEqual(['package.json']);
});
