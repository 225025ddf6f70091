/**
 * Whether somebody steps through tests: with the runner's inspector, in its UI or in an editor. Bodies then run in the
 * worker, where breakpoints and steps are; else on lanes.
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

/** Whether the runner serves a page or an editor: it goes on after a run, and each click is a run of its own. */
export function isServed(argv: readonly string[] = process.argv): boolean {
  return argv.slice(2).some((word) => word === 'test-server' || word === '--ui' || word.startsWith('--ui-'));
}
