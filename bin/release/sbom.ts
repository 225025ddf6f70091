/**
 * `npm run sbom`: lists the installed packages as CycloneDX. npm makes the list in a folder without development
 * packages: `npm sbom --omit dev` would leave out packages that both need.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropDevelopment } from './installed-lock.ts';

const { manifest, lock } = dropDevelopment();
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
