import type { FullConfig } from '@playwright/test';
import { NO_OPTIONS, readConfiguration } from '../run/configuration.ts';
import { ProgressLine } from '../output/progress-line.ts';
import { Unwritable } from '../files/unwritable.ts';
import { RunHolder } from './run-holder.ts';
import { isSteppedThrough } from './stepping.ts';
import { printText } from '../output/print.ts';
import { warnOfPace } from '../run/time-limit.ts';

/** The reasons why no run begins, one line each. The reporter of the suite prints them and sets the exit code. */
class Refusal extends Error {}

/** Playwright's global setup: it reads the settings and opens the run. */
export default async function setUpRun(config: FullConfig): Promise<(() => Promise<void>) | undefined> {
  const configured = readConfiguration(NO_OPTIONS);
  if ('mistakes' in configured) throw new Refusal(configured.mistakes.join('\n'));
  const { settings, baseline, notes } = configured;
  for (const note of notes) printText(`${note}\n`);
  const isReported = config.reporter.some(([name]) => /[\\/]runner[\\/]reporter\.[jt]s$/.test(name));
  printText(`Judging ${settings.embedded ? 'the embedded reference service' : settings.baseUrl}\n`);
  const slow = warnOfPace(settings);
  if (slow !== null) printText(`${slow}\n`);
  const holder = await RunHolder.open({
    settings,
    baseline,
    progress: new ProgressLine(process.stdout.isTTY === true, printText),
    runsBodiesHere: isReported && !isSteppedThrough(),
  }).catch((error: Error) => {
    throw error instanceof Unwritable ? new Refusal(error.message) : error;
  });
  const obstacle = await holder.findObstacle();
  if (obstacle !== null)
    throw new Refusal(
      [obstacle.message, ...(holder.oldReportsNote === null ? [] : [holder.oldReportsNote])].join('\n'),
    );
  if (isReported) return undefined;
  // The user's reporter does not call `begin`, so it is called here. Workers run the tests.
  printText('--reporter takes the place of the reporter of the suite: no report is written.\n');
  holder.begin({ tests: null, all: [], isWhole: false, ids: [] });
  return () => holder.close();
}
