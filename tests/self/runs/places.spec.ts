/** Behaviour of the pinned version of Playwright that the code depends on. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as runner from '@playwright/test';
import { expect, mergeTests, test } from '@playwright/test';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';
import { LANES } from '../../../fixtures/lanes/environment.ts';

const CLONE = fileURLToPath(new URL('../../../..', import.meta.url));
const CLI = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');

/** Every block and test with its place, as Playwright lists them. */
function listed(env: NodeJS.ProcessEnv): string[] {
  const { stdout } = spawnSync(process.execPath, [CLI, 'test', '--list', '--reporter', 'json'], {
    cwd: CLONE,
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const placesIn = ({ file, line, column, title, specs, suites = [] }: JSONReportSuite): string[] => [
    `${file}:${line}:${column} ${title}`,
    ...specs.map((spec) => `${spec.file}:${spec.line}:${spec.column} ${spec.title}`),
    ...suites.flatMap(placesIn),
  ];
  return (JSON.parse(stdout) as JSONReport).suites.flatMap(placesIn);
}

test('on lanes, each test and block is declared where its spec has it', { tag: '@long' }, () => {
  const onLanes = listed({ [LANES]: '1' });
  expect(onLanes.length).toBeGreaterThan(100);
  expect(onLanes.filter((place) => !/^\S+\.spec\.[jt]s:/.test(place))).toEqual([]);
  expect(onLanes).toEqual(listed({}));
});

test('of no tests merged the runner alone is left, without fixtures for a browser', () => {
  const { _baseTest: base } = runner as unknown as { _baseTest?: unknown };
  expect(mergeTests()).toBe(base);
});
