import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../fixtures/settings/settings.ts';
import { allureConfig } from '../../reports/allure/config.ts';
import type { RanTest } from '../../reports/allure/model.ts';
import type { Report } from '../../reports/document/report.ts';
import type { Made, Order } from './allure-page.ts';
import { rewriteResults } from './allure-results.ts';
import { ALLURE } from './artifacts.ts';
import { wayToPackages } from './way-to-packages.ts';

/** Where the page of the Allure report is, or why there is none. */
type AllureOutcome = { path: string; problem: null } | { path: null; problem: string; error: unknown };

/** A process that has Allure loaded by the time that a page is wanted: that takes longer than the page. */
export interface AllureMaker {
  /** @throws Error when the page cannot be made */
  make(order: Order): Promise<void>;
  close(): void;
}

/** Longest that Allure may take, in milliseconds. */
const LONGEST_WAIT = 60_000;

/** What the process runs is compiled: if the runner reads the sources itself, nobody else does. */
const SCRIPT = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/bin/output/allure-page.js' : './allure-page.js',
  import.meta.url,
);

/** A process that ends soon collects little of its garbage. In MiB. */
const SMALL = ['--max-semi-space-size=4', '--max-old-space-size=192'];

/**
 * Starts the process, with nothing of the environment and in the folder of Node: what Allure could read elsewhere is none of
 * its business, and the folder of the script may be in a zip file.
 */
export function startAllure(): AllureMaker {
  const child = fork(fileURLToPath(SCRIPT), {
    cwd: dirname(process.execPath),
    env: { SystemRoot: process.env.SystemRoot, NO_COLOR: '1', ...wayToPackages() },
    execArgv: SMALL,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let words = '';
  // if it cannot even be started, that is shown when a page is wanted
  let failure: Error | null = null;
  child.setMaxListeners(0);
  child.on('error', (error) => (failure = error));
  child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()));
  child.unref();
  child.channel?.unref();
  const lastWords = () => words.trim().slice(-500);
  const make = async (order: Order): Promise<void> => {
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

/** What the process makes of an order. @throws Error if it does not answer */
function made(child: ChildProcess, order: Order): Promise<Made> {
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
    const onMessage = (made: Made) => made.path === path && end(() => resolve(made));
    const died = () => end(() => resolve({ path, problem: 'Allure ended without a word' }));
    child.on('message', onMessage).on('error', reject).on('exit', died);
    child.send(order);
  });
}

/** A maker for many runs, none of which closes it; started again if its process has ended. */
export function lasting(): AllureMaker {
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
 * Writes results that agree with the report, and one page of them that needs no network. Never throws.
 * Where the results are of this suite already, the page is made anew and the history left as it is.
 * @param ran the tests of the run; if they are not given, the results that the runner's own reporter left shows them
 */
export async function allureReport({
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
      config: allureConfig(report, settings.allureHistoryFile, rewritten),
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
