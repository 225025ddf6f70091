/**
 * True if a person steps through tests: in the runner's inspector, its UI or an editor. Tests then run in the
 * worker, where breakpoints work; otherwise they run concurrently in the main process.
 */
export function isSteppedThrough(
  argv: readonly string[] = process.argv,
  env: NodeJS.ProcessEnv = process.env,
): boolean {
  const words = argv.slice(2);
  const inspected = [...process.execArgv, ...(env.NODE_OPTIONS ?? '').split(' ')].some((word) =>
    word.startsWith('--inspect'),
  );
  return (
    inspected ||
    Boolean(env.PWDEBUG) ||
    isServed(argv) ||
    words.some((word) => word === '--debug' || word.startsWith('--debug='))
  );
}

/** True if the runner serves its UI or an editor. It goes on after a run, and each click is a new run. */
export function isServed(argv: readonly string[] = process.argv): boolean {
  return argv.slice(2).some((word) => word === 'test-server' || word === '--ui' || word.startsWith('--ui-'));
}
