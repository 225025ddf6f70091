/**
 * The suite held to its own standard: `npm run self-tests`. Whole runs of the command that show what another shows already
 * are marked `@long`: only `npm run test:full` makes them. `SELF_TESTS=fast` leaves out what starts a command or a browser;
 * `without-commands` and `commands` are the self-tests of `npm test` and of `npm run test:commands`.
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

/** Pages come first and one after the other: one browser, which would be the last to be started. */
const PAGES = '**/reports/{allure,conformance-page,vendors}.spec.*';
/** Real installs, pages in a browser, and Playwright's own command. */
const COMMANDS = ['**/package/install.spec.*', PAGES, '**/runs/runner.spec.*'];
/** Tests in simulated time: the processes of their project have no other. */
const SIMULATED = /@simulated/;

/** @param grepInvert tags of tests that are left out */
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
  'without-commands': { projects: projects([/@long/], { testIgnore: COMMANDS }).slice(1) },
  commands: { projects: projects([/@long/], { testMatch: COMMANDS, testIgnore: [PAGES] }) },
};

export default defineConfig({
  testDir: here('.'),
  // they often wait: for a process, a browser, a window
  workers: 3,
  timeout: 600_000,
  forbidOnly: true,
  // compiled already: places in tests alone have to lead to their sources
  build: { external: ['**/dist/{bin,fixtures,reports,schemas}/**'] },
  // by file, one process sets a file up once; at night there are files with hours of tests
  fullyParallel: process.env.SELF_TESTS === 'all',
  outputDir: here('./test-results'),
  globalSetup: here('./temporary-folder.js'),
  reporter: 'list',
  ...(SELECTED[(process.env.SELF_TESTS ?? 'usual') as keyof typeof SELECTED] ?? SELECTED.usual),
});
