/** The options of a run: how they are read, the words for each mistake, and options that npm keeps for itself. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { readOptions as readWith } from '../../../bin/command-line/options.ts';
import { nameOptionsOfNpm } from '../../../bin/command-line/npm-options.ts';
import { COMMANDS } from '../../../bin/command-descriptions.ts';
import { MAIN, installerEnv, makeFolder, run } from '../samples/installed.ts';

/** Whatever is laid over an environment is laid over an empty one. */
const readOptions = (argv: readonly string[]) => readWith(argv, {});
const NONE = {
  only: [],
  replay: null,
  dryRun: false,
  acceptWaivers: false,
  lock: false,
};

test('every option is read; none asks for a whole run', () => {
  expect(readOptions([])).toEqual({ options: { ...NONE, proxy: true, quiet: false } });
  const argv =
    '--only list-pets --only=get-pet --dry-run --accept-waivers --lock --open --quiet --base-url http://a.example/v1 --report-dir=there';
  const env = { BASE_URL: 'http://b.example/v1' };
  const flags = { dryRun: true, acceptWaivers: true, lock: true, open: true, quiet: true };
  expect(readWith(argv.split(' '), env)).toMatchObject({
    options: { ...NONE, only: ['list-pets', 'get-pet'], ...flags },
  });
  expect(env).toEqual({ BASE_URL: 'http://a.example/v1', REPORT_DIR: 'there' });
  for (const [words, read] of [
    [
      '--replay WyJjcmVhdGUtcGV0LmJvZGllcyIsNywiMDoxIl0',
      { replay: 'WyJjcmVhdGUtcGV0LmJvZGllcyIsNywiMDoxIl0' },
    ],
    ['--lock=write', { lock: 'write' }],
    ['--failed', { failed: true }],
    // an open question has a name too
    ['--only list-pets.limit-zero', { only: ['list-pets.limit-zero'] }],
    ['--only representation.json --only representation.json', { only: ['representation.json'] }],
  ] as const)
    expect(readOptions(words.split(' ')), words).toMatchObject({ options: { ...NONE, ...read } });
  expect(readWith(['--quick'], env)).toMatchObject({ options: NONE });
  expect(env).toHaveProperty('PROFILE', 'quick');
});

const ONE_ID = 'takes the id of one requirement or a stem such as list-pets; repeat it for several.';
const SEEN =
  'is not an option, because everybody on the machine would see the key: set API_KEY or API_KEY_FILE, or pipe the key to --api-key-file -.';
const MISTAKES: [argv: string[], mistake: string][] = [
  [['--onyl', 'list-pets'], '--onyl is not known; did you mean --only?'],
  [['--dryrun'], '--dryrun is not known; did you mean --dry-run?'],
  [['-x'], '-x is not known; --help lists all options'],
  [['--xylophone-quartz'], '--xylophone-quartz is not known; --help lists all options'],
  [['--api-key=s3cr3t-s3cr3t'], `--api-key ${SEEN}`],
  [['--key', 's3cr3t-s3cr3t'], `--key ${SEEN}`],
  [['--\u001b[31m'], 'There is an option that is not known; --help lists all.'],
  [['--only'], '--only needs a value behind it; --help says which.'],
  [['--replay'], '--replay needs a value behind it; --help says which.'],
  [['--replay', 'two words'], '--replay takes a token as the suite printed it.'],
  [['https://rex.example/v1'], 'There is an address that belongs to no option; did you mean --base-url?'],
  [['list-pets'], 'There is a word that belongs to no option; repeat --only for each requirement.'],
  [['--only', 'list-pet'], '--only list-pet: no requirement has this id; did you mean list-pets?'],
  [['--only', 'toString'], '--only toString: no requirement has this id; `npm run list` names all.'],
  [['--only', ''], `--only ${ONE_ID}`],
  [['--only', 'list-pets,get-pet'], `--only ${ONE_ID}`],
  [['--lock', 'read'], '--lock takes no value, or write: --lock=write.'],
  [['--failed', '--only', 'list-pets'], '--only and --failed ask for different parts; take one of them.'],
  [['--lock=write', '--only', 'list-pets'], '--lock=write pins what a whole run observed; leave --only out.'],
  [['--lock=write', '--quick'], '--lock=write pins what a whole run observed; leave --quick out.'],
];

test('a mistake is refused in one line', () => {
  for (const [argv, mistake] of MISTAKES)
    expect.soft(readOptions(argv), argv.join(' ')).toEqual({ mistakes: [mistake] });
});

test('an excused requirement cannot be run, and the reason is given', () => {
  expect(readOptions(['--only', 'deprecation.flagged'])).toEqual({
    mistakes: [
      expect.stringMatching(/^--only deprecation\.flagged: it is excused, no test can decide it\. .+/),
    ],
  });
});

test('all unknown requirements are named at once', () => {
  const read = readOptions(['--only', 'list-pet', '--only', 'get-pets']);
  expect(read).toEqual({
    mistakes: [expect.stringContaining('list-pet:'), expect.stringContaining('get-pets:')],
  });
});

test('--help names every option, the exit codes and the page of all variables', () => {
  const read = readOptions(['--help']);
  const text = 'print' in read ? read.print : '';
  const named =
    '--only --replay --dry-run --accept-waivers --lock --failed --open --quiet --base-url --report-dir --version docs/configuration.md';
  for (const each of [...named.split(' '), '  0  ', '  1  ', '  2  ', '  3  ']) expect(text).toContain(each);
});

test('no command line makes it throw, and every mistake is one line', () => {
  const word = fc.oneof(
    fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) }),
    fc.constantFrom('--only', '--replay', '--lock', '--', '--only=', 'list-pets', '--no-lock'),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (argv) => {
      const read = readOptions(argv);
      return (
        !('mistakes' in read) ||
        (read.mistakes.length > 0 && read.mistakes.every((each) => !/[\r\n]/.test(each)))
      );
    }),
  );
});

// Options that npm keeps for itself: nothing is asked, and the line that is printed hands them over.

const NPM = { npm_lifecycle_event: 'conformance', npm_command: 'run' };

function taken(env: NodeJS.ProcessEnv, words: readonly string[] = [], name = 'run') {
  const described = COMMANDS.find((each) => each.name() === name);
  return described === undefined ? null : nameOptionsOfNpm(described, words, { ...NPM, ...env });
}

test('what npm took is named, with the command that hands it over', async () => {
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
    expect(taken(env, words, name)).toMatch(new RegExp(`Write: npm run conformance -- ${right}$`));
  expect(taken({ npm_config_seed: '4', npm_command: 'exec' })).toContain(
    'npm run conformance -- --seed=<number>',
  );
  expect(taken({ npm_config_shard: '1/2' }, ['run', 'targets.json'], 'targets')).toContain('Write:');
  // it may be the key
  expect(taken({ npm_config_api_key_file: 's3cr3ts3cr3t' })).not.toContain('s3cr3t');
  expect(taken({ npm_config_base_url: 'http://a:s3cr3t@b.example' })).not.toContain('s3cr3t');
});

test('what is meant for npm, or was handed over, counts for nothing', async () => {
  for (const env of [
    { npm_config_only: 'production' },
    { npm_config_https_proxy: 'http://proxy.example/' },
    { npm_config_version: 'true', npm_config_package: 'x' },
    { npm_config_dry_run: '' },
    { npm_config_dry_run: 'true', npm_command: 'publish' },
    { npm_config_seed: '4', npm_lifecycle_event: undefined },
  ])
    expect(taken(env)).toBeNull();
  expect(taken({ npm_config_base_url: 'http://a.example' }, ['--base-url', 'http://b.example'])).toBeNull();
  expect(taken({ npm_config_json: 'true' }, ['--strict'])).toBeNull();
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
  const { exitCode, err } = await npm('x', 'y');
  expect({ exitCode, err }).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('npm keeps an option'),
  });
  expect(readdirSync(project)).toEqual(['package.json']);
});
