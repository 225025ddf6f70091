import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { writeJson } from '../../../fixtures/exchange/json.ts';
import type { NewPet, Pet } from '../../../fixtures/interface/bodies.ts';
import type { Members } from '../../../fixtures/reference/understanding.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';
import { runOn } from '../samples/run-on.ts';

const suite = collectSuite();

/** The second sends two equal bodies at once. */
const TITLES = ['makes two animals of two equal bodies', 'makes two animals of equal bodies at once'];
/** Requests that take their turns are 20 ms apart. */
const APART = { maxRps: 50 };

/** Judges a variant by the two tests of equal bodies. */
async function resultOn(vary: Vary, settings: Parameters<typeof runOn>[0]['settings'] = {}) {
  const tests = (await suite).filter(({ titles }) => TITLES.includes(titles.at(-1)!));
  const { findings } = await runOn({ vary, settings }, tests);
  return makeResults(findings).find(({ id }) => id === 'create-pet.equal-pets');
}

/** Makes one animal of two equal bodies that it works on at the same time: each takes two turns of its loop. */
const joining: Vary = (Base) =>
  class extends Base {
    readonly #making = new Map<string, Promise<Pet>>();

    override async create(newPet: NewPet, sent: Members = {}): Promise<Pet> {
      const key = writeJson({ ...newPet });
      const made =
        this.#making.get(key) ??
        nextTurn()
          .then(nextTurn)
          .then(() => super.create(newPet, sent));
      this.#making.set(key, made);
      return made.finally(() => this.#making.delete(key));
    }
  };

test('two equal bodies are written in the same moment: a service that joins what overlaps by two turns of its loop fails', async () => {
  expect(await resultOn(joining, APART)).toMatchObject({
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

test('two equal bodies that were under way together decide it in full', async () => {
  expect(await resultOn((Base) => Base, APART)).toMatchObject({ verdict: 'pass', partial: null });
});
