/** Measures the least time that Allure needs for a page. No run with an Allure report can be faster. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAllure } from '../command-line/output/allure.ts';

/** Makes the page of one empty result. Returns the seconds that this took. */
export async function measureEmptyPage(): Promise<number> {
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
  const maker = startAllure();
  await maker.make({
    config: {
      name: 'nothing',
      historyFile: null,
      isNew: false,
      categories: [],
      groupBy: [],
      charts: [],
      resolutions: { rules: [] },
    },
    results,
    path: join(work, 'index.html'),
  });
  const seconds = (performance.now() - begun) / 1_000;
  maker.close();
  rmSync(work, { recursive: true, force: true });
  return seconds;
}
