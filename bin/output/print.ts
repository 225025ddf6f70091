/**
 * The one way to the terminal or the CI log, for every command. Whatever a text quotes, of a file or of an answer, nothing in
 * it acts: control characters and invisible ones are spelled out, and no line is a command of a CI system.
 */
import { jsonLines, terminalLines } from '../../reports/words/escape.ts';

/** Colours and weights, and nothing else that a terminal obeys. */
const STYLE = /(\x1b\[\d{1,3}(?:;\d{1,3})*m)/;
/** Goes back to the begin of the line and clears it. */
const CLEARED = '\r\x1b[2K';
/** A line that `annotations` has written. */
const ANNOTATION = /^::error title=[^\p{Cc}]*$/u;

/** Prints a text. */
export function out(text: string): void {
  process.stdout.write(terminalLines(text));
}

/** Prints what went wrong. */
export function err(text: string): void {
  process.stderr.write(terminalLines(text));
}

/** Prints a text with the colours that it was given. */
export function outStyled(text: string): void {
  process.stdout.write(
    text
      .split(STYLE)
      .map((part, index) => (index % 2 === 1 ? part : terminalLines(part)))
      .join(''),
  );
}

/** Prints a text in the place of what is in the line. Only for terminals. */
export function outOver(text: string): void {
  process.stdout.write(`${CLEARED}${terminalLines(text)}`);
}

/** Prints a text of JSON: a program reads the same value from it. */
export function outJson(text: string): void {
  process.stdout.write(jsonLines(text));
}

/** Prints the annotations of a GitHub job, a line each, which are commands on purpose; any other line is text. */
export function outAnnotations(text: string): void {
  process.stdout.write(
    text
      .split('\n')
      .map((line) => (ANNOTATION.test(line) ? line : terminalLines(line)))
      .join('\n'),
  );
}

/** Prints bytes that are ours to the last one, such as a script for a shell. */
export function outOwn(text: string): void {
  process.stdout.write(text);
}
