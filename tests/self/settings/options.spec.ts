/** The options of a run: how they are read, also for variables, and the words for each mistake. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { readOptions as readWith } from '../../../bin/command-line/options.ts';
import { addVariables, setVariables, spellFlag } from '../../../bin/command-line/variable-options.ts';
import { makeCommand } from '../../../bin/command-line/make-command.ts';
import { VARIABLES } from '../../../fixtures/settings/variables.ts';

const readOptions = (argv: readonly string[]) => readWith(argv, {});
/** The options if none is given. They are written out, so that a wrong change of `NO_OPTIONS` fails this test. */
const NONE = { only: [], replay: null, dryRun: false, acceptWaivers: false, lock: false };

test('every option is read; without options, everything is asked', () => {
  // Commander gives `proxy: true`, because the option of NO_PROXY is `--no-proxy`: an option `--no-x` sets `x` to true if it is absent.
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
    // An open question has a name too
    ['--only list-pets.limit-zero', { only: ['list-pets.limit-zero'] }],
    ['--only representation.json --only representation.json', { only: ['representation.json'] }],
  ] as const)
    expect(readOptions(words.split(' ')), words).toMatchObject({ options: { ...NONE, ...read } });
  expect(readWith(['--quick'], env)).toMatchObject({ options: NONE });
  expect(env).toHaveProperty('PROFILE', 'quick');
});

const ONE_ID = 'takes the id of one requirement or a stem such as list-pets; repeat it for several.';
/** The reason why a key is refused as an option. */
const SEEN =
  'is not an option, because everybody on the machine would see the key: set API_KEY or API_KEY_FILE, or pipe the key to --api-key-file -.';
/** Command lines, and the one line that each of them gets. */
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
      if (!('mistakes' in read)) return true;
      return read.mistakes.length > 0 && read.mistakes.every((each) => !/[\r\n]/.test(each));
    }),
  );
});

test('every variable is an option, but for the key and the path of the browser', () => {
  const program = addVariables(makeCommand('any', 'Any.'));
  const flags = program.options.map(({ long }) => long);
  const missing = VARIABLES.filter((each) => !flags.includes(spellFlag(each))).map(({ name }) => name);
  expect(missing).toEqual(['API_KEY', 'CHROMIUM_PATH']);
});

test('an option wins over its variable, a switch needs no value, and a secret is refused', () => {
  const env: NodeJS.ProcessEnv = { MAX_RPS: '5' };
  const read = (...words: string[]) =>
    setVariables(
      addVariables(makeCommand('any', 'Any.')).parse(words, { from: 'user' }),
      env,
      () => 'piped-key\n',
    );
  expect(read('--max-rps', '7', '--strict', '--no-proxy', 'localhost', '--seed', '-3')).toEqual([]);
  expect(env).toEqual({ MAX_RPS: '7', STRICT: '1', NO_PROXY: 'localhost', SEED: '-3' });
  expect(read('--https-proxy', 'http://user:secret@proxy:1')).toEqual([
    expect.stringMatching(/^--https-proxy must not hold credentials/),
  ]);
  expect(env).not.toHaveProperty('HTTPS_PROXY');
  expect(read('--api-key-file', '-')).toEqual([]);
  expect(env).toMatchObject({ API_KEY: 'piped-key' });
  expect(env).not.toHaveProperty('API_KEY_FILE');
  expect(read('--api-key-file', '-')).toEqual(['API_KEY is set beside API_KEY_FILE: remove one of them.']);
  expect(readOptions(['--api-key', 'abc'])).toEqual({
    mistakes: [expect.stringMatching(/^--api-key is not an option/)],
  });
});
