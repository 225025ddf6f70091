import { execFileSync } from 'node:child_process';
import { PROJECT } from './installed.ts';

/** Paths that differ between the commit before the last one and the working tree; null if git cannot say. */
export function changedFiles(): string[] | null {
  try {
    const names = execFileSync('git', ['diff', '--name-only', '--no-renames', 'HEAD^1'], {
      cwd: PROJECT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return names.split('\n').filter((name) => name !== '');
  } catch {
    return null;
  }
}
