/**
 * Prints all text of all commands to the terminal or the CI log. Text of files and answers may be quoted. So
 * control characters and invisible characters become escapes, and no line is a command of a CI system.
 */
import { jsonLines, terminalLines } from '../../reports/words/escape.ts';

/** Colours and weights. No other control sequence reaches the terminal. */
const STYLE = /(\x1b\[\d{1,3}(?:;\d{1,3})*m)/;
/** Goes to the start of the line and clears it. */
const CLEARED = '\r\x1b[2K';
/** A line that `annotations` has written. */
const ANNOTATION = /^::error title=[^\p{Cc}]*$/u;

/** Prints a text. */
export function printText(text: string): void {
  process.stdout.write(terminalLines(text));
}

/** Prints a text about an error. */
export function printError(text: string): void {
  process.stderr.write(terminalLines(text));
}

/** Prints a text with its colours. */
export function printStyled(text: string): void {
  process.stdout.write(
    text
      .split(STYLE)
      .map((part, index) => (index % 2 === 1 ? part : terminalLines(part)))
      .join(''),
  );
}

/** Replaces the present line of a terminal. */
export function replaceLine(text: string): void {
  process.stdout.write(`${CLEARED}${terminalLines(text)}`);
}

/** Prints JSON. A program reads the same value from it. */
export function printJson(text: string): void {
  process.stdout.write(jsonLines(text));
}

/** Prints the annotations of a GitHub job. Lines that `annotations` wrote stay commands; any other line is text. */
export function printAnnotations(text: string): void {
  process.stdout.write(
    text
      .split('\n')
      .map((line) => (ANNOTATION.test(line) ? line : terminalLines(line)))
      .join('\n'),
  );
}

/** Prints a text of the suite unchanged, such as a script for a shell. */
export function printUnchanged(text: string): void {
  process.stdout.write(text);
}
