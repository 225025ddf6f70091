/** Two equal bodies at the same time: a service that makes one animal of them fails (create-pet.equal-pets). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { replaceStep } from '../../../fixtures/implementations/operators.ts';
import { writeJson } from '../../../fixtures/exchange/json.ts';
import type { Pet } from '../../../fixtures/interface/bodies.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import { judgeOn } from '../samples/run-on.ts';

/** Requests that are not sent together are 20 ms apart. */
const SPACED = { maxRps: 50 };

async function resultOn(vary: Vary, settings: Parameters<typeof judgeOn>[0]['settings'] = {}) {
  const { results } = await judgeOn({ vary, settings }, 'create-pet.equal-pets');
  return results.find(({ id }) => id === 'create-pet.equal-pets');
}

/** A service that makes one animal of two equal bodies that come within two turns of its event loop. */
const joinsEqualBodies = replaceStep('create', (usual) => {
  const making = new Map<string, Promise<Pet>>();
  return async (newPet, sent) => {
    const key = writeJson({ ...newPet });
    const made =
      making.get(key) ??
      nextTurn()
        .then(nextTurn)
        .then(() => usual(newPet, sent));
    making.set(key, made);
    return made.finally(() => making.delete(key));
  };
});

test('a service that makes one animal of equal bodies within two turns of its loop fails', async () => {
  // 200 requests are enough to find the failure, and take half of the time of a run without this limit.
  expect(await resultOn(joinsEqualBodies, { ...SPACED, maxRequests: 200 })).toMatchObject({
    verdict: 'fail',
    received: expect.any(String),
  });
});

test('two equal bodies that may not be under way together decide the promise in part', async () => {
  const result = await resultOn((Base) => Base, { maxInFlight: 1 });
  expect(result).toMatchObject({
    verdict: 'pass',
    partial: { reason: expect.stringContaining('not under way at the same time') as unknown },
  });
});
