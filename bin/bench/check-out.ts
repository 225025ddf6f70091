/** Makes a work tree of a commit and builds it, so that it can be measured beside this clone. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of the work tree, and how to remove it; or the reason why there is none. */
type WorkTree = { folder: string; remove: () => void } | { problem: string };

/** Makes the work tree in the temporary folder. It takes the packages of the clone. */
export function checkOut(clone: string, commit: string): WorkTree {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-against-'));
  const run = (program: string, args: readonly string[], cwd: string) =>
    spawnSync(program, args, { cwd, encoding: 'utf8' });
  const remove = () => {
    run('git', ['worktree', 'remove', '--force', folder], clone);
    rmSync(folder, { recursive: true, force: true });
  };
  const { status, stderr } = run(
    'git',
    ['worktree', 'add', '--detach', folder, '--end-of-options', commit],
    clone,
  );
  if (status === 0) {
    symlinkSync(join(clone, 'node_modules'), join(folder, 'node_modules'));
    const built = run(process.execPath, ['bin/build.js'], folder);
    if (built.status === 0) return { folder, remove };
    remove();
    return { problem: `--against ${commit} could not be built:\n${built.stderr || built.stdout}` };
  }
  remove();
  return {
    problem: `--against ${commit}: git has no such commit here (${stderr?.trim().split('\n').at(-1)}).`,
  };
}
