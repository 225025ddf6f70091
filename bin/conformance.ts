#!/usr/bin/env node
/** `npm run conformance`: judges a target. The exit code is the verdict. */
import type { Options, Settings } from '../fixtures/settings/settings.ts';
import { escapeTerminal } from '../reports/words/escape.ts';
import { readOptions } from './command-line/options.ts';
import { Unwritable } from './files/unwritable.ts';
import { collectFor } from './selection/collect-suite.ts';
import { readConfiguration } from './run/configuration.ts';
import { countRequests } from './run/dry-run.ts';
import { readLastFailed } from './selection/failed.ts';
import { printError, printText } from './output/print.ts';
import { ProgressLine } from './output/progress-line.ts';
import { ReportedRun } from './run/reported-run.ts';
import { selectTests } from './selection/selection.ts';
import { forgetSecrets, stopOnSignals } from './run/this-process.ts';
import type { Baseline } from './run/baseline.ts';
import { printRefusal, printOutcome } from './run/print-outcome.ts';
import { warnOfPace } from './run/time-limit.ts';
import { watchFailed } from './run/watch-failed.ts';

/** @returns the exit code */
async function main(): Promise<number> {
  const read = readOptions(process.argv.slice(2));
  if ('print' in read) {
    printText(read.print);
    return 0;
  }
  if ('mistakes' in read) return printRefusal(read.mistakes);
  const { options } = read;
  const intended = intentOf(options);
  if ('mistakes' in intended) return printRefusal(intended.mistakes);
  if (options.watch === true) return watchFailed(process.argv.slice(2));
  const { settings, baseline, notes, failedBefore } = intended;
  if (options.quiet !== true) for (const note of notes) printText(`${note}\n`);
  if (failedBefore?.ids.length === 0) return nothingFailed(failedBefore.exitCode);
  return options.dryRun ? countRequests(settings, printText) : judge(settings, baseline, options);
}

/** The run that the options ask for. */
interface Intent {
  settings: Settings;
  baseline: Baseline;
  /** Notes for the user, one line each. */
  notes: readonly string[];
  /** The failures of the last report, if --failed is given. */
  failedBefore?: { ids: readonly string[]; exitCode: number };
}

/** Reads the configuration. --failed limits it to the failures of the last report. */
function intentOf(options: Options): Intent | { mistakes: string[] } {
  const configured = readConfiguration(options);
  if ('mistakes' in configured || options.failed !== true) return configured;
  const { settings, baseline, notes } = configured;
  const failedBefore = readLastFailed(settings);
  if ('mistakes' in failedBefore) return failedBefore;
  return {
    settings: { ...settings, only: failedBefore.ids },
    baseline,
    notes: [...notes, ...failedBefore.notes],
    failedBefore,
  };
}

/** Ends without a request if nothing failed. Requirements that were undecided stay undecided. */
function nothingFailed(before: number): number {
  printText(
    before === 0
      ? 'The last report says that nothing failed: nothing was asked.\n'
      : 'The last report names nothing that failed, and was not conforming either: nothing was asked. A whole run decides.\n',
  );
  return before === 0 ? 0 : 3;
}

async function judge(
  settings: Settings,
  baseline: Baseline,
  { quiet = false, json = false, open = false }: Options,
): Promise<number> {
  const say = quiet ? () => undefined : printText;
  say(`Judging ${settings.embedded ? 'the embedded reference service' : settings.baseUrl}\n`);
  const slow = warnOfPace(settings);
  if (slow !== null) say(`${slow}\n`);
  const progress = new ProgressLine(process.stdout.isTTY === true && !quiet, say);
  const judging = await ReportedRun.open(settings, baseline, progress);
  const { engine, redact } = judging.run;
  forgetSecrets(engine.redactor);
  stopOnSignals((why, atOnce) => judging.stop(why, atOnce));
  // A run reports any error itself. Node would exit with 1, which means nonconforming.
  process.on('uncaughtException', ({ message }: Error) => void engine.broke(message));
  const asking = judging.obstacle();
  // The tests are read while the target answers.
  const suite = collectFor(settings);
  const obstacle = await asking;
  if (obstacle?.exitCode === 2) {
    const { leftAlone } = judging.files;
    await judging.close();
    return printRefusal([obstacle.message, ...(leftAlone === null ? [] : [leftAlone])]);
  }
  if (obstacle === null) judging.begin(selectTests(settings, await suite));
  const written = await judging.finish();
  progress.end();
  const exitCode = printOutcome(written, { folder: judging.files.folder, quiet, json, opens: open, redact });
  await judging.close();
  return exitCode;
}

// If the process ends because nothing is left to wait for, the verdict is undecided.
process.exitCode = 3;
const exitCode = await main().catch((error: unknown) => {
  if (error instanceof Unwritable) return printRefusal([error.message]);
  printError(
    `The suite itself broke: ${escapeTerminal(error instanceof Error ? error.message : String(error))}\n`,
  );
  return 3;
});
// Abandoned tests may still wait for something, so the process ends here.
process.exit(exitCode);
