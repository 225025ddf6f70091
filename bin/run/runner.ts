import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SESSION_SOCKET } from '../../fixtures/session/remote.ts';
import { ALLURE_RESULTS, ONLY } from '../handover.ts';

/** Characters of the runner's own words that are kept for when it breaks. */
const KEPT_WORDS = 20_000;

/** Most that the heap of each process of the runner may hold, in MiB. */
const HEAP = 192;

/** A Playwright Test process group: it outlives no run. */
export interface Runner {
  /** Resolves when it has ended, with what it printed. */
  ended: Promise<{ words: string }>;
  /** Ends the whole group at once. */
  kill(): void;
}

/** Starts Playwright Test on the suite. The key is not in its environment: only the session has it. */
export function startRunner(options: { session: string; only: readonly string[]; allureResults: string; isSecret: (value: string) => boolean }): Runner {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  const config = fileURLToPath(new URL('../../playwright.config.js', import.meta.url));
  const env: NodeJS.ProcessEnv = { ...process.env, [SESSION_SOCKET]: options.session, [ONLY]: options.only.join(' '), [ALLURE_RESULTS]: options.allureResults, FORCE_COLOR: '0' };
  for (const [name, value] of Object.entries(env)) if (name === 'API_KEY' || options.isSecret(value ?? '')) delete env[name];
  // the suite is compiled already: without the runner's own loader each of its processes starts a tenth sooner
  env.PW_DISABLE_TS_ESM = '1';
  // what a target sends is bounded, so is what it can make of a worker
  env.NODE_OPTIONS = `${env.NODE_OPTIONS ?? ''} --max-old-space-size=${HEAP} --max-semi-space-size=4`.trim();
  const child = spawn(process.execPath, [cli, 'test', '--config', config], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
  let words = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-KEPT_WORDS)));
  const ended = new Promise<{ words: string }>((resolve) => child.on('close', () => resolve({ words })).on('error', (error) => resolve({ words: error.message })));
  return { ended, kill: () => killGroup(child) };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // it has ended already
  }
}
