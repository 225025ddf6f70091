/**
 * `npm run sbom`: what is installed with this package, as CycloneDX. Made by npm itself, in a folder that knows nothing of the
 * development: `npm sbom --omit dev` leaves out what both need.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutDevelopment } from './installed-lock.ts';

const { manifest, lock } = withoutDevelopment();
const folder = mkdtempSync(join(tmpdir(), 'conformance-sbom-'));
try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const { status } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
