/** A target that is killed during a run, and started again on its port with an empty store. */
import { expect } from '@playwright/test';
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import { Reference } from '../../../fixtures/reference/reference-service.ts';
import { serve, type Served } from '../../../fixtures/reference/serve.ts';
import { command } from '../samples/command.ts';
import { FEW_INPUTS } from '../samples/run-on.ts';
import { simulatedTest as test } from '../samples/simulated.ts';

/** Animals that the run has added when the target is killed. */
const ADDED = 15;
/** Seconds: what is gone is looked for so long. */
const WINDOW = '1';

test('a target that starts again with an empty store is undecided, and told as one @simulated', async () => {
  const key = drawKey();
  let added = 0;
  const again: Promise<Served>[] = [];
  class Killed extends Reference {
    override async createPet(call: Call): Promise<Reply> {
      const reply = await super.createPet(call);
      if (reply.status === 201 && (added += 1) === ADDED)
        again.push(served.close().then(() => serve({ key, Service: Reference, port })));
      return reply;
    }
  }
  const served = await serve({ key, Service: Killed });
  const port = Number(new URL(served.baseUrl).port);
  const run = command('conformance', ['--only', 'create-pet'], {
    BASE_URL: served.baseUrl,
    API_KEY: key,
    CONSISTENCY_WINDOW: WINDOW,
    PROPERTY_RUNS: String(FEW_INPUTS),
  });
  const { exitCode, report } = await run;
  const kept = report?.requirements.find(({ id }) => id === 'create-pet.kept');
  expect({ exitCode, verdict: report?.verdict, kind: kept?.cause?.kind }).toEqual({
    exitCode: 3,
    verdict: 'inconclusive',
    kind: 'restart',
  });
  expect(kept?.reason).toMatch(
    /^all \d+ animals of the run were gone from one moment on, as after a restart/,
  );
  expect(report?.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(report?.explanations).toEqual([]);
  for (const each of again) await (await each).close();
});
