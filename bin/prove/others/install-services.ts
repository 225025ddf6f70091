/** Installs the services that others wrote, with their packages, in a folder for temporary files. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES } from '../../../fixtures/implementations/others/service.ts';

/** Returns the folder. It is named after the digest of package.json and stays, so later proofs need not install again. */
export function installServices(): string {
  const manifest = readFileSync(join(SERVICES, 'package.json'));
  const digest = createHash('sha256').update(manifest).digest('hex');
  const folder = join(tmpdir(), `conformance-services-${digest.slice(0, 12)}`);
  cpSync(SERVICES, folder, { recursive: true });
  if (!existsSync(join(folder, 'node_modules', '.package-lock.json')))
    execFileSync('npm', ['install', '--ignore-scripts', '--silent', '--prefix', folder], { stdio: 'ignore' });
  return folder;
}
