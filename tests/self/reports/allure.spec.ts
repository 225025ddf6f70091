/** The Allure report of a run: its results, its page in a browser, its history, and what is damaged. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from '@playwright/test';
import { writeAllure } from '../../../bin/command-line/output/allure.ts';
import { appendHeaders, combineVaries, makePage } from '../../../fixtures/implementations/operators.ts';
import { replaceStep } from '../../../fixtures/implementations/operators.ts';
import { Redactor } from '../../../fixtures/evidence/redaction/redactor.ts';
import { makeLeaves, VERDICT_LABEL, type AllureResult } from '../../../reports/shown/allure/leaves.ts';
import { withReference, exceedLimits } from '../samples/varied-reference.ts';
import { type EndedCommand, makeFolder, shellIn, startCommand } from '../samples/command.ts';
import { findFailures } from '../../../reports/document/causes.ts';
import { filesBelow } from '../samples/installed.ts';
import { testInBrowser as test } from '../samples/pages-in-browser.ts';
import { exchange, failureWith, report } from '../samples/sample-reports.ts';
import { HOSTILE_REPORT } from '../samples/hostile-report.ts';

const MARKUP = `<img src="x" onerror="document.title='owned'"><script>document.title='owned'</script>`;

/** A service that answers getPet of an unknown animal with a page of HTML: the page has hostile markup and the key. */
const blabsKey = replaceStep('answer', (usual, service) => async (call) => {
  const reply = await usual(call);
  if (reply.status !== 404 || call.operation !== 'getPet') return reply;
  const page = makePage(404, `<p>${MARKUP} ${service.key}</p>`);
  return appendHeaders(page, ['X-Key', service.key]);
});

/** The run asks only for these promises. Its report also has every other promise that their answers break, e.g. list-pets.limit. */
const ASKED = [
  'list-pets.default-limit',
  'get-pet.not-found',
  'errors.media-type',
  'deprecation.removed',
  'list-pets.limit-zero',
];

// One run of the command for all tests of this file.
test.describe.configure({ mode: 'default' });

const folder = join(tmpdir(), `conformance-allure-test-${process.pid}`);
const reports = join(folder, 'out', 'partial');
const page = join(reports, 'allure-report', 'index.html');
const resultsFolder = join(reports, 'allure-results');
const history = join(folder, 'history.jsonl');
let ended: EndedCommand;
let key: string;

test.beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  await withReference(combineVaries(exceedLimits, blabsKey), async (target) => {
    key = target.API_KEY;
    const env = { ...target, ALLURE_HISTORY: history, CONSISTENCY_WINDOW: '0.2' };
    ended = await startCommand(
      'conformance',
      ASKED.flatMap((id) => ['--only', id]),
      env,
      folder,
    );
  });
});

const pageIn = (reportDir: string) => join(reportDir, 'allure-report', 'index.html');
/** Makes the Allure report of a judged run, in this process. */
const write = (reportDir: string, judged = HOSTILE_REPORT, allureHistoryFile: string | null = null) =>
  writeAllure({
    settings: { reportDir, allureHistoryFile },
    report: judged,
    redact: (text) => text,
    isNew: true,
  });

test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const listLabels = ({ labels }: AllureResult, wanted: string) =>
  labels.filter(({ name }) => name === wanted).map(({ value }) => value);
const firstLabel = (result: AllureResult, wanted: string) => listLabels(result, wanted)[0] ?? '';
const countLines = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n').length;

function readAll(): AllureResult[] {
  const files = readdirSync(resultsFolder).filter((name) => name.endsWith('-result.json'));
  return files.map((name) => JSON.parse(readFileSync(join(resultsFolder, name), 'utf8')) as AllureResult);
}

/** Reads the results of a requirement that have this verdict. */
const readResultsOf = (id: string, verdict: string) =>
  readAll().filter(
    (each) => listLabels(each, 'requirement').includes(id) && firstLabel(each, VERDICT_LABEL) === verdict,
  );

test('has one result for each requirement, with the verdict of report.json, and one for all open questions', () => {
  const writeVerdict = (each: AllureResult) => `${each.fullName} ${firstLabel(each, VERDICT_LABEL)}`;
  const expected = ended.report?.requirements.map(({ id, verdict }) => `${id} ${verdict}`) ?? [];
  expect(expected).toContain('list-pets.default-limit fail');
  expect(expected).toContain('get-pet.not-found pass');
  const isQuestions = ({ fullName }: AllureResult) => fullName === 'open-questions';
  const questions = readAll().find(isQuestions);
  const others = readAll().filter((each) => !isQuestions(each));
  expect(others.map(writeVerdict).sort()).toEqual(expected.sort());
  expect(questions?.status).toBe('skipped');
  expect(questions?.description).toContain('- `limit=0: refused with 400 (list-pets.limit-zero)`');
});

test('shows failures with their exchanges, and the reason of each promise that does not apply', () => {
  const [shown, ...others] = readResultsOf('list-pets.limit', 'fail');
  expect(others).toEqual([]);
  expect(shown?.status).toBe('failed');
  expect(shown?.statusDetails.message).toMatch(/expected: at most .+\nreceived: \d+ animals/);
  expect(shown?.statusDetails.trace).toContain('list-pets.limit');
  expect(shown?.attachments.length).toBeGreaterThan(0);
  for (const each of readResultsOf('deprecation.removed', 'not-applicable'))
    expect(each.statusDetails.message).toContain('removal');
  for (const { status, statusDetails, attachments } of readAll()) {
    const { message = '' } = statusDetails;
    expect(message.split('\n').length).toBeLessThanOrEqual(10);
    // If one answer breaks several promises, one result fails. The others name it, and are skipped.
    if (message.startsWith('broken by')) expect(status).toBe('skipped');
    if (status === 'passed') expect(attachments).toEqual([]);
  }
  const failed = readAll().filter(({ status }) => status === 'failed');
  expect(failed).toHaveLength(ended.report === null ? 0 : findFailures(ended.report).length);
});

test('has suites, packages and tags where Allure 2 reads them, and a link to the page of the run', () => {
  for (const each of readAll()) {
    for (const name of ['parentSuite', 'suite']) expect(firstLabel(each, name)).not.toBe('');
    if (each.fullName !== 'open-questions')
      expect(firstLabel(each, 'package')).toMatch(/^(tests\.[\w.-]+|report)$/);
    expect(each.links.map(({ url }) => url)).toEqual([
      expect.stringMatching(/^\.\.\/conformance\.html#(req-[\w.-]+|profile)$/),
    ]);
  }
});

test('has no file of Playwright, and the key nowhere, not even encoded', () => {
  const names = readdirSync(resultsFolder).map((name) => name.replace(/^.*-(?=result|attachment)/, ''));
  expect(new Set(names)).toEqual(new Set(['result.json', 'attachment.httpexchange']));
  expect(readdirSync(join(reports, 'allure-report'))).toEqual(['index.html']);
  expect(readdirSync(folder).sort()).toEqual(['history.jsonl', 'out']);
  const redactor = new Redactor();
  redactor.add(key);
  for (const file of [...filesBelow(join(folder, 'out')), history])
    expect(readFileSync(file, 'utf8').includes(key), file).toBe(false);
  const files = readData(page);
  expect(files.map(({ name }) => name)).toContain('widgets/tree.json');
  for (const { name, text } of files) expect(redactor.hasSecret(text), name).toBe(false);
});

/** Reads the files within a page. The page has `d("widgets/tree.json","eyJ...")` for each, with the text in base64. */
function readData(path: string) {
  const calls = readFileSync(path, 'utf8').matchAll(/\bd\("([^"]+)","([^"]*)"\)/g);
  return [...calls].map(([, name, value = '']) => ({ name, text: Buffer.from(value, 'base64').toString() }));
}
const readJson = (path: string, wanted: string): unknown =>
  JSON.parse(readData(path).find(({ name }) => name === wanted)?.text ?? '');

test('takes a waived failure for a known issue, and links it to its ticket', async () => {
  const waive = (ticket: string) => ({ owner: 'Ada', ticket, expires: '2030-01-31', reason: 'to be mended' });
  const ticket = 'https://tracker.example/PETS-17';
  const waived = report({
    'list-pets.limit': failureWith({ waiver: waive(ticket) }),
    'create-pet.name-type': failureWith({ waiver: waive('PETS-18') }),
    'errors.json': failureWith(),
  });
  const reportDir = join(folder, 'waived');
  await write(reportDir, waived);
  expect(readJson(pageIn(reportDir), 'widgets/resolution-categories.json')).toMatchObject({
    groups: [
      { issue: { id: ticket }, testResults: [{ name: expect.stringContaining('list-pets.limit:') }] },
      { issue: { id: 'PETS-18', comment: expect.stringContaining('until 2030-01-31 by Ada') } },
    ],
  });
  const links = readdirSync(join(reportDir, 'allure-results'))
    .filter((name) => name.endsWith('-result.json'))
    .map((name) => readFileSync(join(reportDir, 'allure-results', name), 'utf8'))
    .filter((text) => text.includes('"type":"issue"'));
  expect(links).toEqual([expect.stringContaining(`"url":"${ticket}"`)]);
});

test('draws each promise that passed or failed as a rectangle of one chart', () => {
  const charts = JSON.stringify(readJson(page, 'widgets/charts.json'));
  expect(charts).toContain('"id":"list-pets.limit"');
  expect(charts).toContain('"id":"get-pet.not-found"');
  expect(charts).not.toContain('"id":"deprecation.removed"');
});

test('opens from disk, asks nobody, and shows a hostile answer as text with the key masked', async ({
  chrome,
}) => {
  if (typeof chrome === 'string') return test.skip(true, chrome);
  const viewport = { width: 1_400, height: 1_200 };
  const context = await chrome.context().browser()!.newContext({ viewport });
  const tab = await context.newPage();
  tab.setDefaultTimeout(120_000);
  const noise: string[] = [];
  // Console messages, errors of the page, and requests: only the request for the page itself is expected
  tab.on('console', (message) => noise.push(message.text()));
  tab.on('pageerror', (error) => noise.push(error.message));
  tab.on('request', (request) => !request.url().startsWith('data:') && noise.push(request.url()));
  await tab.goto(pathToFileURL(page).href);
  await tab.getByText('list-pets.default-limit:').first().waitFor();
  expect(await tab.title()).toMatch(/^Nonconforming: http:\/\/127\.0\.0\.1:/);
  for (const name of ['Limits', 'listPets', 'Errors', 'Versioning'])
    await tab.getByText(name, { exact: true }).first().waitFor();
  expect(await tab.evaluate('scrollY')).toBe(0);
  const { name, attachments } = readResultsOf('errors.media-type', 'fail')[0]!;
  // Opens the result, and in it the exchange
  for (const text of [name, attachments[0]!.name]) await tab.getByText(text, { exact: true }).first().click();
  await tab.getByText(MARKUP).first().waitFor();
  expect(await tab.locator('img[src="x"]').count()).toBe(0);
  expect(await tab.title()).not.toContain('owned');
  expect(await tab.getByText('*****').or(tab.getByText('•••••')).count()).toBeGreaterThan(0);
  expect(noise).toEqual([pathToFileURL(page).href]);
  // Even an image that something puts into the page is not loaded.
  await tab.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src="http://127.0.0.1:9/">')`);
  await expect.poll(() => noise.join(' ')).toContain('Content Security Policy');
  await context.close();
});

test('is made again by npm run report, and the history has the run only once', async () => {
  expect(countLines(history)).toBe(1);
  rmSync(page);
  const { exitCode, out } = await startCommand(
    'report',
    [],
    { ALLURE_HISTORY: history, REPORT_DIR: reports },
    folder,
  );
  expect({ exitCode, out }).toEqual({ exitCode: 0, out: `${page}\n` });
  expect(existsSync(page)).toBe(true);
  expect(countLines(history)).toBe(1);
});

test('is not made if there are no results', async () => {
  await shellIn(makeFolder())('report', 2, 'no results in out');
});

test('is made even if results are missing or cut off; if it cannot be made, a sentence says why', async () => {
  const reportDir = mkdtempSync(join(folder, 'partial-'));
  mkdirSync(join(reportDir, 'allure-results'));
  writeFileSync(join(reportDir, 'allure-results', 'a-result.json'), '{"uuid":"a","na');
  const nameless = '{"uuid":"b","name":"a test without labels"}';
  writeFileSync(join(reportDir, 'allure-results', 'b-result.json'), nameless);
  expect(await write(reportDir)).toEqual({ path: pageIn(reportDir), problem: null });
  writeFileSync(join(folder, 'a-file'), '');
  expect(await write(join(folder, 'a-file'))).toMatchObject({ path: null, problem: expect.any(String) });
});

test('is made without a damaged history, and one sentence names the file and the line', async () => {
  const run = '{"testResults":{}}\n';
  for (const [line, text] of [
    [2, `${run}{"testResults":{"a\n${run}`],
    // A last line without a line break is damaged too.
    [1, run.trimEnd()],
  ] as const) {
    const reportDir = mkdtempSync(join(folder, 'damaged-'));
    const damaged = join(reportDir, 'history.jsonl');
    writeFileSync(damaged, text);
    const { path, problem } = await write(reportDir, HOSTILE_REPORT, damaged);
    expect(path).toBe(pageIn(reportDir));
    expect(existsSync(pageIn(reportDir))).toBe(true);
    expect(problem).toContain(`history.jsonl) cannot be used: line ${line} is not the JSON of a run`);
    expect(readFileSync(damaged, 'utf8')).toBe(text);
  }
});

test('a failure takes the time of its exchanges, and a warning is no error', () => {
  const evidence = ['x1', 'x2'];
  const judged = report(
    { 'list-pets.limit': failureWith({ evidence }), 'errors.allow': failureWith({ verdict: 'warn' }) },
    {
      exchanges: [
        exchange('x1', { startedAt: '2026-11-20T10:00:03.000Z', durationMs: 20 }),
        exchange('x2', { startedAt: '2026-11-20T10:00:04.000Z', durationMs: 30 }),
      ],
    },
  );
  const resultOf = (id: string) => makeLeaves(judged).find(({ result }) => result.fullName === id)?.result;
  const failed = resultOf('list-pets.limit');
  expect([failed?.start, failed?.stop].map((time) => new Date(time ?? 0).toISOString())).toEqual([
    '2026-11-20T10:00:03.000Z',
    '2026-11-20T10:00:04.030Z',
  ]);
  expect(resultOf('errors.allow')?.status).toBe('unknown');
});
