/** The command `run`: judges the target, prints the progress and the result, and writes the reports. */
import type { Options, Settings } from '../../fixtures/settings/settings.ts';
import { printRefusal, printText } from '../command-line/output/print.ts';
import { ProgressLine } from '../command-line/output/progress-line.ts';
import type { Report } from '../../reports/document/report-document.ts';
import type { Baseline } from './baseline.ts';
import { printOutcome } from './print-outcome.ts';
import { ReportedRun, type Keep } from './reported-run.ts';
import { forgetSecrets, stopOnSignals } from './this-process.ts';
import { warnOfPace } from './time-limit.ts';

/** A printed run. `report`: null if none was written. `folder`: of the reports. */
interface Printed {
  exitCode: number;
  report: Report | null;
  folder: string;
}

export async function judgeAndPrint(
  settings: Settings,
  baseline: Baseline,
  { quiet = false, json = false, open = false }: Partial<Options>,
  keep: Keep = () => undefined,
): Promise<Printed> {
  const say = quiet ? () => undefined : printText;
  say(`Judging ${settings.embedded ? 'the embedded reference service' : settings.baseUrl}\n`);
  const slow = warnOfPace(settings);
  if (slow !== null) say(`${slow}\n`);
  const progress = new ProgressLine(process.stdout.isTTY === true && !quiet, say);
  const judging = await ReportedRun.open(settings, baseline, progress, keep);
  const { engine, redact } = judging.run;
  forgetSecrets(engine.redactor);
  // A run reports any error itself. Node would exit with 1, which means nonconforming.
  const noteError = ({ message }: Error) => void (engine.breakage ??= message);
  process.on('uncaughtException', noteError);
  const letSignalsEnd = stopOnSignals((why, atOnce) => judging.stop(why, atOnce));
  const ended = await judging.judge();
  const { folder, oldReportsNote } = judging.files;
  if ('message' in ended) {
    await judging.close();
    const exitCode = printRefusal([ended.message, oldReportsNote ?? []].flat());
    return { exitCode, report: null, folder };
  }
  progress.end();
  const exitCode = printOutcome(ended, { folder, quiet, json, opens: open, redact });
  await judging.close();
  letSignalsEnd();
  process.off('uncaughtException', noteError);
  return { exitCode, report: ended.unwritten === null ? ended.report : null, folder };
}
