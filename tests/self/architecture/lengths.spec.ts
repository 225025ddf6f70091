/** Limits that the linter cannot tell: the length of tests inside a `describe`, and who may print. */
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import ts from 'typescript';
import { sourcesBelow, textBelow } from './imports.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const read = textBelow(ROOT);
const SOURCES = sourcesBelow(ROOT, ['bin', 'fixtures', 'reports', 'tests']);
/** The most lines of a function, without blank lines and comments. */
const MOST_LINES = 60;

/** True for the callback of a `describe`, which is as long as its tests. */
function isHeading({ parent }: ts.Node, source: ts.SourceFile): boolean {
  return ts.isCallExpression(parent) && /describe$/.test(parent.expression.getText(source));
}

/** Returns the first lines of all functions that are too long. */
function findLongFunctions(text: string): string[] {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const lines = ts.isFunctionLike(node) && !isHeading(node, source) ? node.getText(source).split('\n') : [];
    const counted = lines.filter((line) => !/^\s*(?:$|\/\/|\/?\*)/.test(line));
    if (counted.length > MOST_LINES) found.push(counted[0] ?? '');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('no test, and no function beside it, is longer than the functions of the suite may be', () => {
  const files = SOURCES.filter((file) => file.endsWith('.spec.ts'));
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => findLongFunctions(read(file)).map((line) => `${file}: ${line}`))).toEqual(
    [],
  );
  const body = '  x();\n  // a comment\n\n'.repeat(MOST_LINES);
  expect(findLongFunctions(`test.describe('', () => {\ntest('', () => {\n${body}});\n});`)).toHaveLength(1);
  expect(findLongFunctions(`test.describe('', () => {\n${body}});`)).toEqual([]);
});

/** Files that only this clone runs print nothing of others, and the start of the command imports nothing. */
const MAY_PRINT =
  /^bin\/(?:command-line\/output\/print|animal-store-conformance|(?:prove|prove-hostile|prove-others|bench)|(?:prove|bench|release)\/.*)\.ts$|^tests\/self\//;

test('only one file prints: nothing that a text quotes acts on a terminal or a CI log', () => {
  const printing = SOURCES.filter((file) => /\bprocess\.std(?:out|err)\.write\b/.test(read(file)));
  expect(printing).toContain('bin/command-line/output/print.ts');
  expect(printing.filter((file) => !MAY_PRINT.test(file))).toEqual([]);
});
