/** ARCHITECTURE.md, CONTRIBUTING.md and docs/decisions.md are short, and name only files, code and packages that exist. */
import { existsSync } from 'node:fs';
import { join } from 'node:path/posix';
import { expect, test } from '@playwright/test';
import suite from '../../../package.json' with { type: 'json' };
import { readSource as read, ROOT, SOURCES } from './imports.ts';

/** Each document with the most bytes that it may have: nobody reads a longer one to its end. */
const LARGEST = { 'ARCHITECTURE.md': 12_288, 'CONTRIBUTING.md': 16_384, 'docs/decisions.md': 8_192 };
/** True if a document may name the file by this end of its path, e.g. `limiter.ts`, or by this folder in it, e.g. `rules/`. */
const isNamedBy = (path: string) => (file: string) => file === path || file.includes(`/${path}`);
/** Names that are not in the repository: files that a command makes or a user writes, and names of Node and of packages. */
const OF_OTHERS = new Set([
  ...'evidence.jsonl report.json defects.json .env .env.example REPORT_DIR/partial/'.split(' '),
  ...'npm-shrinkwrap.json node:crypto node:http tsc leven'.split(' '),
]);
/** Packages without an explanation of their own: they belong to the explained package behind the colon. */
const ACCOMPANY: Readonly<Record<string, string>> = {
  '@hono/node-server': 'hono',
  'ajv-formats': 'ajv',
  'allure-js-commons': 'allure-playwright',
};

/** Returns each text between backticks in a document, e.g. `limiter.ts`. */
const codeIn = (name: string) => [...read(name).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
const isPath = (code: string) => /^[\w./-]+(?:\.(?:ts|js|json|md)|\/)$/.test(code);

for (const [name, mostBytes] of Object.entries(LARGEST)) {
  test(`${name} is short`, () => {
    expect(Buffer.byteLength(read(name))).toBeLessThanOrEqual(mostBytes);
  });

  test(`every file and folder that ${name} names is there`, () => {
    const missing = codeIn(name)
      .filter((code) => isPath(code) && !OF_OTHERS.has(code))
      .filter((path) => !existsSync(join(ROOT, path)))
      .filter((path) => !SOURCES.some(isNamedBy(path)) && !existsSync(join(ROOT, 'schemas', path)));
    expect(missing).toEqual([]);
  });

  test(`every name of the code that ${name} mentions is in the sources`, () => {
    const text = SOURCES.filter((file) => file !== 'tests/self/architecture/documents.spec.ts')
      .map(read)
      .join('\n');
    // Matches `makeFlaw`, `Engine.send` and `verifies('<id>')`
    const names = codeIn(name).filter((code) => /^[A-Za-z]\w+(?:\.\w+)?(?:\(.*\))?$/.test(code));
    const missing = names.filter((code) => {
      const lastName = code.replace(/\(.*$/, '').split('.').at(-1) ?? '';
      return !isPath(code) && !OF_OTHERS.has(code) && !new RegExp(`\\b${lastName}\\b`).test(text);
    });
    expect(missing).toEqual([]);
  });
}

test('every option of the proof that CONTRIBUTING.md names is one', () => {
  const proof = read('bin/prove.ts') + read('bin/prove/command-proof.ts');
  const named = codeIn('CONTRIBUTING.md').filter((code) => code.startsWith('node dist/bin/prove'));
  const options = named.flatMap((code) => code.match(/--[a-z-]+/g) ?? []).filter((each) => each !== '--help');
  expect(options.length).toBeGreaterThan(4);
  for (const option of options) expect(proof).toContain(`'${option}`);
});

test('each library of docs/decisions.md is installed, and each that a run needs is explained', () => {
  const decisions = read('docs/decisions.md');
  const installed = { ...suite.dependencies, ...suite.optionalDependencies };
  const all = { ...installed, ...suite.devDependencies };
  const named = [...decisions.matchAll(/\*\*([@a-z][\w./-]*)\*\*/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(5);
  for (const name of named) expect(Object.keys(all)).toContain(name);
  const explained = (name: string) => decisions.includes(name) || ACCOMPANY[name] !== undefined;
  expect(Object.keys(installed).filter((name) => !explained(name))).toEqual([]);
});
