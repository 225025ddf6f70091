/** The reports of a run replace the old reports all at once. No link is followed, and a failure to write is one sentence. */
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { judge } from '../../../bin/library.ts';
import { ALLURE, ARTIFACT_NAMES, PARTIAL, WORK } from '../../../bin/command-line/output/artifacts.ts';
import { PLACE } from '../../../bin/command-line/output/holder.ts';
import { OLDER, ReportFolder } from '../../../bin/command-line/output/report-folder.ts';
import { combineVaries, replaceStep } from '../../../fixtures/implementations/operators.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import { exceedLimits, withReference, runOnReference } from '../samples/varied-reference.ts';
import { runCommand, startCommand, makeFolder } from '../samples/command.ts';
import { run, type Done } from '../samples/installed.ts';
import { CONFORMING } from '../samples/sample-reports.ts';

const CONFORMANCE = fileURLToPath(new URL('../../../bin/conformance.js', import.meta.url));
const FOLDERS: readonly string[] = Object.values(ALLURE);
/** Returns the path of a file of a run; of a folder, the path of its page. */
const locate = (root: string, name: string) => join(root, name, FOLDERS.includes(name) ? 'index.html' : '');
/** A run that sends little. */
const LITTLE = ['--only', 'list-pets.limit-zero'];

/** Writes every file of a run, each with this text. */
function writeReports(folder: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of ARTIFACT_NAMES) {
    if (FOLDERS.includes(name)) mkdirSync(join(folder, name));
    writeFileSync(locate(folder, name), text);
  }
}

/** Returns the different texts of a run's files; null stands for a missing file. */
function listTexts(folder: string): (string | null)[] {
  const texts = ARTIFACT_NAMES.map((name) => {
    const path = locate(folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  });
  return [...new Set(texts)];
}

/** Puts new reports in the place of the old ones, as a run does at its end. */
async function replaceReports(root: string, part: boolean): Promise<void> {
  const files = await ReportFolder.open(root, part);
  writeReports(files.work, 'new');
  files.swapIn();
  files.close();
}

/** Varies the service: it does something when it gets the request of this number, and then answers as usual. */
function actAt(count: number, act: () => void | Promise<void>): Vary {
  let seen = 0;
  return replaceStep('handle', (usual) => async (call) => {
    if ((seen += 1) === count) await act();
    await usual(call);
  });
}

/** Expects one sentence with these parts, and no stack of an error. */
function expectSentence(err: string, ...parts: string[]): void {
  for (const part of parts) expect(err).toContain(part);
  expect(err.trim().split('\n')).toHaveLength(1);
  expect(err).not.toMatch(/^\s+at /m);
}

for (const part of [false, true]) {
  const place = part ? 'a part' : 'a whole run';

  test(`the reports of ${place} stay until all new ones are written, marked as older`, async () => {
    const root = makeFolder();
    const folder = part ? join(root, PARTIAL) : root;
    writeReports(folder, 'old');
    writeFileSync(join(folder, 'notes.txt'), 'of somebody');
    const files = await ReportFolder.open(root, part);
    writeReports(files.work, 'new');
    rmSync(join(files.work, ALLURE.report), { recursive: true });
    expect(listTexts(folder)).toEqual(['old']);
    expect(readFileSync(join(folder, OLDER), 'utf8')).toMatch(
      /of an earlier run, written at \d{4}-.*\nA run that began at \d{4}-.* has not ended yet, or was ended before/,
    );
    files.swapIn();
    files.close();
    // An old file that the new run does not make is removed
    expect(listTexts(folder)).toEqual(['new', null]);
    expect(readdirSync(folder).toSorted()).toEqual(
      [...ARTIFACT_NAMES, 'notes.txt'].filter((name) => name !== ALLURE.report).toSorted(),
    );
    expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test(`no link in the place of a report of ${place} is followed`, async () => {
    const [root, elsewhere] = [makeFolder(), makeFolder()];
    const folder = part ? join(root, PARTIAL) : root;
    mkdirSync(folder, { recursive: true });
    // Links also for the note about older reports (OLDER)
    for (const name of [...ARTIFACT_NAMES, OLDER]) {
      if (FOLDERS.includes(name)) mkdirSync(join(elsewhere, name));
      writeFileSync(locate(elsewhere, name), 'victim');
      symlinkSync(join(elsewhere, name), join(folder, name));
    }
    symlinkSync(elsewhere, join(root, '.run'));
    await replaceReports(root, part);
    expect([listTexts(folder), listTexts(elsewhere)]).toEqual([['new'], ['victim']]);
    expect(readFileSync(join(elsewhere, OLDER), 'utf8')).toBe('victim');
    expect(readdirSync(elsewhere)).toHaveLength(ARTIFACT_NAMES.length + 1);
    for (const name of ARTIFACT_NAMES) expect(lstatSync(join(folder, name)).isSymbolicLink()).toBe(false);
  });
}

test('a link in the place of the folder for parts is replaced', async () => {
  const [root, elsewhere] = [makeFolder(), makeFolder()];
  symlinkSync(elsewhere, join(root, PARTIAL));
  await replaceReports(root, true);
  expect([readdirSync(elsewhere), listTexts(join(root, PARTIAL))]).toEqual([[], ['new']]);
});

test('if one file cannot be put in its place, all stay as they were', async () => {
  const root = makeFolder();
  writeReports(root, 'old');
  // For the last expectation: a file is where the folder for parts must be.
  writeFileSync(join(root, PARTIAL), 'no folder');
  const files = await ReportFolder.open(root);
  writeReports(files.work, 'new');
  // `swapIn` moves the old reports to the folder `old`, which it cannot make now
  rmSync(join(files.work, 'old'), { recursive: true, force: true });
  writeFileSync(join(files.work, 'old'), 'no folder');
  expect(() => files.swapIn()).toThrow(
    /cannot be written, because .* \(EEXIST\): .*; what was there is left as it was\.$/,
  );
  files.close();
  expect(listTexts(root)).toEqual(['old']);
  expect(existsSync(join(root, OLDER))).toBe(true);
  await expect(async () => (await ReportFolder.open(root, true)).swapIn()).rejects.toThrow(
    /not a folder \(EEXIST\)/,
  );
});

test('a run that was refused leaves a folder as it was', async () => {
  const root = makeFolder();
  writeReports(root, 'old');
  writeFileSync(join(root, OLDER), 'the mark of the run before');
  const files = await ReportFolder.open(root);
  expect(files.oldReportsNote).toMatch(
    /are of an earlier run, written at .*; they were left as they were\.$/,
  );
  // A run removes only its own note.
  files.close('remove-note');
  expect([readFileSync(join(root, OLDER), 'utf8'), readdirSync(root).length]).toEqual([
    'the mark of the run before',
    ARTIFACT_NAMES.length + 1,
  ]);
  (await ReportFolder.open(join(root, 'new', 'folder'))).close('remove-note');
  expect(existsSync(join(root, 'new'))).toBe(false);
});

test('a folder is refused to a second run, with the process and the beginning of the first', async () => {
  const root = makeFolder();
  const files = await ReportFolder.open(root);
  await expect(ReportFolder.open(root)).rejects.toThrow(
    new RegExp(`in use by another run \\(process ${process.pid}, since \\d{4}-.*\\): wait`),
  );
  expect(readdirSync(root)).toEqual(['.run']);
  files.close();
  (await ReportFolder.open(root)).close();
});

// A run touches its run.json each second. Nobody touches these, so after 8 s their runs count as ended, whatever `pid` says.
for (const [what, holder] of [
  ['of a process that has ended', { pid: 2 ** 22 + 1, began: '', place: PLACE }], // no process has this number
  ['of a process whose number another one has now', { pid: process.pid, began: '', place: PLACE }],
  ['without run.json', null],
  ['with nonsense in run.json', { pid: 0 }],
  ['of another container', { pid: process.pid, began: '', place: 'elsewhere' }],
] as const) {
  test(`a folder .run ${what} is cleared by the next run`, async () => {
    const root = makeFolder();
    // A run that was killed while it made or removed its folder has left `.run-<uuid>`
    for (const name of ['.run', '.run-4194305-of-old']) mkdirSync(join(root, name));
    writeFileSync(join(root, '.run', 'evidence.jsonl'), 'old');
    if (holder !== null) writeFileSync(join(root, '.run', 'run.json'), JSON.stringify(holder));
    const files = await ReportFolder.open(root);
    expect(readdirSync(files.work)).toEqual(['run.json']);
    files.close();
    expect(readdirSync(root)).toEqual([]);
  });
}

test('a killed run leaves the old reports with a mark; the next run replaces them, even without TMPDIR', async () => {
  const root = makeFolder();
  const partial = join(root, 'out', PARTIAL);
  writeReports(partial, 'old');
  // The run, which is killed at its request 20
  let killed: ReturnType<typeof spawn> | null = null;
  await withReference(
    actAt(20, () => void killed?.kill('SIGKILL')),
    async (target) => {
      killed = spawn(process.execPath, [CONFORMANCE, ...LITTLE], {
        cwd: root,
        env: { PATH: process.env.PATH, HOME: root, REPORT_DIR: 'out', ...target },
        stdio: 'ignore',
      });
      const child = killed;
      await new Promise((resolve) => child.on('close', resolve));
      expect([
        listTexts(partial),
        existsSync(join(partial, OLDER)),
        existsSync(join(root, 'out', '.run', 'run.json')),
      ]).toEqual([['old'], true, true]);
      const nowhere = { ...target, TMPDIR: '/tmp/there-is-no-such-folder' };
      const next = await startCommand('conformance', LITTLE, nowhere, root);
      expect([next.exitCode, next.err, next.report?.run.only]).toEqual([3, '', ['list-pets.limit-zero']]);
      expect([existsSync(join(partial, OLDER)), readdirSync(join(root, 'out'))]).toEqual([false, [PARTIAL]]);
      expect([
        existsSync(join(partial, ALLURE.report, 'index.html')),
        listTexts(partial).includes('old'),
      ]).toEqual([true, false]);
    },
  );
});

// The titles begin with the exit code.
for (const [what, env, says] of [
  [
    'a REPORT_DIR that is a file',
    { REPORT_DIR: 'a-file' },
    'REPORT_DIR leads to something that is not a folder',
  ],
  [
    'a REPORT_DIR that cannot be made',
    { REPORT_DIR: 'to-nowhere' },
    'REPORT_DIR (to-nowhere) cannot be written, because there is something in its place that is not a folder (EEXIST)',
  ],
] as const) {
  test(`2: ${what}, before anything is sent`, async () => {
    const root = makeFolder();
    writeFileSync(join(root, 'a-file'), '');
    symlinkSync('nowhere', join(root, 'to-nowhere'));
    let asked = false;
    const watched = actAt(1, () => void (asked = true));
    const { exitCode, err } = await runOnReference(watched, LITTLE, env, root);
    expect([exitCode, asked]).toEqual([2, false]);
    expectSentence(err, says);
    expect(readdirSync(root).toSorted()).toEqual(['a-file', 'to-nowhere']);
  });
}

test('3: a REPORT_DIR that vanishes during the run, with the verdict on the terminal', async () => {
  const root = makeFolder();
  const removing = actAt(20, () => rmSync(join(root, 'out'), { recursive: true }));
  const only = ['--only', 'list-pets.default-limit'];
  const { exitCode, out, err } = await runOnReference(combineVaries(removing, exceedLimits), only, {}, root);
  // A promise is broken, which is 1. Without a report it is 3.
  expect([exitCode, out]).toEqual([3, expect.stringContaining('✗ Nonconforming, exit code 3 (undecided)')]);
  expect(out).not.toContain('conformance.html');
  expectSentence(
    err,
    'The report in out/partial cannot be written, because the folder is gone or cannot be made (ENOENT): see that it can be written and run again.',
  );
});

test('neither a program nor the matrix takes reports that are older than the last run', async () => {
  const root = makeFolder();
  const folder = join(root, 'vendor');
  mkdirSync(folder);
  writeFileSync(join(folder, 'report.json'), JSON.stringify(CONFORMING));
  writeFileSync(
    join(folder, 'target.json'),
    JSON.stringify({
      outcome: {
        target: 'vendor',
        begun: '2026-01-01T00:00:00.000Z',
        reason: '',
        exitCode: null,
        seconds: 1,
      },
    }),
  );
  const inMatrix = async () => (await runCommand('matrix', ['vendor', '--out', 'matrix'], {}, root)).err;
  expect(await inMatrix()).toBe('');
  writeFileSync(join(folder, OLDER), '');
  expect(await inMatrix()).toContain('is of an earlier run: the last one did not come to its end');
  mkdirSync(join(root, PARTIAL));
  writeFileSync(join(root, PARTIAL, 'report.json'), JSON.stringify(CONFORMING));
  await withReference(
    actAt(20, () => rmSync(join(root, WORK), { recursive: true })),
    async ({ BASE_URL, API_KEY }) => {
      await expect(
        judge({ BASE_URL, API_KEY, REPORT_DIR: root }, { only: ['list-pets.limit-zero'] }),
      ).rejects.toThrow('The run has left no report.');
    },
  );
});

/** Starts a run in a shell that has set this limit, e.g. `ulimit -f 20`. */
function runLimited(limit: string, args: readonly string[], root: string): Promise<Done> {
  return run('sh', ['-c', `${limit}; exec "$@"`, 'sh', process.execPath, CONFORMANCE, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: root, REPORT_DIR: 'out' },
  });
}

// `ulimit -f` counts blocks of 512 bytes.
for (const [what, blocks, options, subject, printed] of [
  ['the evidence', 20, ['--json'], 'The report in out/partial', '"report":null'],
  ['the page of Allure', 400, [], 'The Allure report in out/partial', 'limit=0: refused with 400'],
] as const) {
  test(`3: no room for ${what}, and the old reports stay`, async () => {
    test.skip(process.platform === 'win32', 'there are no such limits here');
    const root = makeFolder();
    const partial = join(root, 'out', PARTIAL);
    writeReports(partial, 'old');
    const { exitCode, out, err } = await runLimited(`ulimit -f ${blocks}`, [...LITTLE, ...options], root);
    expect([exitCode, listTexts(partial), existsSync(join(partial, OLDER))]).toEqual([3, ['old'], true]);
    expect(out).toContain(printed);
    expectSentence(
      err,
      subject,
      'cannot be written, because a file may not grow that large here (EFBIG): make room there and run again; what was there is left as it was.',
    );
    expect(readdirSync(join(root, 'out'))).toEqual([PARTIAL]);
  });
}
