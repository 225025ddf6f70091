#!/usr/bin/env node
/**
 * Begins the command. Nothing is imported here, so that what cannot be loaded is one sentence and not a stack trace of Node, which
 * ends with the exit code of a target that does not conform.
 */

/** The oldest Node that runs the suite; `engines` in package.json says the same. */
const FLOOR = [20, 19] as const;
/** What an error of the machine means, and what to do. */
const CAUSES: Readonly<Record<string, string>> = {
  EMFILE: 'this process may not open enough files; raise the limit (ulimit -n 1024) and start again',
  ENFILE: 'this machine has no file handle left; close other programs and start again',
  ENOMEM: 'this machine has no memory left; close other programs and start again',
  EACCES: 'a file of the suite may not be read; look at its permissions, or install the suite again',
};
/** Codes of a file that is not there: nothing was tried. */
const MISSING = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/** Says in one line why the suite ends. */
function endWith(exitCode: 2 | 3, line: string): never {
  process.stderr.write(`${line.replaceAll(/[\p{Cc}\s]+/gu, ' ')}\n`);
  process.exit(exitCode);
}

/** True if no file can be opened: Node then says of packages that are there that they are missing. */
function lacksHandles(): boolean {
  try {
    const { closeSync, openSync } = process.getBuiltinModule('node:fs');
    closeSync(openSync(process.execPath, 'r'));
    return false;
  } catch {
    return true;
  }
}

function endBroken(error: unknown): never {
  const {
    code = '',
    url = '',
    message = String(error),
  } = error as {
    code?: string;
    url?: string;
    message?: string;
  };
  if (MISSING.includes(code) && !lacksHandles()) {
    // a package has no address
    const name = url.split('/').at(-1) || 'a package';
    endWith(2, `The suite is not complete (${name} is missing): install it again.`);
  }
  const cause = CAUSES[MISSING.includes(code) ? 'EMFILE' : code];
  endWith(
    3,
    cause === undefined ? `The suite itself broke: ${message}` : `The suite cannot run here: ${cause}.`,
  );
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < FLOOR[0] || (major === FLOOR[0] && minor < FLOOR[1]))
  endWith(2, `The suite needs Node ${FLOOR.join('.')} or later, and this is ${process.versions.node}.`);
// what breaks within a run is said in its report: the run listens then
process.on('uncaughtException', (error) => {
  if (process.listenerCount('uncaughtException') === 1) endBroken(error);
});
try {
  await import('./start.js');
} catch (error) {
  endBroken(error);
}
