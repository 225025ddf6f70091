/** Configures `npx playwright test`, which runs the suite against a target or against the embedded reference service. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { ALLURE, WORK } from './bin/command-line/output/artifacts.ts';
import { findSelectedTag, filterByTag } from './bin/run/selection/selection.ts';
import { isSteppedThrough } from './bin/run/runner/stepping.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** Adds the ending of this file to a path: `ts` for the sources, `js` after the build. */
const module = (path: string) => here(`${path}.${import.meta.url.slice(-2)}`);

const { REPORT_DIR: reports = 'reports/out', PROFILE: profile } = process.env;
// Playwright's own `--grep @list-pets.limit` also selects longer tags, e.g. @list-pets.limit-default. `filterByTag` does not.
const id = findSelectedTag(process.argv);

/**
 * Playwright gets one worker, and the worker only waits: the bodies of tests run in the main process, which holds the session.
 * The session decides when each test runs, and ends every request and the whole run. So `timeout: 0`: no test has a limit.
 * If somebody steps through a test (`--debug`, `--ui`), its body runs in the worker, and Allure's own reporter records it.
 */
export default defineConfig({
  testDir: here('./tests'),
  // A quick run asks nothing that is generated.
  testIgnore: ['**/self/**', ...(profile === 'quick' ? ['**/properties/**'] : [])],
  ...(id !== null && { grep: filterByTag([id]) }),
  workers: 1,
  timeout: 0,
  forbidOnly: true,
  outputDir: here('./test-results'),
  globalSetup: module('./bin/run/runner/setup'),
  reporter: [
    ...(isSteppedThrough()
      ? [['allure-playwright', { resultsDir: join(reports, WORK, ALLURE.results), detail: false }] as const]
      : []),
    [module('./bin/run/runner/reporter')],
  ],
});
