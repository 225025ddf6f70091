#!/usr/bin/env node
/**
 * `npm run check` is for every commit and takes about a minute on two cores. It checks types, format and lint,
 * and runs the self-tests that start no command and no browser.
 * `npm test` is `--whole`: all self-tests except those marked `@long` and those of `npm run test:commands`.
 * `npm run test:commands` is `--commands`: a sample of the proof, real installs, pages in a browser, Playwright's own command.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** @param {string} name path of a script in node_modules, e.g. `oxlint/bin/oxlint` */
const findInstalled = (name) => join(ROOT, 'node_modules', name);

/**
 * @typedef {{ name: string, words: string[], env?: Record<string, string>, isShown?: boolean }} Step a script that
 * Node runs. `words`: the script and its arguments. `isShown`: true if its output is shown at once
 */

/** @type {Step} */
const TYPES = { name: 'types', words: [join(ROOT, 'bin', 'build.js')] };
/** @type {Step} */
const FORMAT = { name: 'format', words: [findInstalled('oxfmt/bin/oxfmt'), '--check', ROOT] };
/** @type {Step} */
const LINT = { name: 'lint', words: [findInstalled('oxlint/bin/oxlint')] };
/** Turns Playwright's own loader of TypeScript off. All files are compiled, and each process then starts 2 to 3 CPU seconds earlier. */
const PLAIN_MODULES = { PW_DISABLE_TS_ESM: '1' };
const PLAYWRIGHT = [
  findInstalled('@playwright/test/cli.js'),
  'test',
  '--config',
  join(ROOT, 'dist', 'tests', 'self', 'playwright.config.js'),
];
/** @type {Step} */
const FAST = {
  name: 'self-tests',
  words: [...PLAYWRIGHT, '--reporter=line', '--workers=1'],
  env: { ...PLAIN_MODULES, SELF_TESTS: 'fast' },
};
/** @type {Step} */
const SAMPLE = { name: 'a sample of the proof', words: [join(ROOT, 'dist', 'bin', 'prove.js'), '--sample'] };
/**
 * Makes the last step. Its output is shown at once, so the output of `npm test` ends with what Playwright says.
 * @param {string} selected the value of SELF_TESTS
 * @returns {Step}
 */
const makeShownSelfTests = (selected) => ({
  name: 'self-tests',
  words: PLAYWRIGHT,
  env: { ...PLAIN_MODULES, SELF_TESTS: selected },
  isShown: true,
});
/** @type {[option: string, steps: Step[]][]} */
const OPTIONS = [
  ['--whole', [FORMAT, LINT, makeShownSelfTests('without-commands')]],
  ['--commands', [SAMPLE, makeShownSelfTests('commands')]],
];

/**
 * Runs a step, and shows its output if it fails.
 * @param {Step} step
 * @returns {Promise<boolean>} true if it passed
 */
function passes({ name, words, env, isShown = false }) {
  const begun = performance.now();
  return new Promise((done) => {
    const child = spawn(process.execPath, words, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: isShown ? 'inherit' : 'pipe',
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (/** @type {Buffer} */ chunk) => void (text += chunk.toString()));
    child.on('close', (code) => {
      const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
      if (!isShown)
        process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name} ${seconds} s\n${code === 0 ? '' : text}`);
      done(code === 0);
    });
  });
}

/** @returns {Promise<boolean>} true if everything passed */
async function isFine() {
  if (!(await passes(TYPES))) return false;
  const [, steps] = OPTIONS.find(([option]) => process.argv.includes(option)) ?? ['', [FORMAT, LINT, FAST]];
  let hasPassed = true;
  for (const step of steps) hasPassed = (await passes(step)) && hasPassed;
  return hasPassed;
}
process.exitCode = (await isFine()) ? 0 : 1;
