#!/usr/bin/env node
/** `npm run conformance`: judges a target. Exit codes: 0 conforming, 1 nonconforming, 2 not possible, 3 inconclusive. */
import { closeSync, openSync } from 'node:fs';
import type { Options, Settings } from '../fixtures/settings/settings.ts';
import { escapeTerminal } from '../reports/shown/words/escape.ts';
import { readOptions } from './command-line/options.ts';
import { Unwritable } from './command-line/files/unwritable.ts';
import { readConfiguration, type Baseline } from './run/configuration.ts';
import { readLastFailed } from './run/selection/failed.ts';
import { printError, printRefusal, printText } from './command-line/output/print.ts';

/** @returns the exit code */
async function main(): Promise<number> {
  const read = readOptions(process.argv.slice(2));
  if ('print' in read) {
    printText(read.print);
    return 0;
  }
  if ('mistakes' in read) return printRefusal(read.mistakes);
  const { options } = read;
  const intended = readIntent(options);
  if ('mistakes' in intended) return printRefusal(intended.mistakes);
  const { settings, baseline, notes, failedBefore } = intended;
  if (options.quiet !== true) for (const note of notes) printText(`${note}\n`);
  if (failedBefore?.ids.length === 0) return endWithoutFailures(failedBefore.exitCode);
  const lacking = explainLackOfHandles(settings);
  if (lacking !== null) return printRefusal([lacking], 3);
  // The code of a run is loaded only here, so that --help and mistakes are printed without delay.
  if (options.dryRun) return (await import('./run/dry-run.ts')).performDryRun(settings, printText);
  const { judgeAndPrint } = await import('./run/printed-run.ts');
  return (await judgeAndPrint(settings, baseline, options)).exitCode;
}

/**
 * How many files and connections a run opens at the same time. With the embedded reference, both ends of each connection are
 * in this process.
 */
const NEEDED_HANDLES = { embedded: 160, away: 80 };

/**
 * Says why this process cannot judge: it may not open enough files. Null if it may. Without this check, a run would blame the
 * target for connections that this machine refused.
 */
function explainLackOfHandles({ embedded }: Settings): string | null {
  const count = embedded ? NEEDED_HANDLES.embedded : NEEDED_HANDLES.away;
  const open: number[] = [];
  try {
    while (open.length < count) open.push(openSync(process.execPath, 'r'));
    return null;
  } catch {
    return `The suite cannot run here: this process may not open ${count} files; raise the limit (ulimit -n 1024) and start again.`;
  } finally {
    for (const each of open) closeSync(each);
  }
}

/** The run that the options ask for. */
interface Intent {
  settings: Settings;
  baseline: Baseline;
  /** Notes for the user, one line each. */
  notes: readonly string[];
  /** The result of the last run, if --failed is given: the failed requirements and the exit code. */
  failedBefore?: { ids: readonly string[]; exitCode: number };
}

/** Reads the configuration. --failed limits it to the failures of the last report. */
function readIntent(options: Options): Intent | { mistakes: string[] } {
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

/**
 * Ends `--failed` without a request, because nothing failed in the last run.
 * @param lastExitCode the exit code of the last run; if it is not 0, requirements were undecided, and the exit code is 3
 */
function endWithoutFailures(lastExitCode: number): number {
  printText(
    lastExitCode === 0
      ? 'The last report says that nothing failed: nothing was asked.\n'
      : 'The last report names nothing that failed, and was not conforming either: nothing was asked. A whole run decides.\n',
  );
  return lastExitCode === 0 ? 0 : 3;
}

// If `main` never settles and Node has nothing left to wait for, Node ends the process with this code.
process.exitCode = 3;
const exitCode = await main().catch((error: unknown) => {
  if (error instanceof Unwritable) return printRefusal([error.message]);
  printError(
    `The suite itself broke: ${escapeTerminal(error instanceof Error ? error.message : String(error))}\n`,
  );
  return 3;
});
// Tests of a stopped run may still wait for something, so the process is ended here.
process.exit(exitCode);
