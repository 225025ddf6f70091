/** Makes a work tree of a commit and builds it: `bench --against` measures it, and `prove-mutants` changes files in it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this clone. This file runs compiled, in `dist/bin/bench/`. */
export const CLONE = fileURLToPath(new URL('../../..', import.meta.url));

/** The folder of the work tree, and how to remove it; or the reason why there is none. */
type WorkTree = { folder: string; remove: () => void } | { problem: string };

/** Checks the commit out into the temporary folder and builds it, with the packages of the clone. */
export function checkOut(commit: string): WorkTree {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-against-'));
  const run = (program: string, args: readonly string[], cwd: string) =>
    spawnSync(program, args, { cwd, encoding: 'utf8' });
  const remove = () => {
    run('git', ['worktree', 'remove', '--force', folder], CLONE);
    rmSync(folder, { recursive: true, force: true });
  };
  const words = ['worktree', 'add', '--detach', folder, '--end-of-options', commit];
  const { status, stderr } = run('git', words, CLONE);
  if (status !== 0) {
    remove();
    const why = stderr?.trim().split('\n').at(-1);
    return { problem: `Commit ${commit}: git cannot check it out here (${why}).` };
  }
  symlinkSync(join(CLONE, 'node_modules'), join(folder, 'node_modules'));
  const built = run(process.execPath, ['bin/build.js'], folder);
  if (built.status === 0) return { folder, remove };
  remove();
  return { problem: `Commit ${commit} could not be built:\n${built.stderr || built.stdout}` };
}
