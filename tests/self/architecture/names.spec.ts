/** No two exports and no two files have one name, ids are literals, started files exist, and no random generator is shared. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';
import { expect, test } from '@playwright/test';
import { REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';
import { readSource, ROOT, SOURCES, sourcesBelow } from './imports.ts';

const THIS = 'tests/self/architecture/names.spec.ts';
/** Services of others keep the names that their frameworks give. */
const FILES = SOURCES.filter((file) => !file.startsWith('fixtures/implementations/others/services/'));
/** Names with one meaning that many files export: the faults or freedoms of a file. */
const OF_EACH_FILE: readonly string[] = ['faults', 'freedoms'];
/** Folders whose files share names by rule: the stem of faults and freedoms, the stem of tests. */
const SHARED_BY_RULE: readonly (readonly [string, string])[] = [
  ['fixtures/implementations/faults', 'fixtures/implementations/freedoms'],
  ['tests', 'tests/properties'],
];
const MAY_REPEAT: readonly string[] = ['index.ts', 'playwright.config.ts'];

const STEMS = [...new Set(Object.keys(REQUIREMENTS).map((id) => id.split('.')[0]))].join('|');
/** The beginning of a text that puts an id together: the stem, and then a part that `git grep` cannot find, e.g. `list-pets.${word}` or `${stem}.name`. */
const JOINED_ID = new RegExp(`\`(?:(?:${STEMS})\\.[^\`\\s]*\\$\\{|\\$\\{[\\w.]*[sS]tem\\}[.-])`);

/** `name: file, file` for each name that several files export. */
function findSharedExports(files: readonly string[], textOf: (file: string) => string): string[] {
  const owners = new Map<string, Set<string>>();
  const exported = /^export (?:async )?(?:const|class|function|interface|type)\*? (\w+)/gm;
  for (const file of files)
    for (const [, name = ''] of textOf(file).matchAll(exported))
      owners.set(name, (owners.get(name) ?? new Set()).add(file));
  return [...owners]
    .filter(([, each]) => each.size > 1)
    .map(([name, each]) => `${name}: ${[...each].join(', ')}`);
}

/** `name: folder, folder` for each name that files in several folders have, unless a rule makes them share it. */
function findSharedFileNames(files: readonly string[]): string[] {
  const folders = new Map<string, string[]>();
  for (const file of files)
    folders.set(basename(file), [...(folders.get(basename(file)) ?? []), dirname(file)]);
  return [...folders]
    .filter(([name, each]) => each.length > 1 && !MAY_REPEAT.includes(name) && !isByRule(each))
    .map(([name, each]) => `${name}: ${each.join(', ')}`);
}

function isByRule(folders: readonly string[]): boolean {
  return SHARED_BY_RULE.some((pair) => folders.every((each) => pair.includes(each)));
}

test('no name is exported by two files', () => {
  const shared = findSharedExports(FILES, readSource);
  expect(shared.filter((each) => !OF_EACH_FILE.some((name) => each.startsWith(`${name}: `)))).toEqual([]);
  expect(findSharedExports(['a.ts', 'b.ts'], () => 'export const three = 3;')).toEqual(['three: a.ts, b.ts']);
});

test('no two files have one name', () => {
  expect(findSharedFileNames(FILES)).toEqual([]);
  expect(findSharedFileNames(['bin/list.ts', 'a/list.ts'])).toHaveLength(1);
});

/** Returns the files that a source starts and that do not exist: `new URL('./a.js')`. The ending may be `${import.meta.url.slice(-2)}`. */
function findMissingFiles(file: string, text: string): string[] {
  const named = text.matchAll(
    /new URL\(['"`](\.[\w./-]*)\.(?:js|\$\{import\.meta\.url\.slice\(-2\)\})['"`]/g,
  );
  const paths = [...named].map(([, path = '']) => join('dist', dirname(file), `${path}.js`));
  return paths.filter((path) => !existsSync(join(ROOT, path))).map((path) => `${file}: ${path}`);
}

test('every file that a source starts is there', () => {
  const text = (file: string) => (file === THIS ? '' : readSource(file));
  expect(FILES.flatMap((file) => findMissingFiles(file, text(file)))).toEqual([]);
  const startOfMovedFile = 'fork(new URL(`./target.${import.meta.url.slice(-2)}`, import.meta.url))';
  expect(findMissingFiles('bin/bench/measure.ts', startOfMovedFile)).toEqual([
    'bin/bench/measure.ts: dist/bin/bench/target.js',
  ]);
});

test('ids are literals, so that a search finds them', () => {
  const isChecked = (file: string) => !/^(tests\/self|fixtures\/implementations)\//.test(file);
  expect(FILES.filter((file) => isChecked(file) && JOINED_ID.test(readSource(file)))).toEqual([]);
  for (const text of ['`list-pets.${word}`', '`authentication.${stem}-missing-key`', '`${stem}.name-exact`'])
    expect(JOINED_ID.test(text), text).toBe(true);
  expect(JOINED_ID.test('`create-pet.other-members: ${names}`')).toBe(false);
});

/** A generator at the top of a file. Its rows would share it, and a new row would change all rows behind it. */
const SHARED_DRAWS = /^(export )?(const|let) .*new Draws\(/m;

test('a new row changes no other: no generator is shared', () => {
  const variants = sourcesBelow('fixtures/implementations/faults', 'fixtures/implementations/freedoms');
  expect(variants.length).toBeGreaterThan(30);
  expect(variants.filter((file) => SHARED_DRAWS.test(readSource(file)))).toEqual([]);
  expect('const draws = new Draws(0x1157);').toMatch(SHARED_DRAWS);
});
