import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TEST_FINDINGS, type TestFindings } from '../../../fixtures/asking/lanes/test-findings.ts';
import { LABELS } from '../../../fixtures/interface/requirements.ts';
import { writeAllureEnvironment } from '../../../reports/shown/allure/config.ts';
import { makeAllureExchange } from '../../../reports/shown/allure/allure-exchange.ts';
import { VERDICT_LABEL } from '../../../reports/shown/allure/leaf.ts';
import type { AllureResult, RanTest } from '../../../reports/shown/allure/leaf-model.ts';
import { makeLeaves } from '../../../reports/shown/allure/results.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { LARGEST, readForeign } from '../files/foreign-file.ts';

/**
 * The most characters of all attached exchanges in one Allure report. Exchanges that do not fit are not attached; the text
 * of their results stays.
 */
const MOST_CHARACTERS = 400_000;

/** A result of Playwright, or a step of a result. Steps may have steps. */
interface Step {
  steps?: Step[];
  attachments?: AllureResult['attachments'];
}

/** Values for members that Playwright's reporter left out of a result. */
const DEFAULTS: Pick<AllureResult, 'uuid' | 'name' | 'fullName' | 'labels' | 'start'> = {
  uuid: '',
  name: '',
  fullName: '',
  labels: [],
  start: 0,
};

/** A result that Playwright's reporter for Allure has written, or a result that this file has written before. */
type RunnerResult = Partial<Omit<AllureResult, 'attachments' | 'steps'>> & Step;

/**
 * Writes Allure's results of a run: one for each requirement, with the verdicts of the report. Other results in the folder
 * are removed. If the results of the suite are there already (`npm run report`), nothing changes.
 * @param ran the tests of the run; absent: they are read from the results that Playwright's reporter left in the folder
 * @returns `rewritten`: false if nothing was changed
 */
export function rewriteResults(
  folder: string,
  report: Report,
  redact: (text: string) => string,
  ran?: readonly RanTest[],
): { rewritten: boolean } {
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(folder);
  const left =
    ran === undefined
      ? files
          .filter((name) => name.endsWith('-result.json'))
          .flatMap((name) => read<RunnerResult>(join(folder, name)) ?? [])
      : [];
  // Only results of the suite have the label WORD, which holds the verdict.
  if (left.some(({ labels }) => labels?.some(({ name }) => name === VERDICT_LABEL)))
    return { rewritten: false };
  const leaves = makeLeaves(report, ran ?? left.map((result) => readRanTest(result, folder)));
  for (const name of files) rmSync(join(folder, name), { recursive: true, force: true });
  writeFileSync(join(folder, 'environment.properties'), redact(writeAllureEnvironment(report)));
  const written = new Set<string>();
  // Several results may show the same exchange, which is written once.
  let room = MOST_CHARACTERS;
  for (const { result, exchanges } of leaves) {
    const unwritten = [...exchanges]
      .filter(([name]) => !written.has(name))
      .map(([name, exchange]) => ({
        name,
        text: redact(JSON.stringify(makeAllureExchange(exchange, report.target.baseUrl))),
      }));
    for (const { name, text } of unwritten) {
      if (text.length > room) continue;
      room -= text.length;
      writeFileSync(join(folder, name), text);
      written.add(name);
    }
    const keepWritten = <Shown extends Pick<AllureResult, 'attachments'>>(shown: Shown): Shown => ({
      ...shown,
      attachments: shown.attachments.filter(({ source }) => written.has(source)),
    });
    const complete = { ...keepWritten(result), steps: result.steps.map(keepWritten) };
    writeFileSync(join(folder, `${result.uuid}-result.json`), redact(JSON.stringify(complete)));
  }
  return { rewritten: true };
}

/** Reads a test and its findings from a result of Playwright's reporter. */
function readRanTest(result: RunnerResult, folder: string): RanTest {
  const { uuid, name, fullName, labels, start } = { ...DEFAULTS, ...result };
  const listValues = (label: string) =>
    labels.filter((each) => each.name === label).map(({ value }) => value);
  // E.g. `tests/list-pets.spec.ts › limit › keeps the limit`.
  const [file = '', ...blocks] = fullName.split(' › ');
  const source = listAttachments(result).find((each) => each.name === TEST_FINDINGS)?.source;
  return {
    uuid,
    title: name,
    file: file.replace(/^.*?(?=tests\/)/, ''),
    about: blocks.slice(0, -1).join(' › '),
    requirements: listValues(LABELS.verifies),
    ended: findEnding(result),
    message: result.statusDetails?.message ?? '',
    start,
    stop: result.stop ?? start,
    found: source === undefined ? null : read<TestFindings>(join(folder, basename(source))),
  };
}

/** Returns how the test ended. To Playwright, a failure is expected: a failed test has the status `passed` and a message. */
function findEnding({ status, statusDetails }: RunnerResult): RanTest['ended'] {
  if (status === 'skipped') return 'skipped';
  return status === 'passed' && statusDetails?.message === undefined ? 'passed' : 'failed';
}

/** Returns all attachments, also of inner steps: findings are attached in the teardown of the test, which is a step. */
function listAttachments({ steps = [], attachments = [] }: Step): AllureResult['attachments'] {
  return [...attachments, ...steps.flatMap(listAttachments)];
}

/** Reads a JSON file. Null if it holds no JSON: the run may have ended while the file was written. */
function read<T>(path: string): T | null {
  try {
    return JSON.parse(readForeign(path, LARGEST.signed).toString('utf8')) as T;
  } catch {
    return null;
  }
}
