/** The documents name only files, headings, scripts and options that exist, are short, and explain what they must. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { describeRun } from '../../../bin/command-line/options.ts';
import suite from '../../../package.json' with { type: 'json' };
import { readWaivers } from '../../../reports/document/waivers.ts';
import { PROJECT } from '../samples/installed.ts';

const text = (name: string) => readFileSync(join(PROJECT, name), 'utf8');
const GUIDES = readdirSync(join(PROJECT, 'docs')).filter((name) => name.endsWith('.md'));
const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...GUIDES.map((name) => `docs/${name}`),
];

/** Words between bars, one or more of each claim of a certificate: the table of CERTIFICATION.md must have them. */
const WORDS_OF_CERTIFICATES =
  'seeds|Node|packages|key that has ended|revoked|badge|One script a word|often|mixture|another run or a mended build|newest list of keys';

test('the README is short and leads to every guide; each guide begins with what its reader wants', () => {
  expect(text('README.md').split(/\s+/).length).toBeLessThanOrEqual(900);
  for (const name of GUIDES) {
    expect(text('README.md')).toContain(`(docs/${name}`);
    expect(text(`docs/${name}`), name).toMatch(/^# .+\n\nYou /);
  }
});

test('CERTIFICATION.md is short, and explains each line of a certificate', () => {
  const certification = text('CERTIFICATION.md');
  expect(Buffer.byteLength(certification)).toBeLessThanOrEqual(12_000);
  const [, table = ''] =
    /^\| it says \| on whose word \| it does not say \|\n([^]*?)\n\n/m.exec(certification) ?? [];
  for (const words of WORDS_OF_CERTIFICATES.split('|')) expect(table, words).toContain(words);
});

test('the waiver file of the guide is one, and is refused when it has expired', () => {
  const [, waivers = ''] = /```json\n([^]*?)```/.exec(text('docs/ci.md')) ?? [];
  expect(readWaivers(waivers, new Date('2029-01-01'))).toMatchObject({
    waivers: [{ requirement: 'list-pets.default-limit' }],
  });
  expect(readWaivers(waivers, new Date('2030-02-01'))).toMatchObject({
    mistakes: [expect.stringMatching(/waiver 1 .* ended on .*: ask pets team \(PETS-17\)/)],
  });
});

const SCRIPT = /npm run (?:--silent )?([\w:-]+)/g;
const LINK = /\]\(([^)\s]+)\)/g;

/** Returns the names that GitHub gives to the headings: `known-failures` for `## Known failures`. */
const anchors = (document: string) =>
  [...document.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

// `describeRun` gets the function that prints its help.
const OPTIONS = describeRun(() => undefined).options.map(({ long }) => long);
/** An option of a run in a text: behind `npm run conformance --`, or one of these seven directly behind a backtick. */
const OPTION =
  /(?:conformance --|`--`) (--[a-z-]+)|`(--(?:accept-waivers|lock|only|replay|failed|open|dry-run))/g;

function isLinked(name: string, link: string): boolean {
  const [path = '', jump] = link.split('#');
  const file = path === '' ? name : join(dirname(name), path);
  return existsSync(join(PROJECT, file)) && (jump === undefined || anchors(text(file)).includes(jump));
}

test('every script, file, jump and option of a run that a document names is there', () => {
  const named = (name: string, pattern: RegExp, isThere: (what: string) => boolean) =>
    [...text(name).matchAll(pattern)].map(([, one, other]) => {
      const what = one ?? other ?? '';
      return { what: `${name}: ${what}`, isThere: isThere(what) };
    });
  const all = DOCUMENTS.flatMap((name) => [
    ...named(name, SCRIPT, (script) => Object.hasOwn(suite.scripts, script)),
    ...named(name, LINK, (link) => /^https?:/.test(link) || isLinked(name, link)),
    ...named(name, OPTION, (option) => OPTIONS.includes(option)),
  ]);
  expect(all.filter(({ isThere }) => !isThere)).toEqual([]);
  expect(all.length).toBeGreaterThan(60);
});
