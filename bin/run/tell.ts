import { relative } from 'node:path';
import { annotations } from '../../reports/annotations.ts';
import { terminalText } from '../../reports/terminal.ts';
import type { Report } from '../../reports/report.ts';
import { addToJobPage } from './artifacts.ts';
import type { Written } from './judging.ts';

/** Prints to the terminal or the CI log. */
export const out = (text: string) => void process.stdout.write(text);

/** Prints what came of a run, and adds it to the page of a CI job. @returns the exit code */
export function tell({ report, problem }: Written, folder: string, redact: (text: string) => string): Report['exitCode'] {
  const width = process.stdout.columns ?? 100;
  out(redact(terminalText(report, { colour: process.stdout.isTTY === true && !process.env.NO_COLOR, width, reportDir: relative(process.cwd(), folder) || '.' })));
  if (process.env.GITHUB_ACTIONS === 'true') out(redact(annotations(report)));
  addToJobPage(report, redact);
  if (problem !== null) out(`The Allure report could not be made: ${problem}\n`);
  return report.exitCode;
}

/** Says why a run was not possible. @returns the exit code */
export function refuse(mistakes: readonly string[], exitCode = 2): number {
  for (const mistake of mistakes) process.stderr.write(`${mistake}\n`);
  return exitCode;
}
