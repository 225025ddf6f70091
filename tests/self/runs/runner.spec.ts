/** Playwright's own command (`npx playwright test`) judges as `conformance` does, with --list, --grep and --debug. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as runner from '@playwright/test';
import { expect, mergeTests, test } from '@playwright/test';
import { findLeaks } from '../../../bin/prove/hostile/leaks.ts';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { checkReport } from '../../../reports/document/report-schema.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { withReference, exceedLimits, unvaried } from '../samples/varied-reference.ts';
import { runCommand, idsWith, makeFolder, startPlaywright, type EndedCommand } from '../samples/command.ts';

const playwright = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  startPlaywright(args, { CONSISTENCY_WINDOW: '0.5', ...env });

const reportsOf = ({ folder }: EndedCommand) =>
  existsSync(join(folder, 'out')) ? readdirSync(join(folder, 'out')) : [];

test('--list lists the tests at their places, and touches no file', async () => {
  const ended = await playwright(['--list', 'list-pets.spec']);
  expect(ended.exitCode).toBe(0);
  expect(ended.out).toMatch(
    /\blist-pets\.spec\.ts:\d+:\d+ › GET \/pets \(listPets\) › lists at most 20 animals/,
  );
  expect(reportsOf(ended)).toEqual([]);
});

test('--grep of a tag judges only tests with this tag, and the report says so', async () => {
  await withReference(unvaried, async (target) => {
    const ended = await playwright(['--grep', '@get-pet.not-found'], target);
    expect(ended.err).toBe('');
    expect(ended.exitCode).toBe(0);
    expect(reportsOf(ended)).toEqual(['partial']);
    expect(ended.out).toContain('Only a part of the suite was asked for');
    expect(checkReport(ended.report)).toEqual([]);
    // Only a whole run can be `conforming`. Of a part, Playwright's own command ends with 0 if all that was asked passes.
    expect(ended.report).toMatchObject({
      verdict: 'inconclusive',
      exitCode: 0,
      target: { embedded: false },
      run: { complete: true },
    });
    expect(ended.report?.run.only).toContain('get-pet.not-found');
    // Only tests with exactly this tag run: other tags begin with the same letters
    const listed = (await collectSuite()).filter(({ tags }) => tags.includes('@get-pet.not-found')).length;
    expect(ended.out).toContain(`${listed} of ${listed} tests`);
    expect(findLeaks(target.API_KEY, ended.folder, { out: ended.out })).toEqual([]);
  });
});

for (const { id, vary } of [
  { id: 'the reference', vary: unvaried },
  ...FAULTS.filter((fault) => /^create-pet.invalid-status-stored$|get-pet-wrong-404$/.test(fault.id)),
])
  test(`both commands come to the same verdicts on ${id} @long`, async () => {
    const listVerdicts = ({ exitCode, report }: EndedCommand) => [
      exitCode,
      report?.verdict,
      report?.requirements.map((each) => `${each.id} ${each.verdict}`),
    ];
    const ours = await withReference(vary, (target) => runCommand('conformance', [], target));
    const theirs = await withReference(vary, (target) => startPlaywright([], target));
    expect(listVerdicts(theirs)).toEqual(listVerdicts(ours));
  });

test('--debug runs the bodies in a worker, and judges as usual @long', async () => {
  const ended = await playwright(['--debug', '--grep', '@get-pet.answers-200']);
  expect(ended.exitCode).toBe(0);
  expect(ended.report).toMatchObject({ target: { embedded: true }, exitCode: 0 });
  expect(idsWith(ended.report, 'pass')).toContain('get-pet.answers-200');
});

test("Playwright's HTML report has the frame of the test, the request and the answer @long", async () => {
  await withReference(exceedLimits, async (target) => {
    const page = makeFolder();
    const ended = await playwright(['--grep', '@list-pets.default-limit', '--reporter=html,line'], {
      ...target,
      PLAYWRIGHT_HTML_OPEN: 'never',
      PLAYWRIGHT_HTML_OUTPUT_DIR: page,
    });
    expect(ended.exitCode).toBe(1);
    expect(ended.out).toMatch(/tests\/list-pets\.spec\.ts:\d+:\d+/);
    expect(ended.out).not.toContain('scope.ts');
    expect(ended.out).toMatch(
      /: request and answer [^]*GET \/pets\S*\s+Authorization: Bearer \[key\]\s[^]*?\s200 OK/,
    );
    expect(readdirSync(page)).toContain('index.html');
  });
});

test('a wrong setting, and a tag that no test has, end with 2 and no report', async () => {
  const mistaken = await playwright(['--grep', '@list-pets.limit'], { BASE_URL: '' });
  expect(mistaken).toMatchObject({ exitCode: 2, report: null });
  expect(mistaken.err).toContain('BASE_URL');
  const unknown = await playwright(['--grep', '@no-such-tag']);
  expect(unknown).toMatchObject({ exitCode: 2, report: null });
  expect(unknown.err).toContain('No tests found');
});

// The suite depends on this behaviour of the pinned version of Playwright.
test('mergeTests() without arguments is the test of Playwright without fixtures for a browser', () => {
  const { _baseTest: base } = runner as unknown as { _baseTest?: unknown };
  expect(mergeTests()).toBe(base);
});
