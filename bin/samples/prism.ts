/** Runs Prism's mock of the OpenAPI file. npx fetches it: it is not a dependency of the suite. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort, isAnswering } from '../../fixtures/implementations/others/free-port.ts';

/** The last version that works with Node 20: later ones hang on bodies that are not JSON. */
const VERSION = '5.14.2';
/** The name of the mock among vendors. */
export const PRISM = `Prism ${VERSION}`;
/** The longest wait for an answer, in milliseconds. npx may have to fetch the mock first. */
const LONGEST_WAIT = 180_000;
const PAUSE_MS = 250;

/**
 * Serves the mock while `body` runs.
 * @throws Error if it does not answer in time
 */
export async function servePrism(body: (baseUrl: string) => Promise<void>): Promise<void> {
  const port = await findFreePort();
  const document = fileURLToPath(new URL('../../schemas/openapi.json', import.meta.url));
  const child = spawn(
    'npx',
    [
      '--yes',
      '--package',
      `@stoplight/prism-cli@${VERSION}`,
      'prism',
      'mock',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      document,
    ],
    { stdio: 'ignore', detached: process.platform !== 'win32' },
  );
  // npx starts the mock in a child process.
  const end = () =>
    process.platform === 'win32' ? child.kill() : process.kill(-(child.pid ?? 0), 'SIGTERM');
  let ended = false;
  child.on('error', () => (ended = true)).on('close', () => (ended = true));
  try {
    const baseUrl = `http://127.0.0.1:${port}`;
    for (const until = Date.now() + LONGEST_WAIT; !(await isAnswering(baseUrl)); await sleep(PAUSE_MS))
      if (ended || Date.now() > until) throw new Error(`${PRISM} does not answer; can npx fetch it here?`);
    await body(baseUrl);
  } finally {
    if (!ended) end();
  }
}
