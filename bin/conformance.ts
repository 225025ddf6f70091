#!/usr/bin/env node
/** `npm run conformance`: judges a target and says so by its exit code. Settings, preflight, and then the runner. */
import type { Options, Settings } from '../fixtures/settings/settings.ts';
import { terminal } from '../reports/words/escape.ts';
import { readOptions } from './command-line/options.ts';
import { Unwritable } from './files/unwritable.ts';
import { selectedIds } from './selection/selected.ts';
import { readConfiguration } from './run/configuration.ts';
import { dryRun } from './run/dry-run.ts';
import { lastFailed } from './selection/failed.ts';
import { err, out } from './output/print.ts';
import { Progress } from './output/progress-line.ts';
import { startRunner } from './runner/runner.ts';
import { RunHolder } from './run/run-holder.ts';
import type { Baseline } from './run/baseline.ts';
import { printRefusal, printOutcome } from './run/print-outcome.ts';
import { paceWarning } from './run/time-limit.ts';
import { watchFailed } from './run/watch-failed.ts';

/** @returns the exit code, or null where the runner ends the process */
async function main(): Promise<number | null> {
  const read = readOptions(process.argv.slice(2));
  if ('print' in read) {
    out(read.print);
    return 0;
  }
  if ('mistakes' in read) return printRefusal(read.mistakes);
  const { options } = read;
  const intended = intentOf(options);
  if ('mistakes' in intended) return printRefusal(intended.mistakes);
  if (options.watch === true) return watchFailed(process.argv.slice(2));
  const { settings, baseline, notes, failedBefore } = intended;
  if (options.quiet !== true) for (const note of notes) out(`${note}\n`);
  if (failedBefore?.ids.length === 0) return nothingFailed(failedBefore.exitCode);
  return options.dryRun ? dryRun(settings, out) : judge(settings, baseline, options);
}

/** What the options ask for, in full. */
interface Intent {
  settings: Settings;
  baseline: Baseline;
  /** For people, a line each. */
  notes: readonly string[];
  /** What --failed found, where it is given. */
  failedBefore?: { ids: readonly string[]; exitCode: number };
}

/** The configuration, which --failed narrows to what the last report says failed. */
function intentOf(options: Options): Intent | { mistakes: string[] } {
  const configured = readConfiguration(options);
  if ('mistakes' in configured || options.failed !== true) return configured;
  const { settings, baseline, notes } = configured;
  const failedBefore = lastFailed(settings);
  if ('mistakes' in failedBefore) return failedBefore;
  return {
    settings: { ...settings, only: failedBefore.ids },
    baseline,
    notes: [...notes, ...failedBefore.notes],
    failedBefore,
  };
}

/** Nothing is asked where nothing failed; what was undecided then is undecided still. */
function nothingFailed(before: number): number {
  out(
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
): Promise<number | null> {
  const aside = quiet ? () => undefined : out;
  aside(`Judging ${settings.embedded ? 'the embedded reference service' : settings.baseUrl}\n`);
  const slow = paceWarning(settings);
  if (slow !== null) aside(`${slow}\n`);
  const holder = await RunHolder.open({
    settings,
    baseline,
    progress: new Progress(process.stdout.isTTY === true && !quiet, aside),
    onLanes: true,
    quiet,
    json,
    open,
  });
  const obstacle = await holder.meetsObstacle();
  if (obstacle?.exitCode === 2) {
    const { leftAlone } = holder;
    await holder.close();
    return printRefusal([obstacle.message, ...(leftAlone === null ? [] : [leftAlone])]);
  }
  if (obstacle !== null) {
    const exitCode = printOutcome(await holder.finish(), holder);
    await holder.close();
    return exitCode;
  }
  process.on('exit', () => {
    // the runner gave up without a word to the reporter
    if (!holder.isUnderWay) process.exitCode = 3;
  });
  startRunner(selectedIds(settings), settings.shard);
  return null;
}

const exitCode = await main().catch((error: unknown) => {
  if (error instanceof Unwritable) return printRefusal([error.message]);
  err(`The suite itself broke: ${terminal(error instanceof Error ? error.message : String(error))}\n`);
  return 3;
});
if (exitCode !== null) process.exitCode = exitCode;
