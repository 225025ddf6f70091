/**
 * Tests of getPet with ordinary animals, with several reads of one animal, and with animals that lists show. Rules judge the answers.
 * `given.pet(status, nth)` returns the animal number `nth` with this status. It is added once for all tests of the run.
 * `eventually` repeats a read that fails, because reads may lag.
 */
import { isInt64, PET_STATUSES, type Pet } from '../fixtures/interface/bodies.ts';
import { dealHeaders } from '../fixtures/asking/vocabulary/situation-requests.ts';
import { numberAnimal } from '../fixtures/session/animal-numbers.ts';
import { test, verifies } from '../fixtures/test.ts';

/** The most animals of each list that getPet reads. */
const SAMPLED_ANIMALS = 8;
const STATUSES = [...PET_STATUSES, null];

test.describe('GET /pets/{petId} (getPet)', () => {
  for (const status of STATUSES)
    test(
      `shows the animal added ${status === null ? 'without a status' : `as ${status}`}`,
      verifies(
        'get-pet.answers-200',
        'get-pet.agrees-with-create',
        'get-pet.same-id',
        'get-pet.category-id-exact',
      ),
      async ({ api, eventually, given }) => {
        const { pet } = await given.pet(status);
        await eventually(() => api.getPet(pet.id).answers(200, 'Pet'));
      },
    );

  test(
    'shows the animal that was asked for',
    verifies.at('one-by-one', 'get-pet.same-id', 'get-pet.repeatable'),
    async ({ api, facts, given }) => {
      const made: Pet[] = [];
      for (const status of STATUSES) made.push((await given.pet(status)).pet);
      for (const [index, { id }] of [...made, ...made].entries()) {
        const ownConnection = index % 3 === 0 ? { connection: `shown ${index}` } : {};
        await api.with({ ...dealHeaders(index + facts.seed), ...ownConnection }).getPet(id);
      }
    },
  );

  test(
    'answers the same animal again',
    verifies.at('unread-animals', 'get-pet.repeatable'),
    async ({ api, eventually, given }) => {
      const { pet } = await given.pet('sold', numberAnimal('unread', 1));
      // Nobody has read this animal, so no cache has it: only a service that does not ask for the key shows it.
      await api.with({ credential: 'none' }).getPet(pet.id);
      // Some services count equal requests of a connection: these four reads share one. The three after the list do not.
      const kept = api.with({ connection: 'the same again' });
      await eventually(() => kept.getPet(pet.id).answers(200, 'Pet'));
      for (let again = 0; again < 3; again += 1) await kept.getPet(pet.id);
      await api.listPets({ limit: 1 });
      for (let again = 0; again < 3; again += 1) await api.getPet(pet.id);
    },
  );

  test(
    'finds and shows every animal as lists do',
    verifies('get-pet.finds-listed', 'get-pet.agrees-with-list'),
    async ({ api, given }) => {
      for (const status of STATUSES) await given.pet(status);
      for (const filter of [{}, ...PET_STATUSES.map((status) => ({ status }))]) {
        const page = await api.listPets({ limit: 100, ...filter }).answers(200, 'Pets');
        // The answer to an identifier beyond int64 is open.
        const ids = page.body.map(({ id }) => id).filter(isInt64);
        const step = Math.ceil(ids.length / SAMPLED_ANIMALS);
        await Promise.all(ids.filter((_, index) => index % step === 0).map((id) => api.getPet(id)));
      }
    },
  );
});
