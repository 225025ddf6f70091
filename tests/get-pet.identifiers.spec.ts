/**
 * Tests of getPet: unknown identifiers get 404, and an identifier near the one of an animal does not find that animal. `answers` ends a
 * test at a wrong answer. Rules judge all other answers. `scope.notApplicable` ends the test. `eventually` repeats a read that fails,
 * because reads may lag. `facts.removal` is `ahead` while getPet must be served.
 */
import type { Args } from '../fixtures/asking/client/test-arguments.ts';
import { listNeighbours } from '../fixtures/interface/neighbours.ts';
import { IN_A_ROW } from '../fixtures/situations/plan.ts';
import { test, verifies } from '../fixtures/test.ts';
import { hasFoundAnimal } from '../fixtures/asking/vocabulary/found-animal.ts';
import { EDGE_IDS } from '../fixtures/asking/vocabulary/value-classes.ts';

test.describe('GET /pets/{petId}, identifiers', () => {
  test(
    'answers 404 to identifiers that no animal has',
    verifies('get-pet.not-found'),
    async ({ api, args, eventually, given, scope, facts }) => {
      const kept = { ...args, api: api.with({ connection: 'free identifiers' }) };
      // After IN_A_ROW refusals in turn, a limiter of the service may act: the next valid read must still be answered.
      for (let asked = 0; asked < IN_A_ROW; asked += 1) await expectNotFound(kept, `${asked}`);
      await kept.api.listPets({ limit: 1 }).answers(200, 'Pets');
      if (facts.removal !== 'ahead') scope.notApplicable('maybe-removed');
      for (let asked = 0; asked < IN_A_ROW; asked += 1) await expectNotFound(kept, `again ${asked}`);
      await eventually(async () => kept.api.getPet((await given.pet('sold')).pet.id).answers(200, 'Pet'));
    },
  );

  for (const id of EDGE_IDS) {
    test(
      `answers 404 to ${id} if no animal has it`,
      verifies('get-pet.not-found-at-ends'),
      async ({ api, args, given, scope }) => {
        const call = api.getPet(id);
        // If `id` gets no 404, the test asks for an ordinary unknown identifier. If that gets no 404 either, the value is not the cause.
        if ((await call).response?.status !== 404) await expectNotFound(args, `before ${id}`);
        const taken = hasFoundAnimal(await call, id) || (await given.store()).seen.has(String(id));
        if (taken)
          scope.notApplicable({
            kind: 'no-such-situation',
            situation: 'identifier-taken',
            id: String(id),
            // A read has shown the animal.
            isSure: true,
          });
        await call.answers(404, 'Error');
      },
    );
  }

  test(
    'does not take an identifier for another',
    verifies('get-pet.id-exact'),
    async ({ api, args, eventually, given }) => {
      const { pet } = await given.pet('sold');
      await eventually(async () => api.getPet(pet.id).answers(200, 'Pet'));
      // First, an identifier far from the animal must get 404. If it gets another answer, the likeness of the others is not the cause.
      await expectNotFound(args, 'far from it');
      for (const each of listNeighbours(BigInt(pet.id))) await api.getPet(each);
    },
  );
});

/**
 * Demands a 404 for an identifier that no animal should have. If an animal has it, asks for another one, at most twice: a
 * service that shows three such animals invents them.
 * @param seed chooses the identifiers
 */
async function expectNotFound({ api, facts }: Args, seed: string): Promise<void> {
  const tries = [0, 1, 2].map((nth) => makeUnknownId(`${facts.runId} ${seed} ${nth}`));
  for (const [nth, id] of tries.entries()) {
    const call = api.getPet(id);
    if (nth < 2 && hasFoundAnimal(await call, id)) continue;
    await call.answers(404, 'Error');
    return;
  }
}

/** Returns a hash of the seed (FNV-1a), at least 2^40: counters have not reached it, and other seeds give other identifiers. */
function makeUnknownId(seed: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const character of seed)
    hash = ((hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n) % 2n ** 64n;
  return 2n ** 40n + (hash % 2n ** 62n);
}
