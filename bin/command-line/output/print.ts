/**
 * Prints the text of the commands that users run. A text may quote files and answers of a target. So control characters and invisible
 * characters are printed as escapes, and no line can be a command to a CI system (e.g. `::error`).
 */
import { escapeJson, escapeTerminalLines } from '../../../reports/shown/words/escape.ts';

/** Control sequences for colours and bold text. Only these are printed unchanged. */
const STYLE = /(\x1b\[\d{1,3}(?:;\d{1,3})*m)/;
/** Goes to the start of the line and clears it. */
const CLEARED = '\r\x1b[2K';
/** A line that `renderAnnotations` has written. */
const ANNOTATION = /^::error title=[^\p{Cc}]*$/u;

export function printText(text: string): void {
  process.stdout.write(escapeTerminalLines(text));
}

export function printError(text: string): void {
  process.stderr.write(escapeTerminalLines(text));
}

/** Prints a text with its colours. */
export function printStyled(text: string): void {
  // `split` with a group keeps the matches, here the styles, at odd places: ['', '\x1b[1m', 'bold', '\x1b[0m', ''].
  const parts = text.split(STYLE).map((part, index) => (index % 2 === 1 ? part : escapeTerminalLines(part)));
  process.stdout.write(parts.join(''));
}

/** Replaces the present line of a terminal. */
export function replaceLine(text: string): void {
  process.stdout.write(`${CLEARED}${escapeTerminalLines(text)}`);
}

/** Prints JSON. Escapes inside its strings do not change the value that a program reads. */
export function printJson(text: string): void {
  process.stdout.write(escapeJson(text));
}

/** Prints the annotations of a GitHub job. Lines that `renderAnnotations` wrote stay commands; any other line is text. */
export function printAnnotations(text: string): void {
  const lines = text.split('\n').map((line) => (ANNOTATION.test(line) ? line : escapeTerminalLines(line)));
  process.stdout.write(lines.join('\n'));
}

/**
 * Prints why a run was not possible.
 * @returns the exit code
 */
export function printRefusal(mistakes: readonly string[], exitCode = 2): number {
  for (const mistake of mistakes) printError(`${mistake}\n`);
  return exitCode;
}
