/** Texts and refusals of commands, what they ask again, and that a closed pipe troubles none. `one-command.spec.ts` has what they all share. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { SECTIONS } from '../../../fixtures/interface/sections.ts';
import { replaceStep } from '../../../fixtures/implementations/operators.ts';
import { against, command, oneMore, shellIn, makeFolder } from '../samples/command.ts';
import { PROJECT, run } from '../samples/installed.ts';
import { CONFORMING } from '../samples/sample-reports.ts';

test.describe.configure({ timeout: 90_000 });

const MAIN = join(PROJECT, 'dist', 'bin', 'animal-store-conformance.js');

test('each script of the clone has --help, and refuses what it does not know with 2, in words', async () => {
  for (const words of ['bench --help', 'prove --help', 'prove-hostile --help', 'samples -h'])
    await shellIn(tmpdir())(words, 0, 'Usage:');
  for (const [words, says] of [
    ['bench --no-such-option', 'option'],
    ['prove --no-such-option', 'option'],
    ['prove-hostile --no-such-option', 'option'],
    ['samples --no-such-option', 'option'],
    ['prove --only no-such-fault', 'No base, fault, freedom, pair or hard variant'],
    ['prove --hard no-such-battery', 'there is no battery no-such-battery'],
    ['bench --only no-such-row', 'There is no row no-such-row'],
    ['bench --against no-such-commit', '--against no-such-commit: git has no such commit here'],
    ['bench --pairs 0', '--pairs is a number from 1 to 99'],
  ] as const) {
    const said = await shellIn(tmpdir())(words, 2, says);
    expect(said).not.toMatch(/^\s+at |^Usage/m);
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

test('explain shows what is sent and what a failure looks like, on less than two screens; with --all every fault', async () => {
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
    ' --only list-pets.default-limit',
  ])
    expect(out).toContain(part);
  expect(out).not.toContain('0.12 s');
  expect(out).toMatch(/^ {2}fixtures\/judgement\/rules\/lists\.ts {2}limits: /m);
  expect(out.split('\n').length).toBeLessThan(50);
  const all = await command('explain', ['get-pet.not-found', '--all']);
  expect(all.out).not.toContain('--all shows');
  for (const { id, what, breaks } of FAULTS)
    if (breaks === 'get-pet.not-found') expect(all.out).toContain(`  ${id}: ${what}`);
  const question = await command('explain', ['list-pets.limit-zero']);
  expect(question.out).toContain('GET /pets?limit=0 -> 400');
  expect((await command('explain', ['list-pets.limit-zeros'])).err).toContain(
    'did you mean list-pets.limit-zero?',
  );
});

test('a closed pipe ends nothing, and changes no exit code @long', async () => {
  await against(oneMore, async (target) => {
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

test('what failed is asked again, and nothing else @long', async () => {
  let extra = 1;
  await against(
    replaceStep('page', (usual) => (pets, limit) => usual(pets, limit + extra)),
    async (target) => {
      const folder = makeFolder();
      const shell = shellIn(folder, target);
      await shell('conformance --only list-pets.default-limit --only get-pet.not-found', 1);
      const again = await command('conformance', ['--failed'], target, folder);
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
