/** What a run stands on and cannot do without: the runner with one empty test, and Allure on an empty result. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startAllure } from '../output/allure.ts';
import { take, type Taken } from './measure.ts';

const RUNNER = dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json'));

/** The runner on one test that does nothing. */
export async function emptyTest(): Promise<Taken> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-bench-'));
  writeFileSync(join(folder, 'playwright.config.js'), `module.exports = { workers: 1, reporter: 'null' };`);
  writeFileSync(
    join(folder, 'empty.spec.js'),
    `require(${JSON.stringify(RUNNER)}).test('nothing', () => {});`,
  );
  const taken = await take(process.execPath, [join(RUNNER, 'cli.js'), 'test'], { cwd: folder });
  rmSync(folder, { recursive: true, force: true });
  return taken;
}

/** Allure's page of one result without content. @returns seconds */
export async function emptyPage(): Promise<number> {
  const work = mkdtempSync(join(tmpdir(), 'conformance-bench-'));
  const results = join(work, 'results');
  mkdirSync(results);
  writeFileSync(
    join(results, 'a-result.json'),
    JSON.stringify({
      uuid: 'a',
      historyId: 'a',
      name: 'nothing',
      fullName: 'nothing',
      status: 'passed',
      stage: 'finished',
      start: 0,
      stop: 0,
      labels: [],
    }),
  );
  const begun = performance.now();
  await startAllure().make({
    config: { name: 'nothing', historyFile: null, isNew: false, categories: [], groupBy: [] },
    results,
    path: join(work, 'index.html'),
  });
  const seconds = (performance.now() - begun) / 1_000;
  rmSync(work, { recursive: true, force: true });
  return seconds;
}
