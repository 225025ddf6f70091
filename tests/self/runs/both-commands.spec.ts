/** The command runs the bodies of tests itself; Playwright's own command, which somebody may prefer, comes to the same verdicts. */
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { HOSTILE } from '../../../fixtures/implementations/hostile/index.ts';
import { against, command, reportIn, type Ended } from '../samples/command.ts';

const CLONE = fileURLToPath(new URL('../../../..', import.meta.url));
const CLI = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
const FAULTY = [
  'create-pet.invalid-status-stored',
  'list-pets.empty-filtered-not-found',
  'get-pet.low-53-bits',
  'authentication.get-pet-wrong-404',
  'errors.create-401-token',
];
const UNTRUSTED = ['answers-500', 'hangs-midway', 'login-page'];
/** Of what hangs nobody waits long. */
const SHORT = { REQUEST_TIMEOUT: '2', CONSISTENCY_WINDOW: '2' };

/** The result of a run. If a target breaks off, the requests until then differ from run to run. */
function told({ exitCode, report }: Pick<Ended, 'exitCode' | 'report'>, isWhole: boolean): object {
  const requirements = report?.requirements.map(({ id, verdict }) => `${id} ${verdict}`);
  return { exitCode, verdict: report?.verdict, ...(isWhole && { requirements }) };
}

async function playwright(target: NodeJS.ProcessEnv): Promise<Pick<Ended, 'exitCode' | 'report'>> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
  const child = spawn(process.execPath, [CLI, 'test'], {
    cwd: CLONE,
    env: { PATH: process.env.PATH, HOME: folder, REPORT_DIR: join(folder, 'out'), ...target },
    stdio: 'ignore',
  });
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exitCode, report: reportIn(folder) };
}

/** @param stand serves the target for one run: some have a memory */
async function agree(
  stand: <T>(run: (target: NodeJS.ProcessEnv) => Promise<T>) => Promise<T>,
  isWhole = true,
): Promise<void> {
  const ours = await stand((target) => command('conformance', [], target));
  expect(told(await stand(playwright), isWhole)).toEqual(told(ours, isWhole));
}

test('both commands agree on the reference', { tag: '@long' }, () => agree((run) => run({})));

for (const id of FAULTY) {
  test(`both commands agree on ${id}`, { tag: '@long' }, async () => {
    const { vary } = FAULTS.find((fault) => fault.id === id) ?? never(id);
    await agree((run) => against(vary, run));
  });
}

for (const id of UNTRUSTED) {
  test(`both commands agree on ${id}`, { tag: '@long' }, async () => {
    const hostile = HOSTILE.find((each) => each.id === id) ?? never(id);
    await agree(async (run) => {
      const { baseUrl, key, close } = await hostile.serve();
      try {
        return await run({ BASE_URL: baseUrl, API_KEY: key, ...SHORT, ...hostile.env });
      } finally {
        await close();
      }
    }, false);
  });
}

function never(id: string): never {
  throw new Error(`there is no ${id}`);
}
