#!/usr/bin/env node
/**
 * `npm run build`: compiles all sources into dist/ if one of them has changed since the last build. It deletes compiled
 * files whose source does not exist any more.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.js';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OUT = join(ROOT, 'dist');
/** The compiler, which `npm ci` installs. */
const COMPILER = join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
const BUNDLED = join(OUT, 'schemas', 'openapi.bundled.json');
const PACKAGES = join(OUT, 'packages.json');
/** A file with the time of the last build and the names of all compiled sources. */
const STAMP = join(OUT, '.built');
const FOLDERS = ['bin', 'fixtures', 'reports', 'schemas', 'tests'];
const FILES = ['package.json', 'package-lock.json', 'playwright.config.ts', 'tsconfig.json'];
/** Files that the build itself writes to dist/. */
const OWN = new Set(['.built', '.tsbuildinfo', 'schemas/openapi.bundled.json', 'packages.json']);

/** @param {string} folder @returns {string[]} names of all files below, with / between the folders */
function listFilesBelow(folder) {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return entries.flatMap((entry) =>
    entry.isDirectory()
      ? listFilesBelow(join(folder, entry.name)).map((name) => `${entry.name}/${name}`)
      : [entry.name],
  );
}

const inFolders = FOLDERS.flatMap((folder) =>
  listFilesBelow(join(ROOT, folder)).map((name) => `${folder}/${name}`),
);
const sources = [
  ...FILES,
  ...inFolders.filter((name) => /\.(ts|json)$/.test(name) && !name.startsWith('reports/out/')),
];
const names = sources.join('\n');

/** True if no source has changed since the last build. A renamed source has a new name, so it counts as changed. */
function isFresh() {
  if (![STAMP, BUNDLED, PACKAGES].every((file) => existsSync(file))) return false;
  if (readFileSync(STAMP, 'utf8') !== names) return false;
  const built = statSync(STAMP).mtimeMs;
  return sources.every((name) => statSync(join(ROOT, name)).mtimeMs < built);
}

/**
 * Compiles the sources, deletes old files, and writes the files of OWN.
 * @returns {Promise<number>} the exit code: 0 built, 2 no compiler, 3 not compiled. Never 1, which means nonconforming
 */
async function build() {
  if (!existsSync(COMPILER))
    return refuse(2, 'The compiler is missing in node_modules: run npm ci, then start again.');
  // Without a stamp, files may be missing in dist/. The compiler would not write those that .tsbuildinfo lists as up to date.
  if (!existsSync(STAMP)) rmSync(join(OUT, '.tsbuildinfo'), { force: true });
  const begun = new Date();
  const { status, error } = spawnSync(process.execPath, [COMPILER, '-p', ROOT], { stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (status !== 0) return refuse(3, 'The sources could not be compiled.');
  const known = new Set(sources);
  for (const name of listFilesBelow(OUT)) {
    const hasSource = known.has(name.replace(/\.js(\.map)?$/, '.ts'));
    const isCompiled = /\.(js|map|json)$/.test(name) && !OWN.has(name) && !name.includes('/test-results/');
    if (isCompiled && !hasSource) rmSync(join(OUT, name));
  }
  bundle(join(ROOT, 'schemas'), BUNDLED);
  writeFileSync(PACKAGES, `${JSON.stringify(listPackages())}\n`);
  writeFileSync(STAMP, names);
  // Sources that changed during the build are compiled by the next one.
  utimesSync(STAMP, begun, begun);
  return 0;
}

/**
 * @returns {Record<string, { version: string, integrity: string }>} version and digest of each package that
 * runs with the suite, from the lock file
 */
function listPackages() {
  /** @type {unknown} */
  const read = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const lock =
    /** @type {{ packages: Record<string, { version: string, integrity: string, dev?: boolean }> }} */ (read);
  const all = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  return Object.fromEntries(all.map(([path, { version, integrity }]) => [path, { version, integrity }]));
}

/** @param {number} exitCode @param {string} sentence @returns {number} the exit code */
function refuse(exitCode, sentence) {
  process.stderr.write(`${sentence}\n`);
  return exitCode;
}

/** @returns {Promise<number>} the exit code */
async function main() {
  const [, floor = ''] = /"node": ">=([\d.]+)"/.exec(readFileSync(join(ROOT, 'package.json'), 'utf8')) ?? [];
  const isOld = floor.localeCompare(process.versions.node, 'en', { numeric: true }) > 0;
  if (isOld)
    return refuse(2, `The suite needs Node ${floor} or later, and this is ${process.versions.node}.`);
  return isFresh() ? 0 : build();
}

try {
  process.exitCode = await main();
} catch (error) {
  const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error);
  const why = ['EMFILE', 'ENFILE'].includes(code)
    ? 'too many files are open; raise the limit (ulimit -n 1024)'
    : message;
  process.exitCode = refuse(3, `The suite could not be built: ${why}.`);
}
