import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TEST_FINDINGS, type TestFindings } from '../../fixtures/lanes/test-findings.ts';
import { LABELS } from '../../fixtures/interface/requirements.ts';
import { writeAllureEnvironment } from '../../reports/allure/config.ts';
import { toAllureExchange } from '../../reports/allure/allure-exchange.ts';
import { WORD } from '../../reports/allure/leaf.ts';
import type { AllureResult, RanTest } from '../../reports/allure/leaf-model.ts';
import { makeLeaves } from '../../reports/allure/results.ts';
import type { Report } from '../../reports/document/report-document.ts';
import { LARGEST, readForeign } from '../files/foreign-file.ts';

/**
 * The most characters of all exchanges in one report. Results beyond it keep their text and lose their
 * attachments.
 */
const ROOM = 400_000;

interface Step {
  steps?: Step[];
  attachments?: AllureResult['attachments'];
}

/** Values for members that the runner left out of a result. */
const UNTOLD: Pick<AllureResult, 'uuid' | 'name' | 'fullName' | 'labels' | 'start'> = {
  uuid: '',
  name: '',
  fullName: '',
  labels: [],
  start: 0,
};

/** A result of the runner; after rewriting, a result of the suite. */
type RunnerResult = Partial<Omit<AllureResult, 'attachments' | 'steps'>> & Step;

/**
 * Replaces the content of the folder by results that agree with the report. A folder that holds results of the
 * suite already stays unchanged.
 * @param ran the tests of the run; if absent, the results that the runner's reporter left in the folder are
 * read
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
  if (left.some(({ labels }) => labels?.some(({ name }) => name === WORD))) return { rewritten: false };
  const leaves = makeLeaves(report, ran ?? left.map((result) => ranTest(result, folder)));
  for (const name of files) rmSync(join(folder, name), { recursive: true, force: true });
  writeFileSync(join(folder, 'environment.properties'), redact(writeAllureEnvironment(report)));
  const written = new Set<string>();
  let room = ROOM;
  for (const { result, exchanges } of leaves) {
    const missing = [...exchanges]
      .filter(([name]) => !written.has(name))
      .map(([name, exchange]) => ({
        name,
        text: redact(JSON.stringify(toAllureExchange(exchange, report.target.baseUrl))),
      }));
    for (const { name, text } of missing) {
      if (text.length > room) continue;
      room -= text.length;
      writeFileSync(join(folder, name), text);
      written.add(name);
    }
    const there = <Shown extends Pick<AllureResult, 'attachments'>>(shown: Shown): Shown => ({
      ...shown,
      attachments: shown.attachments.filter(({ source }) => written.has(source)),
    });
    const complete = { ...there(result), steps: result.steps.map(there) };
    writeFileSync(join(folder, `${result.uuid}-result.json`), redact(JSON.stringify(complete)));
  }
  return { rewritten: true };
}

function ranTest(result: RunnerResult, folder: string): RanTest {
  const { uuid, name, fullName, labels, start } = { ...UNTOLD, ...result };
  const named = (label: string) => labels.filter((each) => each.name === label).map(({ value }) => value);
  const [file = '', ...blocks] = fullName.split(' › ');
  const source = attachmentsOf(result).find((each) => each.name === TEST_FINDINGS)?.source;
  return {
    uuid,
    title: name,
    file: file.replace(/^.*?(?=tests\/)/, ''),
    about: blocks.slice(0, -1).join(' › '),
    requirements: named(LABELS.verifies),
    ended: endingOf(result),
    message: result.statusDetails?.message ?? '',
    start,
    stop: result.stop ?? start,
    found: source === undefined ? null : read<TestFindings>(join(folder, basename(source))),
  };
}

/** The runner expects failures, so a failed test has the status `passed` and a message. */
function endingOf({ status, statusDetails }: RunnerResult): RanTest['ended'] {
  if (status === 'skipped') return 'skipped';
  return status === 'passed' && statusDetails?.message === undefined ? 'passed' : 'failed';
}

/** An attachment of a fixture belongs to a step of the test's teardown. */
function attachmentsOf({ steps = [], attachments = [] }: Step): AllureResult['attachments'] {
  return [...attachments, ...steps.flatMap(attachmentsOf)];
}

/** Null if the file holds no JSON: the run may have ended while the file was written. */
function read<T>(path: string): T | null {
  try {
    return JSON.parse(readForeign(path, LARGEST.signed).toString('utf8')) as T;
  } catch {
    return null;
  }
}
