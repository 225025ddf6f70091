/**
 * The self-tests: `npm run self-tests`. `SELF_TESTS` selects some of them, by a name in `SELECTED`:
 * - `fast` (`npm run check`) leaves out tests that start a command or a browser.
 * - `without-commands` are the self-tests of `npm test`, `commands` those of `npm run test:commands`.
 * - `all` (`npm run test:full`) also has tests marked `@long`, e.g. long runs, or runs that repeat what a short test shows.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';

// A worker's commands start Playwright as users do: with its loader (see bin/check.js).
if (process.env.TEST_WORKER_INDEX !== undefined) delete process.env.PW_DISABLE_TS_ESM;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Patterns of the self-tests that start neither the command nor a browser. */
export const FAST = [
  'architecture/*.spec.*',
  'histories/*.spec.*',
  'judging/{catalogue,history-table,input-classes,oracle}.spec.*',
  'judging/{reference-service,schemas,situations}.spec.*',
  'package/{bundled-openapi,readme,release,supply}.spec.*',
  'reports/{bug-report,cards,cause-order,causes,compare,earlier-runs,next-steps}.spec.*',
  'reports/{page-charts,quoted-texts,report-forms,titles,verdicts,waivers,words}.spec.*',
  'secrets/credentials.spec.*',
  'settings/settings.spec.*',
  'transport/transport-answers.spec.*',
].map((pattern) => `**/${pattern}`);

/** Tests of pages share one browser. They run first and one at a time: else they would be the last to start. */
const PAGES = '**/reports/{allure,conformance-page,vendors}.spec.*';
/** Real installs, pages in a browser, and Playwright's own command. */
const COMMANDS = ['**/package/install.spec.*', PAGES, '**/runs/runner.spec.*'];
/** Tests in simulated time have a project of their own: in its processes the clock is always simulated. */
const SIMULATED = /@simulated/;

/** Makes the three projects. @param grepInvert tags of tests that are left out @param files the files of both projects without pages */
const projects = (
  grepInvert: RegExp[],
  files: Partial<Record<'testMatch' | 'testIgnore', string[]>> = {},
) => [
  { name: 'pages', testMatch: PAGES, workers: 1, grepInvert },
  { name: 'worlds', ...files, workers: 1, grep: SIMULATED, grepInvert, timeout: 0 },
  { name: 'others', testIgnore: PAGES, ...files, grepInvert: [SIMULATED, ...grepInvert] },
];

const SELECTED = {
  all: { projects: projects([]) },
  fast: { testMatch: FAST, grepInvert: /@long/ },
  usual: { projects: projects([/@long/]) },
  // `slice` leaves out the project `pages`.
  'without-commands': { projects: projects([/@long/], { testIgnore: COMMANDS }).slice(1) },
  commands: { projects: projects([/@long/], { testMatch: COMMANDS, testIgnore: [PAGES] }) },
};

export default defineConfig({
  testDir: here('.'),
  // Tests often wait for a process or a browser, so more workers than cores are useful
  workers: 3,
  timeout: 600_000,
  forbidOnly: true,
  // The build has compiled these folders, so Playwright does not compile them again. Only places in tests must lead to sources.
  build: { external: ['**/dist/{bin,fixtures,reports,schemas}/**'] },
  // Usually one process runs a file and sets it up once. At night, files with hours of tests are shared by several processes.
  fullyParallel: process.env.SELF_TESTS === 'all',
  outputDir: here('./test-results'),
  globalSetup: here('./temporary-folder.js'),
  reporter: 'list',
  ...(SELECTED[(process.env.SELF_TESTS ?? 'usual') as keyof typeof SELECTED] ?? SELECTED.usual),
});
