#!/usr/bin/env node
/**
 * `npm run check`: what every commit passes, in about a minute on two cores: types, format, lint, and the self-tests that
 * start neither the command nor a browser. `npm test` is the whole.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** @param {string} name a program of a package, by its path in node_modules */
const installed = (name) => join(ROOT, 'node_modules', name);

/** @typedef {{ name: string, words: string[], env?: Record<string, string> }} Step */

/** @type {Step} */
const TYPES = { name: 'types', words: [join(ROOT, 'bin', 'build.js')] };
/** @type {Step} */
const FORMAT = {
  name: 'format',
  words: [installed('prettier/bin/prettier.cjs'), '--check', '--cache', '--log-level', 'warn', '.'],
};
/** @type {Step} */
const LINT = {
  name: 'lint',
  words: [
    // what it makes is garbage soon: a tenth less CPU
    '--max-semi-space-size=64',
    installed('eslint/bin/eslint.js'),
    '--cache',
    '--cache-strategy',
    'content',
    '--cache-location',
    installed('.cache/eslint/'),
    '.',
  ],
};
/** @type {Step} */
const SELF_TESTS = {
  name: 'self-tests',
  words: [
    installed('@playwright/test/cli.js'),
    'test',
    '--config',
    join(ROOT, 'dist', 'tests', 'self', 'playwright.config.js'),
    '--reporter=line',
    '--workers=1',
  ],
  env: { SELF_TESTS: 'fast' },
};

/** Runs a step, and shows what it printed where it failed. @param {Step} step @returns {Promise<boolean>} whether it passed */
function passes({ name, words, env }) {
  const begun = performance.now();
  return new Promise((done) => {
    const child = spawn(process.execPath, words, { cwd: ROOT, env: { ...process.env, ...env } });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (/** @type {Buffer} */ chunk) => void (text += chunk.toString()));
    child.on('close', (code) => {
      const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
      process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name} ${seconds} s\n${code === 0 ? '' : text}`);
      done(code === 0);
    });
  });
}

/** @param {Step[]} steps one after the other @returns {Promise<boolean>} whether all of them passed */
async function inTurn(...steps) {
  let isFine = true;
  for (const step of steps) isFine = (await passes(step)) && isFine;
  return isFine;
}

const isFine =
  (await passes(TYPES)) &&
  (await Promise.all([inTurn(LINT), inTurn(FORMAT, SELF_TESTS)])).every((each) => each);
process.exitCode = isFine ? 0 : 1;
