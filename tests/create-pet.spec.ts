/**
 * Tests of createPet with ordinary animals, with two equal bodies, and with an `id` in the body. Rules judge the answers and later reads.
 * `given.pet(status, nth)` returns the animal number `nth` with this status; `createOnce` returns the answer to a body. Both add an
 * animal once for all tests of the run. `numberAnimal('justAdded')` is the number of one that is read directly after its 201.
 * `scope.notApplicable` ends the test. `facts.removal` is `over` after the removal of getPet, `ahead` while it must be served.
 */
import { askGroup } from '../fixtures/asking/vocabulary/combined-values.ts';
import { createWithFreeId } from '../fixtures/asking/vocabulary/harmful-probes.ts';
import { NAME_GROUPS } from '../fixtures/asking/vocabulary/value-classes.ts';
import type { Args } from '../fixtures/asking/client/test-arguments.ts';
import { isInt64, PET_STATUSES } from '../fixtures/interface/bodies.ts';
import { writeJson } from '../fixtures/exchange/json.ts';
import { ADDED_TOGETHER } from '../fixtures/session/given.ts';
import { numberAnimal } from '../fixtures/session/animal-numbers.ts';
import type { AddedAnimal } from '../fixtures/session/session.ts';
import { test, verifies } from '../fixtures/test.ts';

test.describe('POST /pets (createPet)', () => {
  for (const status of [...PET_STATUSES, null])
    test(
      `adds an animal ${status === null ? 'without a status' : `that is ${status}`}`,
      verifies(
        status === null ? 'create-pet.status-optional' : 'create-pet.status-accepted',
        'create-pet.answers-201',
        'create-pet.name',
        'create-pet.category-id',
        ...(status === null ? [] : (['create-pet.status-present', 'create-pet.status'] as const)),
      ),
      async ({ api, given }) => {
        await given.pet(status).catch(async (error: unknown) => {
          // The name may be the reason for a refusal: the rule `refusedAnimals` needs two more names, and an animal with another status.
          for (const each of [status, status, status === 'sold' ? 'pending' : 'sold'] as const)
            await api.createPet(await given.newPet(each ?? undefined));
          throw error;
        });
      },
    );

  test(
    'keeps animals apart that are added at the same time',
    verifies('create-pet.unique-id-concurrent', 'create-pet.kept'),
    async ({ args, api, given, facts }) => {
      // The session adds the animals of `ADDED_TOGETHER` at the same time, when a test needs the first of them.
      const made = await Promise.all(ADDED_TOGETHER.map(([status, nth]) => given.pet(status, nth)));
      // The animals with odd names are more createPets at the same time.
      const groups = NAME_GROUPS.filter(({ mayBreakStores }) => mayBreakStores !== true);
      await Promise.allSettled(facts.production ? [] : groups.map((group) => askGroup(args, group)));
      await Promise.all(made.map(({ pet }) => api.getPet(pet.id)));
    },
  );

  test(
    'names the added animal in Location, if it sends one',
    verifies('create-pet.location-names-it'),
    async ({ given }) => {
      for (const status of [...PET_STATUSES, null]) await given.pet(status);
    },
  );

  test(
    'makes two animals of two equal bodies',
    verifies('create-pet.equal-pets'),
    async ({ api, given, scope }) => {
      const first = await given.pet('available');
      const call = api.takeExchange(await given.createOnce(writeJson(first.sent)));
      const { id, response } = await call;
      if (response !== null && response.status >= 400 && response.status < 500)
        scope.notApplicable('equal-names-refused', [id]);
      await call.answers(201, 'Pet');
      await api.listPets({ limit: 100, status: 'available' });
    },
  );

  // `add` returns an animal. The test then sends a NewPet with its identifier; `word` makes the name in it.
  for (const [title, word, add] of [
    ['no animal', 'id', ({ given }) => given.pet('pending')],
    ['no animal that was just added', 'new', ({ given }) => given.pet('pending', numberAnimal('justAdded'))],
  ] as readonly [string, string, (args: Args) => Promise<AddedAnimal>][])
    test(
      `changes ${title} if a client sends its identifier`,
      verifies('create-pet.client-id'),
      async ({ args }) => {
        const { api, facts, given } = args;
        const { pet } = await add(args);
        // A service may keep a 404 for later: the next identifiers are asked for before an animal gets one of them.
        const ids = [0n, 1n, 2n, 3n].map((next) => BigInt(pet.id) + next).filter(isInt64);
        if (facts.removal !== 'over') await Promise.all(ids.map((id) => api.getPet(id)));
        const { categoryId } = await given.newPet();
        // One test sends the identifier as a text: a service that ignores an integer may still read digits in a text.
        const id = word === 'new' ? String(pet.id) : pet.id;
        await given.createOnce(writeJson({ name: `${facts.runId}${word}a`, categoryId, status: 'sold', id }));
        if (facts.removal !== 'over') await api.getPet(pet.id);
      },
    );

  test(
    'does not adopt a free identifier that a client sends',
    verifies.at('has-broken-stores', 'create-pet.client-id-adopted'),
    async ({ args, scope }) => {
      const { exchange } = await createWithFreeId(args);
      if (exchange.response?.status !== 201) scope.notApplicable('sent-identifiers-refused', [exchange.id]);
    },
  );

  test(
    'shows a default status everywhere the same',
    verifies('create-pet.default-status'),
    async ({ args }) => {
      const { api, facts, given, scope } = args;
      const made = await given.pet(null);
      if (made.pet.status === undefined) scope.notApplicable('no-default-status', [made.exchange.id]);
      if (facts.removal === 'ahead') await api.getPet(made.pet.id);
      await api.listPets({ limit: 100, status: made.pet.status });
    },
  );
});
