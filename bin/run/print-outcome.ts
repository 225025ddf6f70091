import { join } from 'node:path';
import { renderAnnotations } from '../../reports/shown/text/annotations.ts';
import { renderTerminal } from '../../reports/shown/text/run-text.ts';
import { escapeTerminal } from '../../reports/shown/words/escape.ts';
import type { Report } from '../../reports/document/report-document.ts';
import { describeExitCode, writeHeadline, chooseSymbol } from '../../reports/shown/words/verdict-words.ts';
// Loaded for its handler: a reader that closes the output early must not end the run.
import '../command-line/make-command.ts';
import { openPage } from '../command-line/open-page.ts';
import { addToJobPage } from '../command-line/output/artifacts.ts';
import {
  printError,
  printText,
  printAnnotations,
  printJson,
  printStyled,
} from '../command-line/output/print.ts';
import { shortenPath } from '../command-line/files/unwritable.ts';
import type { Written } from './reported-run.ts';

/** Options for printing the end of a run. */
interface Output {
  /** The folder of the reports. */
  folder: string;
  /** True if only the verdict is printed. */
  quiet: boolean;
  /** True if the result is printed as JSON. */
  json: boolean;
  /** True if the page is opened in a browser. */
  opens: boolean;
  redact(text: string): string;
}

/**
 * Prints the result of a run and adds it to the page of a CI job.
 * @returns the exit code
 */
export function printOutcome(written: Written, output: Output): Report['exitCode'] {
  const { report, unwritten } = written;
  const redact = (text: string) => output.redact(text);
  if (output.json) printJson(redact(writeMachineLine(report, unwritten === null ? output.folder : null)));
  else if (output.quiet)
    printText(
      redact(
        `${chooseSymbol(report)} ${escapeTerminal(writeHeadline(report))}, ${describeExitCode(report)}: ${escapeTerminal(report.reason)}\n`,
      ),
    );
  else printInFull(written, output.folder, redact);
  const problemOfJobPage = addToJobPage(report, redact);
  for (const problem of [unwritten, problemOfJobPage]) if (problem !== null) printError(`${problem}\n`);
  if (output.opens && unwritten === null) openPage(join(output.folder, 'conformance.html'));
  return report.exitCode;
}

/** Returns the result for programs, as one line of JSON. @param folder the folder of the reports; null if there are none */
function writeMachineLine({ verdict, exitCode, reason, counts, run }: Report, folder: string | null): string {
  const path = folder === null ? null : join(folder, 'report.json');
  return `${JSON.stringify({ verdict, exitCode, reason, run: run.id, counts, report: path })}\n`;
}

function printInFull(
  { report, isReplay, problem, unwritten }: Written,
  folder: string,
  redact: (text: string) => string,
): void {
  const width = process.stdout.columns || 100;
  printStyled(
    redact(
      renderTerminal(report, {
        colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
        width,
        ...(unwritten === null ? { reportDir: shortenPath(folder) } : {}),
      }),
    ),
  );
  if (isReplay) printText(describeReplay(report));
  if (process.env.GITHUB_ACTIONS === 'true') printAnnotations(redact(renderAnnotations(report)));
  if (problem !== null) printText(`${problem}\n`);
}

/** Says if a replayed counterexample failed again. */
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
