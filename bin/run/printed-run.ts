/** The command `run`: judges the target, prints the progress and the result, and writes the reports. */
import type { Options, Settings } from '../../fixtures/settings/settings.ts';
import { printRefusal, printText } from '../command-line/output/print.ts';
import { ProgressLine } from '../command-line/output/progress-line.ts';
import type { Baseline } from './baseline.ts';
import { printOutcome } from './print-outcome.ts';
import { ReportedRun } from './reported-run.ts';
import { forgetSecrets, stopOnSignals } from './this-process.ts';
import { warnOfPace } from './time-limit.ts';

/** @returns the exit code */
export async function judgeAndPrint(
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
  process.on('uncaughtException', ({ message }: Error) => void engine.noteRunnerFailure(message));
  const ended = await judging.judge();
  if ('message' in ended) {
    const { oldReportsNote } = judging.files;
    await judging.close();
    return printRefusal([ended.message, ...(oldReportsNote === null ? [] : [oldReportsNote])]);
  }
  progress.end();
  const exitCode = printOutcome(ended, { folder: judging.files.folder, quiet, json, opens: open, redact });
  await judging.close();
  return exitCode;
}
