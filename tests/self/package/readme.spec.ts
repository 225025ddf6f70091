/** What the README claims about the command, run: its waiver file, and the commands of its tables. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import suite from '../../../package.json' with { type: 'json' };
import { readWaivers } from '../../../reports/document/waivers.ts';

const root = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const README = readFileSync(root('README.md'), 'utf8');

test('the waiver file of the README is one, and is refused when it has expired', () => {
  const [, text = ''] = /```json\n([^]*?)```/.exec(README) ?? [];
  expect(readWaivers(text, new Date('2029-01-01'))).toMatchObject({
    waivers: [{ requirement: 'list-pets.default-limit' }],
  });
  expect(readWaivers(text, new Date('2030-02-01'))).toMatchObject({
    mistakes: [expect.stringContaining('which is over: ask pets team (PETS-17)')],
  });
});

test('every npm script that the README names is there', () => {
  const named = new Set([...README.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? ''));
  expect(named.size).toBeGreaterThan(12);
  for (const name of named) expect(Object.keys(suite.scripts), name).toContain(name);
});

test('every file that the README links to or shows is there, and every jump leads somewhere', () => {
  for (const [, target = ''] of README.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (target.startsWith('#'))
      expect(README.toLowerCase()).toContain(`\n## ${target.slice(1).replaceAll('-', ' ')}\n`);
    else if (!/^https?:/.test(target)) expect(existsSync(root(target)), target).toBe(true);
  }
});

test('every option that the README names is one', () => {
  const help = readFileSync(root('bin/command-line/options.ts'), 'utf8');
  const named = [
    ...README.matchAll(
      /(?:conformance --|`--) (--[a-z-]+)|`(--(?:accept-waivers|lock|only|replay|failed|watch|open|dry-run|base-url|report-dir))/g,
    ),
  ].map(([, one, other]) => one ?? other ?? '');
  expect(named.length).toBeGreaterThan(8);
  for (const each of new Set(named)) expect(help, each).toContain(`'${each}`);
});
