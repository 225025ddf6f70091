/** Runs of the command `run` from their announcement to their exit code. `certify`, and runs by Playwright, use the same functions. */
import { join } from 'node:path';
import type { Options, Settings } from '../../fixtures/settings/settings.ts';
import {
  printAnnotations,
  printError,
  printJson,
  printRefusal,
  printStyled,
  printText,
} from '../command-line/output/print.ts';
// Loaded for its handler: a reader that closes the output early must not end the run.
import '../command-line/make-command.ts';
import { shortenPath } from '../command-line/files/unwritable.ts';
import { openPage } from '../command-line/open-page.ts';
import { addToJobPage } from '../command-line/output/artifacts.ts';
import { renderAnnotations } from '../../reports/shown/text/annotations.ts';
import { renderTerminal } from '../../reports/shown/text/run-text.ts';
import { escapeTerminal } from '../../reports/shown/words/escape.ts';
import { chooseSymbol, describeExitCode, writeHeadline } from '../../reports/shown/words/verdict-words.ts';
import { ProgressLine } from '../command-line/output/progress-line.ts';
import type { Report } from '../../reports/document/report-document.ts';
import type { Baseline } from './configuration.ts';
import { ReportedRun, type EndedRun, type KeepEvidence } from './reported-run.ts';
import { removeSecretsFromEnvironment, stopOnSignals } from './this-process.ts';
import { warnOfPace } from './time-limit.ts';

/** Prints what is judged, and a warning if the run takes long. Returns the line that shows its progress. */
export function announceRun(settings: Settings, quiet = false): ProgressLine {
  const say = quiet ? () => undefined : printText;
  say(`Judging ${settings.embedded ? 'the embedded reference service' : settings.baseUrl}\n`);
  const slow = warnOfPace(settings);
  if (slow !== null) say(`${slow}\n`);
  return new ProgressLine(process.stdout.isTTY === true && !quiet, say);
}

/**
 * Judges the target, prints the progress and the result, and writes the reports.
 * @param printing the options of `run` that say what is printed and opened: `quiet`, `json` and `open`
 * @returns `report`: null if none was written; `folder`: the folder of the reports
 */
export async function judgeAndPrint(
  settings: Settings,
  baseline: Baseline,
  printing: Partial<Options>,
  keep: KeepEvidence = () => undefined,
): Promise<{ exitCode: number; report: Report | null; folder: string }> {
  const progress = announceRun(settings, printing.quiet);
  const judging = await ReportedRun.open(settings, baseline, progress, keep);
  const { engine } = judging.run;
  removeSecretsFromEnvironment(engine.redactor);
  // A run reports any error itself. Node would exit with 1, which means nonconforming.
  const noteError = ({ message }: Error) => void (engine.breakage ??= message);
  process.on('uncaughtException', noteError);
  const letSignalsEnd = stopOnSignals((why, atOnce) => judging.stop(why, atOnce));
  try {
    const ended = await judging.judge();
    progress.end();
    const { folder, oldReportsNote } = judging.files;
    const isObstacle = 'message' in ended;
    if (isObstacle) {
      await judging.close();
      const exitCode = printRefusal([ended.message, oldReportsNote ?? []].flat());
      return { exitCode, report: null, folder };
    }
    const exitCode = printOutcome(judging, ended, printing);
    await judging.close();
    return { exitCode, report: ended.unwritten === null ? ended.report : null, folder };
  } finally {
    letSignalsEnd();
    process.off('uncaughtException', noteError);
  }
}

/**
 * Prints the result of a run and adds it to the page of a CI job.
 * @returns the exit code
 */
export function printOutcome(
  judging: ReportedRun,
  ended: EndedRun,
  { quiet = false, json = false, open = false }: Partial<Options> = {},
): Report['exitCode'] {
  const { redact } = judging.run;
  const { folder } = judging.files;
  const { report, unwritten } = ended;
  const line = `${chooseSymbol(report)} ${escapeTerminal(writeHeadline(report))}, ${describeExitCode(report)}`;
  if (json) printJson(redact(writeMachineLine(report, unwritten === null ? folder : null)));
  else if (quiet) printText(redact(`${line}: ${escapeTerminal(report.reason)}\n`));
  else printInFull(judging, ended);
  const problemOfJobPage = addToJobPage(report, redact);
  for (const problem of [unwritten, problemOfJobPage]) if (problem !== null) printError(`${problem}\n`);
  if (open && unwritten === null) openPage(join(folder, 'conformance.html'));
  return report.exitCode;
}

/** Returns the result for programs, as one line of JSON. @param folder the folder of the reports; null if there are none */
function writeMachineLine({ verdict, exitCode, reason, counts, run }: Report, folder: string | null): string {
  const path = folder === null ? null : join(folder, 'report.json');
  return `${JSON.stringify({ verdict, exitCode, reason, run: run.id, counts, report: path })}\n`;
}

function printInFull({ run, files }: ReportedRun, { report, problemOfAllure, unwritten }: EndedRun): void {
  const { redact } = run;
  const width = process.stdout.columns || 100;
  printStyled(
    redact(
      renderTerminal(report, {
        colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
        width,
        ...(unwritten === null ? { reportDir: shortenPath(files.folder) } : {}),
      }),
    ),
  );
  if (run.settings.replay !== null) printText(describeReplay(report));
  if (process.env.GITHUB_ACTIONS === 'true') printAnnotations(redact(renderAnnotations(report)));
  if (problemOfAllure !== null) printText(`${problemOfAllure}\n`);
}

/** Says if the counterexample of --replay failed again. */
function describeReplay(report: Report): string {
  const broken = report.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  // Only the replayed property gives a failure a token. Other failures come from rules over all answers.
  if (broken.some(({ replay }) => replay !== null))
    return 'Seen again: the counterexample still breaks what it broke.\n';
  if (broken.length > 0)
    return 'Not seen this time, but something else failed: mend that, then replay once more.\n';
  return report.exitCode === 0
    ? 'Not seen any more: the counterexample broke nothing this time.\n'
    : 'Undecided: the counterexample could not be asked to its end.\n';
}
