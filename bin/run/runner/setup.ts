/** Playwright's global setup, which it calls before all tests: it reads the settings and opens the run. */
import type { FullConfig } from '@playwright/test';
import { NO_OPTIONS } from '../../command-line/options.ts';
import { readConfiguration } from '../configuration.ts';
import { Unwritable } from '../../command-line/files/unwritable.ts';
import { RunHolder } from './run-holder.ts';
import { isSteppedThrough } from './stepping.ts';
import { printText } from '../../command-line/output/print.ts';
import { announceRun } from '../printed-run.ts';

/** The reasons why no run begins, one line each. The reporter of the suite prints them and sets the exit code. */
class Refusal extends Error {}

export default async function setUpRun(config: FullConfig): Promise<(() => Promise<void>) | undefined> {
  const configured = readConfiguration(NO_OPTIONS);
  if ('mistakes' in configured) throw new Refusal(configured.mistakes.join('\n'));
  const { settings, baseline, notes } = configured;
  for (const note of notes) printText(`${note}\n`);
  // Playwright calls the reporter of the suite, unless the user named another one with `--reporter`.
  const isReported = config.reporter.some(([name]) => /[\\/]runner[\\/]reporter\.[jt]s$/.test(name));
  const holder = await RunHolder.open({
    settings,
    baseline,
    progress: announceRun(settings),
    // If it is false, each test runs as usual in a worker of Playwright, where a person can step through it.
    runsTestsInThisProcess: isReported && !isSteppedThrough(),
  }).catch((error: Error) => {
    throw error instanceof Unwritable ? new Refusal(error.message) : error;
  });
  const obstacle = await holder.findObstacle();
  if (obstacle !== null)
    throw new Refusal([obstacle.message, holder.judging.files.oldReportsNote ?? []].flat().join('\n'));
  if (isReported) return undefined;
  // The user's reporter does not call `begin` and `close`, so both are called here. `tests` null: Playwright's workers run the tests.
  printText('--reporter takes the place of the reporter of the suite: no report is written.\n');
  holder.begin({ tests: null, isWhole: false, ids: [] });
  return () => holder.close();
}
