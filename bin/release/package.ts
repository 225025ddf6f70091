/**
 * `npm run package -- FOLDER`: makes the tarball to publish. It adds npm-shrinkwrap.json to the files of `npm pack`, so that
 * npm and npx install the tested versions of all packages. The tarball is made in a new folder: in the clone, npm would read
 * npm-shrinkwrap.json in place of package-lock.json.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dropDevelopment } from './installed-lock.ts';

// This file runs as dist/bin/release/package.js.
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const [destination] = process.argv.slice(2);

function npm(cwd: string, ...words: string[]): string {
  return execFileSync('npm', words, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
}

if (destination === undefined) {
  process.stderr.write('package takes a folder for the tarball: npm run package -- FOLDER\n');
  process.exitCode = 2;
} else {
  const target = resolve(destination);
  const folder = mkdtempSync(join(tmpdir(), 'conformance-package-'));
  try {
    npm(ROOT, 'run', '--silent', 'prepack');
    const [{ files }] = JSON.parse(npm(ROOT, 'pack', '--dry-run', '--json', '--ignore-scripts')) as [
      { files: { path: string }[] },
    ];
    for (const { path } of files) cpSync(join(ROOT, path), join(folder, path));
    const shrinkwrap = `${JSON.stringify(dropDevelopment().lock, null, 2)}\n`;
    writeFileSync(join(folder, 'npm-shrinkwrap.json'), shrinkwrap);
    mkdirSync(target, { recursive: true });
    process.stdout.write(npm(folder, 'pack', '--ignore-scripts', '--pack-destination', target));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
