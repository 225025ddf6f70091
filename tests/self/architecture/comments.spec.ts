/** Comments are facts in short sentences, one for a declaration, and every document that they name is there. */
import { readdirSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { readSource, ROOT, SOURCES } from './imports.ts';

/** The Markdown files of the root and of `docs/`, e.g. `docs/ci.md`. */
const DOCUMENTS = ['', 'docs/'].flatMap((folder) =>
  readdirSync(`${ROOT}/${folder}`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}${name}`),
);
/** Two doc comments of one declaration: editors show the second one only. */
const STACKED = /\*\/\n[ \t]*\/\*\*/;
/** Words that refer to notes outside the repository, e.g. `the reading says`: a reader cannot open these notes. */
const OUTSIDE_NOTES = /\bthe reading (?:says|allows|wants|permits)\b|\bshared\/[a-z-]+\.md\b/i;
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
  expect(
    texts.filter(
      ({ file, text }) => file !== 'tests/self/architecture/comments.spec.ts' && OUTSIDE_NOTES.test(text),
    ),
  ).toEqual([]);
  expect('what the reading allows').toMatch(OUTSIDE_NOTES);
});

/** Returns the doc comments and line comments of a source without their marks, e.g. `One.` for `// One.`. */
const commentsIn = (text: string) =>
  [...text.matchAll(/^[ \t]*\/\*\*?(?<block>[^]*?)\*\/|^\s*\/\/ (?<line>.*)$/gm)].map(({ groups }) =>
    (groups?.block ?? groups?.line ?? '').replace(/\n\s*\*\s?/g, '\n').trim(),
  );
/** The beginning of a noun phrase with a clause, e.g. `Whether it is so.`: a fact with a verb is shorter. */
const CLAUSE = /^(?:What|Whether)\b/;
/** The most words of a sentence that somebody reads once whose first language is not English. */
const MOST_WORDS = 25;

test('comments are facts with a verb, in sentences of at most 25 words', () => {
  // A sentence also ends at an item of a list, at a row of a table and at an empty line.
  const splitSentences = (text: string) => text.split(/(?<=[.:;!?])\s+|\n\s*[-@`|]|\n\n/);
  const isLong = (text: string) => (text.match(/[\w'`./-]+/g) ?? []).length > MOST_WORDS;
  const mistakes = SOURCES.flatMap((file) =>
    commentsIn(readSource(file)).flatMap((text) => [
      ...(CLAUSE.test(text) ? [`${file}: ${text}`] : []),
      ...splitSentences(text)
        .filter(isLong)
        .map((sentence) => `${file}: ${sentence}`),
    ]),
  );
  expect(mistakes).toEqual([]);
  expect(commentsIn('/** Whether it is so. */\n  // One.')).toEqual(['Whether it is so.', 'One.']);
});
