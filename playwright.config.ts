import { fileURLToPath } from 'node:url';
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import { ALLURE_RESULTS, ONLY } from './bin/handover.ts';
import { SESSION_SOCKET } from './fixtures/session/remote.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The suite held to its own standard: what Playwright runs where no run of the command has started it. Whole runs of the
 * command that show what another shows already are marked `@long`: only `npm run self-tests:all` makes them.
 */
const self: PlaywrightTestConfig = {
  workers: 2,
  timeout: 600_000,
  forbidOnly: true,
  fullyParallel: true,
  outputDir: here('./test-results'),
  reporter: 'list',
  projects: [{ name: 'self', testDir: here('./tests/self'), ...(process.env.SELF_TESTS === 'all' ? {} : { grepInvert: /@long/ }) }],
};

/**
 * What a browser context would be. The suite opens none, yet the runner works out each option for each test, in a step
 * with a stack trace of its own, unless it finds a plain value: that took as long as all exchanges together.
 */
const NO_BROWSER: PlaywrightTestConfig['use'] = {
  acceptDownloads: false,
  baseURL: '',
  bypassCSP: false,
  clientCertificates: [],
  colorScheme: null,
  contrast: null,
  deviceScaleFactor: 1,
  extraHTTPHeaders: {},
  forcedColors: null,
  geolocation: { latitude: 0, longitude: 0 },
  hasTouch: false,
  httpCredentials: { username: '', password: '' },
  ignoreHTTPSErrors: false,
  isMobile: false,
  javaScriptEnabled: false,
  locale: '',
  offline: true,
  permissions: [],
  proxy: { server: '' },
  reducedMotion: null,
  screen: { width: 1, height: 1 },
  serviceWorkers: 'block',
  storageState: { cookies: [], origins: [] },
  timezoneId: '',
  userAgent: '',
  viewport: null,
};

/**
 * The suite against a target, in three phases: tests run in the order of the projects and wait for the phases before
 * theirs. A project that depends on another would not run when that one fails. The session ends every exchange and the
 * whole run, so no test that waits is cut off by a time limit of its own. Properties come before examples: the animals
 * that they add are then among those that tests of long lists need.
 */
function judging(allureResults: string, only: readonly string[]): PlaywrightTestConfig {
  const asked = only.length === 0 ? '' : `(?=.*@(${only.map((id) => id.replaceAll('.', '\\.')).join('|')})(?!\\S))`;
  const phase = (name: string, marked: string, ...elsewhere: string[]) => ({ name, testDir: here('./tests'), testIgnore: ['**/self/**', ...elsewhere], grep: new RegExp(`^${asked}${marked}`, 's') });
  return {
    workers: 2,
    timeout: 0,
    forbidOnly: true,
    outputDir: `${allureResults}/../.playwright`,
    use: NO_BROWSER,
    reporter: [[here(`./reports/progress.${import.meta.url.slice(-2)}`)], ['allure-playwright', { resultsDir: allureResults, detail: false }]],
    projects: [
      { ...phase('first', '(?=.*@phase-first)'), fullyParallel: false, workers: 1 },
      { ...phase('generated', '(?!.*@phase-)'), testDir: here('./tests/properties'), fullyParallel: true },
      { ...phase('any', '(?!.*@phase-)', '**/properties/**'), fullyParallel: true },
      { ...phase('last', '(?=.*@phase-last)'), fullyParallel: false },
    ],
  };
}

const { [SESSION_SOCKET]: session, [ALLURE_RESULTS]: allureResults = '', [ONLY]: only = '' } = process.env;

export default defineConfig(session === undefined ? self : judging(allureResults, only.split(' ').filter(Boolean)));
