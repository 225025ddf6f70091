/** Texts and refusals of commands, what they ask again, and that a closed pipe troubles none. `one-command.spec.ts` has what they all share. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { SECTIONS } from '../../../fixtures/interface/sections.ts';
import { Reference } from '../../../fixtures/reference/reference-service.ts';
import { against, command } from '../samples/command.ts';
import { CONFORMING } from '../samples/sample-reports.ts';

test.describe.configure({ timeout: 90_000 });

/** Scripts of the clone, which are no commands of the package. */
const COMMANDS = ['bench', 'prove', 'prove-hostile', 'samples'];

for (const name of COMMANDS) {
  test(`${name} has --help, and refuses what it does not know with 2, in words`, async () => {
    // both of one, since they are one option of the library for commands
    for (const flag of name === 'samples' ? ['--help', '-h'] : ['--help']) {
      const { exitCode, out } = await command(name, [flag]);
      expect([exitCode, out]).toEqual([0, expect.stringContaining('Usage:')]);
    }
    const { exitCode, out, err } = await command(name, ['--no-such-option']);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toMatch(/option/);
    expect(err).not.toMatch(/^\s+at /m);
  });
}

test('prove and bench say so if there is nothing of a name', async () => {
  for (const [name, args, says] of [
    ['prove', ['--only', 'no-such-fault'], 'No base, fault, freedom, pair or hard variant'],
    ['prove', ['--hard', 'no-such-battery'], 'there is no battery no-such-battery'],
    ['bench', ['--only', 'no-such-row'], 'There is no row no-such-row'],
    ['bench', ['--against', 'no-such-commit'], '--against no-such-commit: git has no such commit here'],
    ['bench', ['--pairs', '0'], '--pairs is a number from 1 to 99'],
  ] as const) {
    const { exitCode, err } = await command(name, args);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(says)]);
    expect(err).not.toMatch(/^\s+at /m);
  }
});

test('list tells requirements from open questions, has JSON and a filter', async () => {
  const { out } = await command('list', ['limits']);
  expect(out).toMatch(/^Requirements, which are judged\n {2}\S+ +must +\d+ faults +Limits\n {6}\w.+\.\n/);
  expect(out).toContain('\nOpen questions: their answers are observed, and held to standards alone\n');
  const { requirements, questions } = JSON.parse((await command('list', ['limits', '--json'])).out) as {
    requirements: { id: string; level: string }[];
    questions: { id: string }[];
  };
  expect(requirements.map(({ id }) => id)).toContain('list-pets.default-limit');
  expect(questions.map(({ id }) => id)).toContain('errors.rate-limit');
  expect((await command('list', ['no such thing'])).exitCode).toBe(2);
});

test('list shows every sentence of the document with its promises, or why there is nothing to test', async () => {
  const { out } = await command('list', ['--sections']);
  const lines = out.split('\n').map((line) => line.replace(/ \(schemas\/.*\)$/, ''));
  for (const { section } of SECTIONS) expect(lines).toContain(section);
  for (const { sentences } of SECTIONS)
    for (const [index, { says }] of sentences.entries()) expect(lines).toContain(`  ${index + 1}. ${says}`);
  expect(out).toContain('Events\n  1. events\n     Nothing to test: The document describes none.\n');
  expect(out).toMatch(
    /^PetStatus \(schemas\/pet-status.json\)\n {2}1\. .+\n {5}representation\.pet-status +must/m,
  );
  const { sections } = JSON.parse((await command('list', ['events', '--sections', '--json'])).out) as {
    sections: { section: string; requirements: unknown[] }[];
  };
  expect(sections).toMatchObject([{ section: 'Events', requirements: [] }]);
});

test('explain shows every fault with --all, and where each test is', async () => {
  const { out } = await command('explain', ['get-pet.not-found', '--all']);
  expect(out).not.toContain('--all shows');
  const faults = FAULTS.filter(({ breaks }) => breaks === 'get-pet.not-found');
  expect(faults.length).toBeGreaterThan(5);
  for (const { id, what } of faults) expect(out).toContain(`  ${id}: ${what}`);
});

test('explain shows what is sent and what a failure looks like, on less than two screens', async () => {
  const { out } = await command('explain', ['list-pets.default-limit']);
  for (const part of [
    'GET /pets -> 200',
    'tests/list-pets.spec.ts:',
    'section "Limits", sentence 1 (table: limit), schema schemas/openapi.json',
    ' more (--all shows them)',
    'What a failure looks like, shown by the fault list-pets.',
    'expected  at most 20 animals',
    'request   GET /pets',
    'answer    200 OK',
    '-- --only list-pets.default-limit',
  ])
    expect(out).toContain(part);
  expect(out).toMatch(/^ {2}fixtures\/judgement\/rules\/lists\.ts:\d+ {2}limits: /m);
  expect(out.split('\n').length).toBeLessThan(50);
  const question = await command('explain', ['list-pets.limit-zero']);
  expect(question.out).toContain('GET /pets?limit=0 -> 400');
  expect((await command('explain', ['list-pets.limit-zeros'])).err).toContain(
    'did you mean list-pets.limit-zero?',
  );
});

/** Runs a command whose reader goes away after the first line. */
async function headOf(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ exitCode: number | null; first: string; err: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-pipe-'));
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL(`../../../bin/${name}.js`, import.meta.url)), ...args],
    { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, REPORT_DIR: 'out', ...env } },
  );
  let [first, err] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdout.once('data', (chunk: Buffer) => {
    first = chunk.toString().split('\n')[0] ?? '';
    child.stdout.destroy();
  });
  return { exitCode: await new Promise((resolve) => child.on('exit', resolve)), first, err };
}

test('a closed pipe ends nothing, and changes no exit code', { tag: '@long' }, async () => {
  await against(
    (Base) =>
      class extends Base {
        override page(...[pets, limit]: Parameters<Reference['page']>) {
          return super.page(pets, limit + 1);
        }
      },
    async (target) => {
      expect(await headOf('conformance', ['--only', 'list-pets.default-limit'], target)).toEqual({
        exitCode: 1,
        first: `Judging ${target.BASE_URL}`,
        err: '',
      });
    },
  );
  for (const name of ['list', 'explain'] as const)
    expect(await headOf(name, name === 'list' ? ['--json'] : ['errors.media-type'])).toMatchObject({
      exitCode: 0,
      err: '',
    });
});

test('what failed is asked again, and nothing else', { tag: '@long' }, async () => {
  let extra = 1;
  await against(
    (Base) =>
      class extends Base {
        override page(...[pets, limit]: Parameters<Reference['page']>) {
          return super.page(pets, limit + extra);
        }
      },
    async (target) => {
      const first = await command(
        'conformance',
        ['--only', 'list-pets.default-limit', '--only', 'get-pet.not-found'],
        target,
      );
      expect(first.exitCode).toBe(1);
      const again = await command('conformance', ['--failed'], target, first.folder);
      expect(again.out).toContain('Only a part of the suite was asked for: list-pets.');
      expect(again.report?.run.only).toContain('list-pets.default-limit');
      expect(again.report?.run.only).not.toContain('get-pet.not-found');
      extra = 0;
      const mended = await command('conformance', ['--failed', '--quiet'], target, first.folder);
      expect([mended.exitCode, mended.out]).toEqual([
        3,
        '? Inconclusive, exit code 3 (undecided): only a part of the suite was asked for; to decide, run the whole suite\n',
      ]);
      const done = await command('conformance', ['--failed'], target, first.folder);
      expect([done.exitCode, done.out]).toEqual([3, expect.stringContaining('names nothing that failed')]);
    },
  );
});

test('--failed needs a report, and looks into that of a whole run first', async () => {
  const none = await command('conformance', ['--failed']);
  expect([none.exitCode, none.err]).toEqual([2, expect.stringContaining('there is none in out')]);
  mkdirSync(join(none.folder, 'out'));
  writeFileSync(join(none.folder, 'out', 'report.json'), JSON.stringify(CONFORMING));
  const { exitCode, out } = await command('conformance', ['--failed'], {}, none.folder);
  expect([exitCode, out]).toEqual([
    0,
    expect.stringContaining('The last report says that nothing failed: nothing was asked.'),
  ]);
  expect(out).toContain('is of another target');
  writeFileSync(join(none.folder, 'out', 'report.json'), '{}');
  expect((await command('conformance', ['--failed'], {}, none.folder)).err).toContain(
    'is not a report of this suite',
  );
});

test(
  'address and folder by option outweigh their variables, and a look leaves the last reports alone',
  { tag: '@long' },
  async () => {
    await against(
      (Base) => Base,
      async ({ BASE_URL = '', API_KEY = '' }) => {
        const { exitCode, folder, out } = await command(
          'conformance',
          ['--only', 'list-pets.limit-zero', '--base-url', BASE_URL, '--report-dir', 'elsewhere'],
          { API_KEY, BASE_URL: 'http://127.0.0.1:9' },
        );
        expect(exitCode).toBe(3);
        expect(out).toContain('limit=0: refused with 400');
        expect(existsSync(join(folder, 'out'))).toBe(false);
        const kept = join(folder, 'elsewhere', 'partial', 'report.json');
        const before = readFileSync(kept, 'utf8');
        for (const [args, env] of [
          [['--dry-run'], {}],
          [['--no-such'], {}],
          [['--only', 'list-pets.limit-zero'], { API_KEY: 'a-wrong-key-of-some-length' }],
          [['--only', 'list-pets.limit-zero'], { SEED: 'x' }],
        ] as const) {
          await command(
            'conformance',
            [...args, '--base-url', BASE_URL, '--report-dir', 'elsewhere'],
            { API_KEY, ...env },
            folder,
          );
          expect(readFileSync(kept, 'utf8'), JSON.stringify([args, env])).toBe(before);
        }
        const nowhere = await command(
          'conformance',
          ['--dry-run', '--only', 'list-pets.limit-zero', '--report-dir', 'a/new/folder'],
          { API_KEY, BASE_URL },
        );
        expect([nowhere.exitCode, existsSync(join(nowhere.folder, 'a'))]).toEqual([0, false]);
      },
    );
  },
);
