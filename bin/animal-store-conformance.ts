#!/usr/bin/env node
/**
 * The file that npm installs as the command `animal-store-conformance`. It imports nothing before it can report an error: if a file cannot
 * be loaded, the user gets one sentence and exit code 2 or 3. Node would print a stack trace and exit with 1, which means nonconforming.
 */

/** The oldest Node that runs the suite; `engines` in package.json says the same. */
const LEAST_NODE = [20, 19] as const;
/** By error code of the operating system: the end of a sentence that says the cause, and what to do. */
const CAUSES: Readonly<Record<string, string>> = {
  EMFILE: 'this process may not open enough files; raise the limit (ulimit -n 1024) and start again',
  ENFILE: 'this machine has no file handle left; close other programs and start again',
  ENOMEM: 'this machine has no memory left; close other programs and start again',
  EACCES: 'a file of the suite may not be read; look at its permissions, or install the suite again',
};
/** Error codes of Node for a module that does not exist. */
const MISSING = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/** Prints in one line why the suite ends, and ends it. */
function endWith(exitCode: 2 | 3, line: string): never {
  process.stderr.write(`${line.replaceAll(/[\p{Cc}\s]+/gu, ' ')}\n`);
  process.exit(exitCode);
}

/** True if this process can open no more files. Node then reports existing packages as missing. */
function lacksHandles(): boolean {
  try {
    const { closeSync, openSync } = process.getBuiltinModule('node:fs');
    closeSync(openSync(process.execPath, 'r'));
    return false;
  } catch {
    return true;
  }
}

/** Ends the suite because of an error that nothing caught. */
function endBroken(error: unknown): never {
  const thrown = error as { code?: string; url?: string; message?: string };
  const { code = '', url = '', message = String(error) } = thrown;
  const isModuleMissing = MISSING.includes(code);
  if (isModuleMissing && !lacksHandles()) {
    // An error about a missing file has its address; an error about a missing package has none.
    const name = url.split('/').at(-1) || 'a package';
    endWith(2, `The suite is not complete (${name} is missing): install it again.`);
  }
  // Without a free handle, Node reports an existing module as missing: the true cause is EMFILE.
  const cause = CAUSES[isModuleMissing ? 'EMFILE' : code];
  if (cause === undefined) endWith(3, `The suite itself broke: ${message}`);
  endWith(3, `The suite cannot run here: ${cause}.`);
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1]))
  endWith(2, `The suite needs Node ${LEAST_NODE.join('.')} or later, and this is ${process.versions.node}.`);
// Node 20 optimizes a function so early that a run of seconds loses CPU. 200000 is three times the usual budget: Node then waits longer.
// With much more, functions that run often stay slow. Later versions of Node do not know this flag of V8, and would print an error.
if (major === 20) process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=200000');
// During a run, printed-run.ts adds a second listener, which writes the error into the report. Then this one does nothing.
process.on('uncaughtException', (error) => {
  if (process.listenerCount('uncaughtException') === 1) endBroken(error);
});
try {
  await import('./start.js');
} catch (error) {
  endBroken(error);
}
