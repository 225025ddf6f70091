import { relative } from 'node:path';
import { annotations } from '../../reports/annotations.ts';
import { terminalText } from '../../reports/terminal.ts';
import type { Report } from '../../reports/report.ts';
import { addToJobPage } from './artifacts.ts';
import type { Written } from './judging.ts';

// a reader that has seen enough (`| head -1`) takes nothing from the run: it goes on, and ends with its own exit code
process.stdout.on('error', () => undefined);

/** Prints to the terminal or the CI log. */
export const out = (text: string) => void process.stdout.write(text);

/** Prints what came of a run, and adds it to the page of a CI job. @returns the exit code */
export function tell({ report, isReplay, problem }: Written, folder: string, redact: (text: string) => string): Report['exitCode'] {
  const width = process.stdout.columns ?? 100;
  out(redact(terminalText(report, { colour: process.stdout.isTTY === true && !process.env.NO_COLOR, width, reportDir: relative(process.cwd(), folder) || '.' })));
  if (isReplay) out(replayed(report));
  if (process.env.GITHUB_ACTIONS === 'true') out(redact(annotations(report)));
  addToJobPage(report, redact);
  if (problem !== null) out(`The Allure report could not be made: ${problem}\n`);
  return report.exitCode;
}

/** What a counterexample did when it was run again. */
function replayed(report: Report): string {
  const shows = report.requirements.some(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  if (shows) return 'Seen again: the counterexample still breaks what it broke.\n';
  return report.exitCode === 0 ? 'Not seen any more: the counterexample broke nothing this time.\n' : 'Undecided: the counterexample could not be asked to its end.\n';
}

/** Says why a run was not possible. @returns the exit code */
export function refuse(mistakes: readonly string[], exitCode = 2): number {
  for (const mistake of mistakes) process.stderr.write(`${mistake}\n`);
  return exitCode;
}
