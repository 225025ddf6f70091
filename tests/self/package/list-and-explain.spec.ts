/** `list` prints the promises and the sentences of the document, `explain` all about one of them, for people and as JSON. */
import { expect, test } from '@playwright/test';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { SECTIONS } from '../../../fixtures/interface/sections.ts';
import { runCommand } from '../samples/command.ts';

test('machines read one JSON document', async () => {
  const explained = await runCommand('explain', ['list-pets.default-limit', '--json']);
  const title = expect.stringContaining('at most 20 animals');
  const rule = { title: expect.stringMatching(/^Every list, /), file: 'fixtures/judgement/rules/lists.ts' };
  expect(JSON.parse(explained.out)).toMatchObject({
    id: 'list-pets.default-limit',
    schema: 'schemas/openapi.json',
    tests: expect.arrayContaining([{ title, file: 'tests/list-pets.spec.ts', line: expect.any(Number) }]),
    rules: expect.arrayContaining([expect.objectContaining(rule)]),
    faults: expect.arrayContaining([expect.stringContaining('list-pets.')]),
  });
});

test('list tells requirements from open questions, has JSON and a filter', async () => {
  const { out } = await runCommand('list', ['limits']);
  expect(out).toMatch(/^Requirements, which are judged\n {2}\S+ +must +\d+ faults +Limits\n {6}\w.+\.\n/);
  expect(out).toContain('\nOpen questions: their answers are observed, and judged only by standards\n');
  const { requirements, questions } = JSON.parse((await runCommand('list', ['limits', '--json'])).out) as {
    requirements: { id: string; level: string }[];
    questions: { id: string }[];
  };
  expect(requirements.map(({ id }) => id)).toContain('list-pets.default-limit');
  expect(questions.map(({ id }) => id)).toContain('errors.rate-limit');
  expect((await runCommand('list', ['no such thing'])).exitCode).toBe(2);
});

test('list shows every sentence of the document with its promises, or why there is nothing to test', async () => {
  const { out } = await runCommand('list', ['--sections']);
  const lines = out.split('\n').map((line) => line.replace(/ \(schemas\/.*\)$/, ''));
  for (const { section } of SECTIONS) expect(lines).toContain(section);
  for (const { sentences } of SECTIONS)
    for (const [index, { says }] of sentences.entries()) expect(lines).toContain(`  ${index + 1}. ${says}`);
  expect(out).toContain('Events\n  1. events\n     Nothing to test: The document describes none.\n');
  expect(out).toMatch(
    /^PetStatus \(schemas\/pet-status.json\)\n {2}1\. .+\n {5}representation\.pet-status +must/m,
  );
  const { sections } = JSON.parse((await runCommand('list', ['events', '--sections', '--json'])).out) as {
    sections: { section: string; requirements: unknown[] }[];
  };
  expect(sections).toMatchObject([{ section: 'Events', requirements: [] }]);
});

test('explain shows requests and a failure on less than two screens, and with --all every fault', async () => {
  const { out } = await runCommand('explain', ['list-pets.default-limit']);
  for (const part of [
    'GET /pets -> 200',
    'tests/list-pets.spec.ts:',
    'section "Limits", sentence 1 (table: limit), schema schemas/openapi.json',
    'What a failure looks like, shown by the fault list-pets.',
    'expected  at most 20 animals',
    'request   GET /pets',
    'answer    200 OK',
    ' --only list-pets.default-limit',
  ])
    expect(out).toContain(part);
  expect(out).toMatch(/^ {2}fixtures\/judgement\/rules\/lists\.ts {2}Every list, /m);
  expect(out.split('\n').length).toBeLessThan(50);
  // `explain` judges with a short window, and shows the default.
  expect((await runCommand('explain', ['list-pets.shows-added'])).out).toContain('CONSISTENCY_WINDOW (15 s)');
  expect((await runCommand('explain', ['get-pet.not-found'])).out).toContain(' more (--all shows them)');
  const all = await runCommand('explain', ['get-pet.not-found', '--all']);
  expect(all.out).not.toContain('--all shows');
  for (const { id, what, breaks } of FAULTS)
    if (breaks === 'get-pet.not-found') expect(all.out).toContain(`  ${id}: ${what}`);
  const question = await runCommand('explain', ['list-pets.limit-zero']);
  expect(question.out).toContain('GET /pets?limit=0 -> 400');
  // Requests come first, then the possible answers. The places of the code come last.
  expect(question.out).toMatch(/What is sent[^]*Possible answers[^]*answered with an empty list[^]*Tests/);
  // `explain` takes a section too: by its name, or as `list` prints it, with its schema
  const { sections } = JSON.parse((await runCommand('list', ['--sections', '--json'])).out) as {
    sections: { section: string; schema: string | null }[];
  };
  for (const { section, schema } of [sections.at(0)!, sections.at(-1)!]) {
    const printed = schema === null ? section : `${section} (${schema})`;
    expect((await runCommand('explain', [printed])).out).toMatch(/^ {2}1\. \S/m);
    expect(JSON.parse((await runCommand('explain', [section, '--json'])).out)).toMatchObject({
      section,
      schema,
    });
  }
  expect((await runCommand('explain', ['list-pets.limit-zeros'])).err).toContain(
    'did you mean list-pets.limit-zero?',
  );
});
