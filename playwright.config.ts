/** The suite against a target, or against the embedded reference: `npx playwright test`. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { ALLURE, WORK } from './bin/output/artifacts.ts';
import { tagSelected, filterByTag } from './bin/selection/selected.ts';
import { isSteppedThrough } from './bin/runner/stepping.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const module = (path: string) => here(`${path}.${import.meta.url.slice(-2)}`);

const { REPORT_DIR: reports = 'reports/out', PROFILE: profile } = process.env;
// a pattern finds a tag in a longer one, too: @list-pets.limit would select @list-pets.limit-default too
const id = tagSelected(process.argv);

/**
 * One worker: the bodies run in the process that holds the session, which keeps the phases and ends every exchange and the
 * whole run, so no test that waits is cut off by a time limit of its own. Where somebody steps through a body it runs in
 * the worker, and Allure's own reporter keeps its steps.
 */
export default defineConfig({
  testDir: here('./tests'),
  testIgnore: [
    '**/self/**',
    ...(profile === 'quick' ? ['**/tests/*.ts', '**/tests/*.js', '**/properties/**'] : ['**/quick/**']),
  ],
  ...(id !== null && { grep: filterByTag([id]) }),
  workers: 1,
  timeout: 0,
  forbidOnly: true,
  outputDir: here('./test-results'),
  globalSetup: module('./bin/runner/setup'),
  reporter: [
    ...(isSteppedThrough()
      ? [['allure-playwright', { resultsDir: join(reports, WORK, ALLURE.results), detail: false }] as const]
      : []),
    [module('./bin/runner/reporter')],
  ],
});
