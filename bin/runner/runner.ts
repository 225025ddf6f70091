import { createRequire } from 'node:module';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Shard } from '../../fixtures/settings/settings.ts';
import { ONLY_VARIABLE } from '../selection/environment.ts';

/**
 * Starts Playwright Test on the suite in this process, which then holds the session and runs the bodies of the tests: the
 * reporter ends it. The runner is told by its arguments and its environment, as from a shell.
 * @param only ids whose tests run; empty: all
 * @param shard the share of this machine, or null
 */
export function startRunner(only: readonly string[], shard: Shard | null = null): void {
  const require = createRequire(import.meta.url);
  const cli = join(dirname(require.resolve('@playwright/test/package.json')), 'cli.js');
  // the runner would note which tests failed; the report says it. The suite is compiled already: without the runner's own loader each of its processes starts a tenth sooner
  Object.assign(process.env, {
    [ONLY_VARIABLE]: only.join(' '),
    PW_DISABLE_TS_ESM: '1',
    ...(process.platform === 'win32' ? {} : { PLAYWRIGHT_LAST_RUN_OUTPUT_FILE: devNull }),
  });
  process.argv.splice(
    1,
    process.argv.length,
    cli,
    'test',
    '--config',
    fileURLToPath(new URL('../../playwright.config.js', import.meta.url)),
    ...(shard === null ? [] : [`--shard=${shard.index}/${shard.count}`]),
  );
  require(cli);
}
