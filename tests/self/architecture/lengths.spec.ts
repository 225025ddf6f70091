/** A limit that the linter cannot tell: who may print. */
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { sourcesBelow, textBelow } from './imports.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const read = textBelow(ROOT);
const SOURCES = sourcesBelow(ROOT, ['bin', 'fixtures', 'reports', 'tests']);

/** Files that only this clone runs print nothing of others, and the start of the command imports nothing. */
const MAY_PRINT =
  /^bin\/(?:command-line\/output\/print|animal-store-conformance|(?:prove|prove-hostile|prove-others|bench)|(?:prove|bench|release)\/.*)\.ts$|^tests\/self\//;

test('only one file prints: nothing that a text quotes acts on a terminal or a CI log', () => {
  const printing = SOURCES.filter((file) => /\bprocess\.std(?:out|err)\.write\b/.test(read(file)));
  expect(printing).toContain('bin/command-line/output/print.ts');
  expect(printing.filter((file) => !MAY_PRINT.test(file))).toEqual([]);
});
