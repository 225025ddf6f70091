import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TEST_FINDINGS, type TestFindings } from '../../fixtures/lanes/test-findings.ts';
import { LABELS } from '../../fixtures/interface/requirements.ts';
import { allureEnvironment } from '../../reports/allure/config.ts';
import { allureExchange } from '../../reports/allure/exchange.ts';
import { WORD } from '../../reports/allure/leaf.ts';
import type { AllureResult, Leaf, RanTest } from '../../reports/allure/model.ts';
import { allureLeaves } from '../../reports/allure/results.ts';
import type { Report } from '../../reports/document/report.ts';
import { LARGEST, readForeign } from '../files/foreign-file.ts';

/** Characters of exchanges that one report holds at most; leaves beyond keep their words and lose their attachments. */
const ROOM = 400_000;

interface Step {
  steps?: Step[];
  attachments?: AllureResult['attachments'];
}

/** A result of the runner or, where it has been rewritten, of ours. */
type RunnerResult = Partial<Omit<AllureResult, 'attachments'>> & Step;

/**
 * Writes what the report says into the folder, in the place of what is there; leaves alone what has been written by it before.
 * @param ran the tests of the run; where they are not given, what the runner's own reporter left in the folder tells them
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
  const leaves = allureLeaves(report, ran ?? left.map((result) => ranTest(result, folder)));
  for (const name of files) rmSync(join(folder, name), { recursive: true, force: true });
  writeFileSync(join(folder, 'environment.properties'), redact(allureEnvironment(report)));
  let room = ROOM;
  for (const each of leaves) room -= write(folder, each, report, redact, room);
  return { rewritten: true };
}

/** @returns the characters of its exchanges */
function write(
  folder: string,
  { result, exchanges }: Leaf,
  report: Report,
  redact: (text: string) => string,
  room: number,
): number {
  const texts = [...exchanges].map(([name, exchange]): [string, string] => [
    name,
    redact(JSON.stringify(allureExchange(exchange, report.target.baseUrl))),
  ]);
  const size = texts.reduce((sum, [, text]) => sum + text.length, 0);
  const fits = size <= room;
  if (fits) for (const [name, text] of texts) writeFileSync(join(folder, name), text);
  writeFileSync(
    join(folder, `${result.uuid}-result.json`),
    redact(JSON.stringify(fits ? result : { ...result, attachments: [] })),
  );
  return fits ? size : 0;
}

function ranTest(result: RunnerResult, folder: string): RanTest {
  const {
    uuid = '',
    name = '',
    fullName = '',
    status,
    statusDetails,
    labels = [],
    start = 0,
    stop = start,
  } = result;
  const named = (label: string) => labels.filter((each) => each.name === label).map(({ value }) => value);
  const [file = '', ...blocks] = fullName.split(' › ');
  const source = attachmentsOf(result).find((each) => each.name === TEST_FINDINGS)?.source;
  return {
    uuid,
    title: name,
    file: file.replace(/^.*?(?=tests\/)/, ''),
    about: blocks.slice(0, -1).join(' › '),
    requirements: named(LABELS.verifies),
    silences: named(LABELS.observes),
    // to the runner a failure is an expected one
    ended:
      status === 'skipped'
        ? 'skipped'
        : status === 'passed' && statusDetails?.message === undefined
          ? 'passed'
          : 'failed',
    message: statusDetails?.message ?? '',
    start,
    stop,
    found: source === undefined ? null : read<TestFindings>(join(folder, basename(source))),
  };
}

/** What a fixture attaches lies in the steps of its teardown. */
function attachmentsOf({ steps = [], attachments = [] }: Step): AllureResult['attachments'] {
  return [...attachments, ...steps.flatMap(attachmentsOf)];
}

/** Null where a run that was ended in mid-sentence left no JSON. */
function read<T>(path: string): T | null {
  try {
    return JSON.parse(readForeign(path, LARGEST.signed).toString('utf8')) as T;
  } catch {
    return null;
  }
}
