/** Writes Allure's results, and lets a child process make Allure's page (allure-page.ts). */
import { fork } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../../fixtures/settings/settings.ts';
import { makeAllureConfig } from '../../../reports/shown/allure/config.ts';
import { makeAllureExchange, makeLeaves } from '../../../reports/shown/allure/leaves.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { shortenPath } from '../files/unwritable.ts';
import type { MadePage, PageOrder } from './allure-page.ts';
import { ALLURE } from './artifacts.ts';
import { choosePackageVariables } from '../passed-on.ts';

/** The path of the Allure report's page, or null if it was not made. `problem` says why, or why the page has no history. */
type AllureOutcome =
  | { path: string; problem: string | null }
  | { path: null; problem: string; error: unknown };

/** A child process that makes one page. Loading Allure takes longer than making the page, so the process starts with the run. */
export interface AllureMaker {
  make(order: PageOrder): Promise<MadePage>;
  close(): void;
}

/**
 * The most characters of all attached exchanges in one Allure report. Exchanges that do not fit are not attached; the text
 * of their results stays.
 */
const MOST_CHARACTERS = 400_000;

/** The longest time that Allure may take for a page, in milliseconds. */
const LONGEST_WAIT = 60_000;

/** The compiled script of the process, even if Playwright runs this file from its source. */
const SCRIPT = new URL(
  import.meta.url.endsWith('.ts')
    ? '../../../dist/bin/command-line/output/allure-page.js'
    : './allure-page.js',
  import.meta.url,
);

/** Options of Node that keep the process small, in MiB. */
const SMALL = ['--max-semi-space-size=4', '--max-old-space-size=192'];

/**
 * Starts the process. It gets only the variables that Node needs. Its working directory is the folder of Node, so Allure reads no
 * configuration of the user. With Yarn, the script may be inside a zip file, where no process can work.
 */
export function startAllure(): AllureMaker {
  const child = fork(fileURLToPath(SCRIPT), {
    cwd: dirname(process.execPath),
    env: { SystemRoot: process.env.SystemRoot, NO_COLOR: '1', ...choosePackageVariables() },
    execArgv: SMALL,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const made = new Promise<MadePage>((resolve) => {
    child.once('message', resolve);
    child.on('error', ({ message }) => resolve({ problem: message }));
    child.once('exit', () => resolve({ problem: 'Allure ended without a word' }));
  });
  // The command does not wait for the process (`unref`), except while a page is made (`ref`).
  child.unref();
  child.channel?.unref();
  const make = async (order: PageOrder): Promise<MadePage> => {
    child.channel?.ref();
    if (child.connected) child.send(order);
    const late = { problem: `Allure took longer than ${LONGEST_WAIT / 1_000} s` };
    const { problem, ...rest } = await Promise.race([made, sleep(LONGEST_WAIT, late, { ref: false })]);
    child.channel?.unref();
    return problem === undefined ? rest : { ...rest, problem: errors.trim().slice(-500) || problem };
  };
  return { make, close: () => void child.kill() };
}

/**
 * Writes Allure's results of a run, and one HTML page that needs no network. Its promise never rejects.
 * @param isNew false if Allure's history has this run already
 */
export async function writeAllure({
  settings,
  report,
  redact,
  isNew,
  maker = startAllure(),
}: {
  settings: Pick<Settings, 'reportDir' | 'allureHistoryFile'>;
  report: Report;
  redact: (text: string) => string;
  isNew: boolean;
  maker?: AllureMaker;
}): Promise<AllureOutcome> {
  const results = join(settings.reportDir, ALLURE.results);
  const path = join(settings.reportDir, ALLURE.report, 'index.html');
  try {
    writeResults(results, report, redact);
    mkdirSync(dirname(path), { recursive: true });
    const file = settings.allureHistoryFile;
    const order = { config: makeAllureConfig(report, file, isNew), results, path };
    const { problem, code, unused } = await maker.make(order);
    if (problem === undefined)
      return { path, problem: unused === undefined ? null : describeUnused(file ?? '', unused) };
    // `code` and `syscall` mark an error of the disk, e.g. ENOSPC; see `isRefusedBySystem`.
    throw Object.assign(new Error(problem), code !== undefined && { code, syscall: 'write' });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { path: null, problem: `The Allure report could not be made: ${why}`, error };
  } finally {
    maker.close();
  }
}

function describeUnused(file: string, why: string): string {
  return `ALLURE_HISTORY (${shortenPath(file)}) cannot be used: ${why}. The Allure report has no history, and the file is as it was: repair it, or move it away.`;
}

/** Writes Allure's results of a run: one for each requirement, with the verdicts of the report. What was in the folder is removed. */
export function writeResults(folder: string, report: Report, redact: (text: string) => string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const written = new Set<string>();
  let room = MOST_CHARACTERS;
  for (const { result, exchanges } of makeLeaves(report)) {
    // Several results may show the same exchange, which is written once.
    for (const [name, exchange] of [...exchanges].filter(([each]) => !written.has(each))) {
      const text = redact(JSON.stringify(makeAllureExchange(exchange, report.target.baseUrl)));
      if (text.length > room) continue;
      room -= text.length;
      write(name, text);
      written.add(name);
    }
    const attachments = result.attachments.filter(({ source }) => written.has(source));
    write(`${result.uuid}-result.json`, redact(JSON.stringify({ ...result, attachments })));
  }
}
