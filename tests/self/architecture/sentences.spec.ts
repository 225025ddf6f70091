/** Sentences for people are printed in one place, and no code reads a sentence of ours. */
import { expect, test } from '@playwright/test';
import { readSource, SOURCES } from './imports.ts';

/** Names of variables and members that hold a sentence of the suite, e.g. `reason`. */
const SENTENCE = String.raw`\b(?:reasons?|because|why|told|sentences?|problems?|stopped|statement|question|expected|received|complaint|message)\b(?:\(\))?`;
const READING = new RegExp(
  [
    // A method of the text reads, splits or changes it: `reason.split('; ')`
    String.raw`${SENTENCE}(?:\s*\?\?\s*''\)|\)|!)?\??\.(?:startsWith|endsWith|includes|indexOf|lastIndexOf|match|matchAll|search|replace|replaceAll|split)\(`,
    // A pattern is matched against it: `PATTERN.test(reason)`
    String.raw`\.(?:test|exec)\([^()]*${SENTENCE}`,
  ].join('|'),
);
/** Files that may read a sentence, and why: others wrote it, or the part of it that is read. */
const MAY_READ: Readonly<Record<string, string>> = {
  'bin/command-line/mistakes.ts': 'what the library for commands says of an option',
  'bin/vendors/vendor-outcome.ts': 'the first sentence of what another process has printed, whatever it is',
  'fixtures/exchange/failure.ts': 'what Node says of a connection',
  'fixtures/asking/properties/search.ts': 'what fast-check says of how to draw an example again',
  'reports/document/departures.ts': 'statuses, and values that the target sent, which are quoted',
  'reports/document/shown-exchange.ts': 'what the target sent, which is quoted in what was received',
};

function listReadingLines(text: string): string[] {
  return text.split('\n').filter((line) => READING.test(line));
}

test('no code reads a sentence of ours: its facts are there as data', () => {
  const files = SOURCES.filter(
    (file) => !file.startsWith('tests/self/') && !file.startsWith('fixtures/implementations/'),
  );
  const reading = files
    .map((file) => ({ file, lines: listReadingLines(readSource(file)) }))
    .filter(({ lines }) => lines.length > 0);
  expect(reading.filter(({ file }) => MAY_READ[file] === undefined)).toEqual([]);
  const line = "const id = BLOCKED.exec(reason ?? '')?.[1] ?? stopped?.split('; ');";
  expect(listReadingLines(`${line}\nids.includes(reason)`)).toEqual([line]);
});

/**
 * Files that may write to the terminal: print.ts, which escapes what acts on it; the start of the command, which imports nothing;
 * and scripts and self-tests that only a clone has, because they print no texts of others.
 */
const MAY_PRINT =
  /^bin\/(?:command-line\/output\/print|animal-store-conformance|(?:prove|bench)|(?:prove|bench|release)\/.*)\.ts$|^tests\/self\//;

test('only one file prints: nothing that a text quotes acts on a terminal or a CI log', () => {
  const printing = SOURCES.filter((file) => /\bprocess\.std(?:out|err)\.write\b/.test(readSource(file)));
  expect(printing).toContain('bin/command-line/output/print.ts');
  expect(printing.filter((file) => !MAY_PRINT.test(file))).toEqual([]);
});
