/**
 * True if a person steps through tests: in Playwright's inspector, its UI or an editor. Test bodies then run in a
 * worker, where breakpoints work. Otherwise they run in the main process, several at a time.
 */
export function isSteppedThrough(
  argv: readonly string[] = process.argv,
  env: NodeJS.ProcessEnv = process.env,
): boolean {
  const optionsOfNode = [...process.execArgv, ...(env.NODE_OPTIONS ?? '').split(' ')];
  const isInspected = optionsOfNode.some((word) => word.startsWith('--inspect'));
  const hasDebug = argv.slice(2).some((word) => word === '--debug' || word.startsWith('--debug='));
  return isInspected || hasDebug || Boolean(env.PWDEBUG) || isPlaywrightUi(argv);
}

/** True if Playwright serves its UI or an editor. Its process lives on after a run, and each click is a new run. */
export function isPlaywrightUi(argv: readonly string[] = process.argv): boolean {
  return argv.slice(2).some((word) => word === 'test-server' || word === '--ui' || word.startsWith('--ui-'));
}
