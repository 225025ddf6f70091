/** Behaviour of the pinned version of Playwright that the code depends on. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as runner from '@playwright/test';
import { expect, mergeTests, test } from '@playwright/test';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';

const CLONE = fileURLToPath(new URL('../../../..', import.meta.url));
const CLI = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');

/** Every block and test with its place, as Playwright lists them. */
function listed(): string[] {
  const { stdout } = spawnSync(process.execPath, [CLI, 'test', '--list', '--reporter', 'json'], {
    cwd: CLONE,
    env: { PATH: process.env.PATH },
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

test('each test and block is declared where its spec has it', { tag: '@long' }, () => {
  const places = listed().flatMap((place) => {
    const [, file, line, column] = /^(\S+\.spec\.ts):([1-9]\d*):(\d+) /.exec(place) ?? [];
    return file === undefined ? [] : [{ file, line: Number(line), column: Number(column) }];
  });
  expect(places.length).toBeGreaterThan(100);
  const lines = places.map(({ file, line, column }) =>
    readFileSync(join(CLONE, 'tests', file), 'utf8')
      .split('\n')
      [line - 1]?.slice(column - 1),
  );
  expect(lines.filter((each) => !/^(test|describe)\(/.test(each ?? ''))).toEqual([]);
});

test('of no tests merged the runner alone is left, without fixtures for a browser', () => {
  const { _baseTest: base } = runner as unknown as { _baseTest?: unknown };
  expect(mergeTests()).toBe(base);
});
