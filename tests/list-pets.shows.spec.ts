/**
 * Tests that lists show the animals that were added, also after a refusal on their connection. The rule `presences` judges animals that a
 * list lacks. `given.pet(status, nth)` returns the animal number `nth` with this status. It is added once for all tests of the run.
 */
import { PET_STATUSES } from '../fixtures/interface/bodies.ts';
import type { Client } from '../fixtures/asking/client/client.ts';
import type { Exchange } from '../fixtures/exchange/exchange.ts';
import { numberAnimal } from '../fixtures/session/animal-numbers.ts';
import { test, verifies } from '../fixtures/test.ts';

const SHOWN = [
  'list-pets.shows-added-by-status',
  'list-pets.shows-added',
  'list-pets.agrees-with-create',
] as const;

test.describe('GET /pets (listPets), what was added', () => {
  for (const status of [...PET_STATUSES, null])
    test(
      `lists an animal added ${status === null ? 'without a status' : `as ${status}`}`,
      verifies(...SHOWN),
      async ({ api, given }) => {
        await given.pet(status);
        await api.listPets({ limit: 100, ...(status !== null && { status }) });
      },
    );
  test('lists the newest animal', verifies.at('newest-animal', ...SHOWN), async ({ api, given }) => {
    await given.pet('sold', numberAnimal('newest'));
    await api.listPets({ limit: 100, status: 'sold' });
  });
});

/** One request for each kind of refusal. */
const REFUSED: readonly (readonly [title: string, send: (api: Client) => PromiseLike<Exchange>])[] = [
  ['a 400', (api) => api.createPet({})],
  ['a 401', (api) => api.with({ credential: 'none' }).listPets()],
  ['a 404', (api) => api.getPet(2n ** 63n - 10n)],
];

test.describe('Reads behind a refusal on their connection', () => {
  test(
    'shows the same behind a 400, a 401 and a 404',
    verifies.at('full-store', 'list-pets.shows-added-by-status'),
    async ({ api, given }) => {
      const { pet } = await given.pet('sold', 0);
      // Nothing is demanded of the animals here: the rule `presences` finds animals that these reads should have shown.
      const reads: readonly ((kept: Client) => PromiseLike<unknown>)[] = [
        (kept) => kept.getPet(pet.id),
        // No list without a filter: this test runs last, when the store has more animals than a page.
        ...PET_STATUSES.map(
          (status) => (kept: Client) => kept.listPets({ limit: 100, status }).answers(200, 'Pets'),
        ),
      ];
      const readBehind = async ([refusal, sendRefused]: (typeof REFUSED)[number]) => {
        // Sends the refused request and then a read on a new connection. Returns false if the service accepted the first one.
        const readOne = async (nth: number) => {
          const kept = api.with({ connection: `behind ${refusal} ${nth}` });
          const { response } = await sendRefused(kept);
          if (response?.status === 201) return false;
          await reads[nth]?.(kept);
          return true;
        };
        // A body that the service accepted is not sent again.
        if (await readOne(0)) await Promise.all([1, 2, 3].map(readOne));
      };
      await Promise.all(REFUSED.map(readBehind));
    },
  );
});
