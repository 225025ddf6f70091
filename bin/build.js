#!/usr/bin/env node
/** `npm run build`: compiles into dist/ where a source is newer than what is there, and deletes what no source is left of. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OUT = join(ROOT, 'dist');
/** Its time is that of the last build, its text the names of what was compiled. */
const STAMP = join(OUT, '.built');
const FOLDERS = ['bin', 'fixtures', 'reports', 'schemas', 'tests'];
const FILES = ['package.json', 'package-lock.json', 'playwright.config.ts', 'tsconfig.json'];
/** What a build itself keeps in dist/. */
const OWN = new Set(['.built', '.tsbuildinfo']);

/** @param {string} folder @returns {string[]} names of all files below, with / between the folders */
function filesBelow(folder) {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return entries.flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(folder, entry.name)).map((name) => `${entry.name}/${name}`)
      : [entry.name],
  );
}

const inFolders = FOLDERS.flatMap((folder) =>
  filesBelow(join(ROOT, folder)).map((name) => `${folder}/${name}`),
);
const sources = [
  ...FILES,
  ...inFolders.filter((name) => /\.(ts|json)$/.test(name) && !name.startsWith('reports/out/')),
];
const names = sources.join('\n');

/** Whether nothing has changed since the last build. A file that was renamed has a name that was not there. */
function isFresh() {
  if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== names) return false;
  const built = statSync(STAMP).mtimeMs;
  return sources.every((name) => statSync(join(ROOT, name)).mtimeMs < built);
}

/** @returns {number} the exit code of the compiler */
function build() {
  // without a stamp nobody knows what is in dist/: the compiler would leave out what it believes to be there
  if (!existsSync(STAMP)) rmSync(join(OUT, '.tsbuildinfo'), { force: true });
  const begun = new Date();
  const compiler = join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', ROOT], { stdio: 'inherit' });
  if (status !== 0) return status ?? 1;
  const known = new Set(sources);
  for (const name of filesBelow(OUT)) {
    const source = name.replace(/\.js(\.map)?$/, '.ts');
    if (
      !OWN.has(name) &&
      !known.has(source) &&
      /\.(js|map|json)$/.test(name) &&
      !name.includes('/test-results/')
    )
      rmSync(join(OUT, name));
  }
  writeFileSync(STAMP, names);
  // what was changed while the compiler ran is compiled the next time
  utimesSync(STAMP, begun, begun);
  return 0;
}

process.exitCode = isFresh() ? 0 : build();
