/** The command runs the bodies of tests itself; Playwright's own command, which somebody may prefer, comes to the same verdicts. */
import { expect, test } from '@playwright/test';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { HOSTILE } from '../../../fixtures/implementations/hostile/index.ts';
import { against, command, startPlaywright, type Ended } from '../samples/command.ts';

const FAULTY = ['create-pet.invalid-status-stored', 'authentication.get-pet-wrong-404'];
const UNTRUSTED = ['hangs-midway', 'login-page'];
/** Of what hangs nobody waits long. */
const SHORT = { REQUEST_TIMEOUT: '2', CONSISTENCY_WINDOW: '2' };

/** The result of a run. If a target breaks off, the requests until then differ from run to run. */
function told({ exitCode, report }: Pick<Ended, 'exitCode' | 'report'>, isWhole: boolean): object {
  const requirements = report?.requirements.map(({ id, verdict }) => `${id} ${verdict}`);
  return { exitCode, verdict: report?.verdict, ...(isWhole && { requirements }) };
}

/** @param stand serves the target for one run: some have a memory */
async function agree(
  stand: <T>(run: (target: NodeJS.ProcessEnv) => Promise<T>) => Promise<T>,
  isWhole = true,
): Promise<void> {
  const ours = await stand((target) => command('conformance', [], target));
  expect(told(await stand((target) => startPlaywright([], target)), isWhole)).toEqual(told(ours, isWhole));
}

test('both commands agree on the reference @long', () => agree((run) => run({})));

for (const id of FAULTY) {
  test(`both commands agree on ${id} @long`, async () => {
    const { vary } = FAULTS.find((fault) => fault.id === id) ?? never(id);
    await agree((run) => against(vary, run));
  });
}

for (const id of UNTRUSTED) {
  test(`both commands agree on ${id} @long`, async () => {
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
