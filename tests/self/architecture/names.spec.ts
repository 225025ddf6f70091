import { existsSync, readdirSync } from 'node:fs';
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
/** The beginning of a text that puts an id together: the stem, and then a part that `git grep` cannot find. */
const JOINED_ID = new RegExp(`\`(?:(?:${STEMS})\\.[^\`\\s]*\\$\\{|\\$\\{[\\w.]*[sS]tem\\}[.-])`);

/** `name: file, file` for each name that several files export. */
function sharedExports(files: readonly string[], textOf: (file: string) => string): string[] {
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
function sharedFileNames(files: readonly string[]): string[] {
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
  const shared = sharedExports(FILES, readSource);
  expect(shared.filter((each) => !OF_EACH_FILE.some((name) => each.startsWith(`${name}: `)))).toEqual([]);
  expect(sharedExports(['a.ts', 'b.ts'], () => 'export const three = 3;')).toEqual(['three: a.ts, b.ts']);
});

test('no two files have one name', () => {
  expect(sharedFileNames(FILES)).toEqual([]);
  expect(sharedFileNames(['bin/list.ts', 'a/list.ts'])).toHaveLength(1);
});

/** Returns the compiled files that a source starts or imports by a path, and that are not there. */
function lostFiles(file: string, text: string): string[] {
  const named = text.matchAll(
    /new URL\(['"`](\.[\w./-]*)\.(?:js|\$\{import\.meta\.url\.slice\(-2\)\})['"`]/g,
  );
  const paths = [...named].map(([, path = '']) => join('dist', dirname(file), `${path}.js`));
  return paths.filter((path) => !existsSync(join(ROOT, path))).map((path) => `${file}: ${path}`);
}

test('every file that a source starts is there', () => {
  const text = (file: string) => (file === THIS ? '' : readSource(file));
  expect(FILES.flatMap((file) => lostFiles(file, text(file)))).toEqual([]);
  const moved = 'fork(new URL(`./target.${import.meta.url.slice(-2)}`, import.meta.url))';
  expect(lostFiles('bin/bench/measure.ts', moved)).toEqual([
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

/** A generator that several rows of a file draw from: a row that comes would change those behind it. */
const SHARED_DRAWS = /^(export )?(const|let) .*new Draws\(/m;

test('a row that comes changes no other: no generator is shared', () => {
  const variants = sourcesBelow('fixtures/implementations/faults', 'fixtures/implementations/freedoms');
  expect(variants.length).toBeGreaterThan(30);
  expect(variants.filter((file) => SHARED_DRAWS.test(readSource(file)))).toEqual([]);
  expect('const draws = new Draws(0x1157);').toMatch(SHARED_DRAWS);
});

const DOCUMENTS = ['', 'docs/'].flatMap((folder) =>
  readdirSync(`${ROOT}/${folder}`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}${name}`),
);
/** Two doc comments of one declaration: editors show the second one only. */
const STACKED = /\*\/\n[ \t]*\/\*\*/;
/** A text that is not in the repository: a reader cannot look there. */
const ELSEWHERE = /\bthe reading (?:says|allows|wants|permits)\b|\bshared\/[a-z-]+\.md\b/i;
/** Documents that a command writes. */
const WRITTEN = new Set(['summary.md', 'matrix.md', 'runs.md', 'changes.md']);

/** The names of documents that a text mentions, such as `CERTIFICATION.md`, without their folders. */
const documentsIn = (text: string) =>
  [...text.matchAll(/[\w-]+\.md\b/g)].map(([name]) => name).filter((name) => !WRITTEN.has(name));

test('no declaration has two doc comments', () => {
  const all = [...SOURCES, 'bin/build.js', 'bin/check.js'];
  expect(all.filter((file) => STACKED.test(readSource(file)))).toEqual([]);
  expect('/** One. */\n  /** Two. */').toMatch(STACKED);
});

test('every document that a source or a document names is in the repository', () => {
  const present = new Set(DOCUMENTS.map((path) => path.split('/').at(-1)));
  const texts = [...SOURCES, ...DOCUMENTS].map((file) => ({ file, text: readSource(file) }));
  expect(
    texts.flatMap(({ file, text }) =>
      documentsIn(text)
        .filter((name) => !present.has(name))
        .map((name) => `${file}: ${name}`),
    ),
  ).toEqual([]);
  expect(texts.filter(({ file, text }) => file !== THIS && ELSEWHERE.test(text))).toEqual([]);
  expect('what the reading allows').toMatch(ELSEWHERE);
});

/** Doc comments and line comments of a source, without their marks. */
const commentsIn = (text: string) =>
  [...text.matchAll(/^[ \t]*\/\*\*?(?<block>[^]*?)\*\/|^\s*\/\/ (?<line>.*)$/gm)].map(({ groups }) =>
    (groups?.block ?? groups?.line ?? '').replace(/\n\s*\*\s?/g, '\n').trim(),
  );
/** A noun phrase with a clause: a fact with a verb says the same in fewer words. */
const CLAUSE = /^(?:What|Whether)\b/;
/** The most words of a sentence that somebody reads once whose first language is not English. */
const MOST_WORDS = 25;

test('comments are facts with a verb, in sentences of at most 25 words', () => {
  const sentences = (text: string) => text.split(/(?<=[.:;!?])\s+|\n\s*[-@`|]|\n\n/);
  const isLong = (text: string) => (text.match(/[\w'`./-]+/g) ?? []).length > MOST_WORDS;
  const faults = SOURCES.flatMap((file) =>
    commentsIn(readSource(file)).flatMap((text) => [
      ...(CLAUSE.test(text) ? [`${file}: ${text}`] : []),
      ...sentences(text)
        .filter(isLong)
        .map((sentence) => `${file}: ${sentence}`),
    ]),
  );
  expect(faults).toEqual([]);
  expect(commentsIn('/** Whether it is so. */\n  // One.')).toEqual(['Whether it is so.', 'One.']);
});

/** Names of what holds a sentence of ours. */
const SENTENCE = String.raw`\b(?:reasons?|because|why|told|sentences?|problems?|stopped|statement|question|expected|received|complaint|message)\b(?:\(\))?`;
const READING = new RegExp(
  [
    // its text is looked at, cut in pieces or changed
    String.raw`${SENTENCE}(?:\s*\?\?\s*''\)|\)|!)?\??\.(?:startsWith|endsWith|includes|indexOf|lastIndexOf|match|matchAll|search|replace|replaceAll|split)\(`,
    // a pattern is held against it
    String.raw`\.(?:test|exec)\([^()]*${SENTENCE}`,
  ].join('|'),
);
/** Who reads a sentence all the same: it is not ours, or what is looked for in it is not. */
const MAY_READ: Readonly<Record<string, string>> = {
  'bin/command-line/mistakes.ts': 'what the library for commands says of an option',
  'bin/vendors/vendor-outcome.ts': 'the first sentence of what another process has printed, whatever it is',
  'fixtures/exchange/failure.ts': 'what Node says of a connection',
  'fixtures/asking/properties/search.ts': 'what fast-check says of how to draw an example again',
  'reports/document/departures.ts': 'statuses, and values that the target sent, which are quoted',
  'reports/document/shown-exchange.ts': 'what the target sent, which is quoted in what was received',
};

/** The lines of a source that read a sentence. */
function readingIn(text: string): string[] {
  return text.split('\n').filter((line) => READING.test(line));
}

test('no sentence of ours is read: what it tells is there as data', () => {
  const files = SOURCES.filter(
    (file) => !file.startsWith('tests/self/') && !file.startsWith('fixtures/implementations/'),
  );
  const reading = files
    .map((file) => ({ file, lines: readingIn(readSource(file)) }))
    .filter(({ lines }) => lines.length > 0);
  expect(reading.filter(({ file }) => MAY_READ[file] === undefined)).toEqual([]);
  const line = "const id = BLOCKED.exec(reason ?? '')?.[1] ?? stopped?.split('; ');";
  expect(readingIn(`${line}\nids.includes(reason)`)).toEqual([line]);
});

/** Files that only this clone runs print nothing of others, and the start of the command imports nothing. */
const MAY_PRINT =
  /^bin\/(?:command-line\/output\/print|animal-store-conformance|(?:prove|bench)|(?:prove|bench|release)\/.*)\.ts$|^tests\/self\//;

test('only one file prints: nothing that a text quotes acts on a terminal or a CI log', () => {
  const printing = SOURCES.filter((file) => /\bprocess\.std(?:out|err)\.write\b/.test(readSource(file)));
  expect(printing).toContain('bin/command-line/output/print.ts');
  expect(printing.filter((file) => !MAY_PRINT.test(file))).toEqual([]);
});
