import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { unusedExports } from './exports.ts';
import { sourcesBelow, textBelow } from './imports.ts';

/** The root of the project, seen from the compiled tests: what is read are the sources. */
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** What programs import that are not of this project. */
const PUBLIC = 'bin/library.ts';

test('nothing is exported that no other file imports', () => {
  const files = [...sourcesBelow(ROOT, ['bin', 'fixtures', 'reports', 'tests']), 'playwright.config.ts'];
  const unused = unusedExports(files, textBelow(ROOT));
  expect(unused.filter((each) => !each.startsWith(`${PUBLIC} `))).toEqual([]);
});

test('every form of an export and of an import is seen', () => {
  const texts: Record<string, string> = {
    'a.ts': `
      export const [one, { two }] = read();
      export function three() {}
      export class Four {}
      export type Five = 5;
      export default 6;`,
    'b.ts': `
      import { one } from './a.ts';
      export { three as drei } from './a.ts';
      type Read = import('./c.ts').Seven;`,
    'c.ts': 'export interface Seven {}\nexport const eight = 8;',
    'd.ts': "export const nine = 9;\nawait import('./e.ts');",
    'e.ts': 'export const ten = 10;',
  };
  expect(unusedExports(Object.keys(texts), (file) => texts[file] ?? '')).toEqual([
    'a.ts two',
    'a.ts Four',
    'a.ts Five',
    'd.ts nine',
  ]);
});
