/**
 * Tests of listPets: an array, at most `limit` animals, no identifier twice.
 * Tests with the place `full-store` run last, because they need many animals. `given.addUntil` adds the animals that are missing.
 */
import { PET_STATUSES, type PetStatus } from '../fixtures/interface/bodies.ts';
import { listLimits } from '../fixtures/interface/requirements.ts';
import { test, verifies } from '../fixtures/test.ts';

/** The most animals of a list without a limit (Limits). */
const DEFAULT_LIMIT = 20;
/** Limits that clients and stores often use. */
const PAGES = [5, 10, 16, 25, 30, 40, 50, 64, 75];
/** Every run adds this many animals early: a test that needs more runs last. */
const EARLY_ANIMALS = 10;
/** Short and long lists, with a filter and without. */
const QUERIES: { limit?: number; status?: PetStatus }[] = [
  {},
  { limit: 100 },
  ...PET_STATUSES.map((status) => ({ limit: 100, status })),
];

test.describe('GET /pets (listPets)', () => {
  test(
    'answers 200 with an array',
    verifies('list-pets.answers-200', 'list-pets.bare-array'),
    async ({ api }) => {
      await api.listPets().answers(200, 'Pets');
    },
  );

  // The session asks all 100 limits while the store is small (`auditSmall` in fixtures/session/audit/audit.ts). A page can be
  // too long only if the store has more animals, so these limits are asked again later.
  test(
    'takes limits that pages often have, and lists no more animals',
    verifies.at('full-store', 'list-pets.limit', 'list-pets.limit-accepted'),
    async ({ api, expect, given }) => {
      await given.addUntil(Math.max(...PAGES) + 1);
      await Promise.all(
        PAGES.map(async (limit, turn) => {
          const client = api.with({ turn, ...(turn % 2 === 0 && { without: ['cache-control'] }) });
          const page = await client.listPets({ limit }).answers(200, 'Pets', 'list-pets.limit-accepted');
          expect(page).toHaveAtMost(limit);
        }),
      );
    },
  );

  // The catalogue says how many animals a limit needs: one more than the limit.
  for (const { limit, needs } of listLimits('list-pets.limit')) {
    // Long lists are read last: until then one page shows all animals of the run.
    test(
      `lists at most ${limit} animals for limit=${limit}`,
      needs < EARLY_ANIMALS ? verifies('list-pets.limit') : verifies.at('full-store', 'list-pets.limit'),
      async ({ api, expect, given }) => {
        await given.addUntil(needs);
        const page = await api.listPets({ limit: limit ?? DEFAULT_LIMIT }).answers(200, 'Pets');
        expect(page).toHaveAtMost(limit ?? DEFAULT_LIMIT);
      },
    );
  }

  for (const { needs } of listLimits('list-pets.default-limit')) {
    test(
      'lists at most 20 animals by default',
      verifies.at('full-store', 'list-pets.default-limit'),
      async ({ api, expect, given }) => {
        await given.addUntil(needs);
        const page = await api.listPets().answers(200, 'Pets');
        expect(page).toHaveAtMost(DEFAULT_LIMIT);
      },
    );
  }

  for (const status of ['pending', 'sold'] as const) {
    test(
      `lists a page that is exactly full under status=${status}`,
      verifies('list-pets.limit-and-status', 'list-pets.limit-accepted'),
      async ({ api, expect, given, scope }) => {
        await given.pet(status);
        let { body } = await api.listPets({ limit: 100, status }).answers(200, 'Pets');
        // Asks for exactly as many animals as there are. If the number has changed meanwhile, asks again, four times at most.
        for (let tries = 0, before = -1; tries < 4 && body.length !== before; tries += 1) {
          before = body.length;
          if (before === 0 || before > 99) scope.notApplicable('no-list-exactly-full');
          const page = await api
            .listPets({ limit: before, status })
            .answers(200, 'Pets', 'list-pets.limit-accepted');
          expect(page).toHaveAtMost(before);
          ({ body } = await api.listPets({ limit: 100, status }).answers(200, 'Pets'));
        }
      },
    );
  }

  for (const query of QUERIES) {
    const named =
      Object.entries(query)
        .map(([name, value]) => `${name}=${value}`)
        .join(' and ') || 'no parameters';
    test(
      `lists no identifier twice for ${named}`,
      verifies('list-pets.unique-ids'),
      async ({ api, eventually, expect, given }) => {
        await given.addUntil(2, query.status);
        await eventually(async () => {
          expect(await api.listPets(query).answers(200, 'Pets')).toHaveEachIdOnce();
        });
      },
    );
  }
});
