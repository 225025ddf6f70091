import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../fixtures/settings/settings.ts';
import { makeAllureConfig } from '../../reports/allure/config.ts';
import type { RanTest } from '../../reports/allure/leaf-model.ts';
import type { Report } from '../../reports/document/report-document.ts';
import type { MadePage, PageOrder } from './allure-page.ts';
import { rewriteResults } from './allure-results.ts';
import { ALLURE } from './artifacts.ts';
import { findPackages } from './way-to-packages.ts';

/** The path of the Allure report's page, or the reason why there is none. */
type AllureOutcome = { path: string; problem: null } | { path: null; problem: string; error: unknown };

/** A process that loads Allure during the run, because loading takes longer than making a page. */
export interface AllureMaker {
  /** @throws Error when the page cannot be made */
  make(order: PageOrder): Promise<void>;
  close(): void;
}

/** The longest time that Allure may take for a page, in milliseconds. */
const LONGEST_WAIT = 60_000;

/** The script is always the compiled one, also if the runner reads the sources itself. */
const SCRIPT = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/bin/output/allure-page.js' : './allure-page.js',
  import.meta.url,
);

/** Limits of memory in MiB: the process ends soon and collects little garbage. */
const SMALL = ['--max-semi-space-size=4', '--max-old-space-size=192'];

/**
 * Starts the process without the environment and in the folder of Node, so that Allure reads no files of the
 * caller. The folder of the script may be inside a zip file, so it is not used.
 */
export function startAllure(): AllureMaker {
  const child = fork(fileURLToPath(SCRIPT), {
    cwd: dirname(process.execPath),
    env: { SystemRoot: process.env.SystemRoot, NO_COLOR: '1', ...findPackages() },
    execArgv: SMALL,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let words = '';
  // A failed start is reported when a page is ordered.
  let failure: Error | null = null;
  child.setMaxListeners(0);
  child.on('error', (error) => (failure = error));
  child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()));
  child.unref();
  child.channel?.unref();
  const lastWords = () => words.trim().slice(-500);
  const make = async (order: PageOrder): Promise<void> => {
    if (failure !== null || !child.connected)
      throw failure ?? new Error(lastWords() || 'Allure did not start');
    child.channel?.ref();
    const { problem, code } = await made(child, order).finally(() => child.channel?.unref());
    if (problem !== null)
      throw Object.assign(
        new Error(lastWords() || problem),
        code === undefined ? {} : { code, syscall: 'write' },
      );
  };
  return { make, close: () => void child.kill() };
}

/**
 * Sends an order and waits for the answer.
 * @throws Error if the process does not answer
 */
function made(child: ChildProcess, order: PageOrder): Promise<MadePage> {
  const { path } = order;
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('error', reject).off('exit', died);
      settle();
    };
    const timer = setTimeout(
      () => end(() => reject(new Error(`Allure took longer than ${LONGEST_WAIT / 1_000} s`))),
      LONGEST_WAIT,
    );
    const onMessage = (made: MadePage) => made.path === path && end(() => resolve(made));
    const died = () => end(() => resolve({ path, problem: 'Allure ended without a word' }));
    child.on('message', onMessage).on('error', reject).on('exit', died);
    child.send(order);
  });
}

/** Returns a maker for many runs, none of which closes it. A maker that fails is started again. */
export function keepMaker(): AllureMaker {
  let maker = startAllure();
  return {
    make: (order) =>
      maker.make(order).catch((error: unknown) => {
        maker.close();
        maker = startAllure();
        throw error;
      }),
    close: () => undefined,
  };
}

/**
 * Writes results that agree with the report, and one page of them that needs no network. It never throws. If
 * the folder holds results of this suite already, the page is made again and the history stays unchanged.
 * @param ran the tests of the run; if absent, the results that the runner's reporter left are read
 */
export async function writeAllure({
  settings,
  report,
  redact,
  ran,
  maker = startAllure(),
}: {
  settings: Pick<Settings, 'reportDir' | 'allureHistoryFile'>;
  report: Report;
  redact: (text: string) => string;
  ran?: readonly RanTest[];
  maker?: AllureMaker;
}): Promise<AllureOutcome> {
  const results = join(settings.reportDir, ALLURE.results);
  const path = join(settings.reportDir, ALLURE.report, 'index.html');
  try {
    const { rewritten } = rewriteResults(results, report, redact, ran);
    mkdirSync(dirname(path), { recursive: true });
    await maker.make({
      config: makeAllureConfig(report, settings.allureHistoryFile, rewritten),
      results,
      path,
    });
    return { path, problem: null };
  } catch (error) {
    return { path: null, problem: error instanceof Error ? error.message : String(error), error };
  } finally {
    maker.close();
  }
}
