/**
 * `npm run sbom`: what is installed with this package, as CycloneDX. Made by npm itself, in a folder that knows nothing of the
 * development: `npm sbom --omit dev` leaves out what both need.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')) as Record<string, unknown>;

const { devDependencies: _of, ...suite } = read('package.json');
const { packages, ...lock } = read('package-lock.json') as {
  packages: Record<string, { dev?: boolean; devDependencies?: object }>;
};
const { '': { devDependencies: _own, ...root } = {}, ...others } = packages;
const installed = Object.fromEntries(Object.entries(others).filter(([, { dev }]) => dev !== true));

const folder = mkdtempSync(join(tmpdir(), 'conformance-sbom-'));
try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(suite));
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...lock, packages: { '': root, ...installed } }),
  );
  const { status } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
