/**
 * Tests of listPets with every limit, without and with a status. Rules judge the pages. Tests in the slot `full-store` run last: they need
 * many animals. `given.addUntil(5)` adds animals until the store has 5.
 */
import { PET_STATUSES } from '../fixtures/interface/bodies.ts';
import { listLimits } from '../fixtures/interface/requirements.ts';
import { test, verifies } from '../fixtures/test.ts';

const DEFAULT_LIMIT = 20;
/** Sizes of pages that services often have. */
const PAGES = [5, 10, 16, 25, 30, 40, 50, 64, 75];
/** A limit needs one animal more than it allows, e.g. 21 for limit=20 (`needs`). Tests that need ten or more run when the store is full. */
const EARLY_ANIMALS = 10;

test.describe('GET /pets (listPets)', () => {
  test(
    'answers 200 with an array',
    verifies('list-pets.answers-200', 'list-pets.bare-array'),
    async ({ api }) => void (await api.listPets()),
  );
  test(
    'takes limits that pages often have, and lists no more animals',
    verifies.at('full-store', 'list-pets.limit', 'list-pets.limit-accepted', 'list-pets.longer-limit'),
    async ({ api, given }) => {
      await given.addUntil(Math.max(...PAGES) + 1);
      // The session sends each `turn` as another client, e.g. curl. Every second list may come from a cache.
      await Promise.all(
        PAGES.map((limit, turn) =>
          api.with({ turn, ...(turn % 2 === 0 && { without: ['cache-control'] }) }).listPets({ limit }),
        ),
      );
    },
  );
  for (const promise of ['list-pets.limit', 'list-pets.default-limit'] as const)
    for (const { limit, needs } of listLimits(promise))
      test(
        `lists at most ${limit ?? DEFAULT_LIMIT} animals ${limit === null ? 'by default' : `for limit=${limit}`}`,
        needs < EARLY_ANIMALS ? verifies(promise) : verifies.at('full-store', promise),
        async ({ api, given }) => {
          await given.addUntil(needs);
          await api.listPets(limit === null ? {} : { limit });
        },
      );
  for (const status of ['pending', 'sold'] as const)
    test(
      `lists a page that is exactly full under status=${status}`,
      verifies('list-pets.limit-and-status', 'list-pets.limit-accepted'),
      async ({ api, given, scope }) => {
        await given.pet(status);
        const countListed = async () =>
          (await api.listPets({ limit: 100, status }).answers(200, 'Pets')).body.length;
        let count = await countListed();
        for (let tries = 0; tries < 4; tries += 1) {
          const before = count;
          if (before === 0 || before > 99) scope.notApplicable('no-list-exactly-full');
          await api.listPets({ limit: before, status });
          // Other clients may add animals meanwhile: then the page was not exactly full.
          count = await countListed();
          if (count === before) return;
        }
      },
    );
  test('lists no identifier twice', verifies('list-pets.unique-ids'), async ({ api, given }) => {
    for (const query of [{}, { limit: 100 }, ...PET_STATUSES.map((status) => ({ limit: 100, status }))]) {
      await given.addUntil(2, 'status' in query ? query.status : undefined);
      await api.listPets(query);
    }
  });
});
