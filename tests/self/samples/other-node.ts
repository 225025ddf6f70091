import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path of a Node of that major version: this one, or one that the package `node` brings, kept in the folder for temporary files. */
export function nodeOf(major: number): string {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const folder = join(tmpdir(), `conformance-node-${major}`);
  const path = join(folder, 'node_modules', 'node', 'bin', 'node');
  if (!existsSync(path))
    execFileSync('npm', ['install', '--no-save', '--silent', '--prefix', folder, `node@${major}`], {
      stdio: 'ignore',
    });
  return path;
}
