/**
 * Tests of listPets with a status, without and with limits, in either order and percent-encoded. Rules judge the pages.
 * `given.addUntil(3, 'sold')` adds animals until the store has 3 that are sold.
 */
import { PET_STATUSES } from '../fixtures/interface/bodies.ts';
import { listLimits } from '../fixtures/interface/requirements.ts';
import { test, verifies } from '../fixtures/test.ts';

/** A limit needs one animal more than it allows, e.g. 21 for limit=20 (`needs`). Tests that need ten or more run when the store is full. */
const EARLY_ANIMALS = 10;
const FILTERED = [
  'list-pets.status',
  'list-pets.status-accepted',
  'list-pets.limit-and-status',
  'list-pets.status-missing',
] as const;

test.describe('GET /pets (listPets), filtered by status', () => {
  for (const status of PET_STATUSES) {
    test(
      `lists only ${status} animals for status=${status}`,
      verifies(...FILTERED),
      async ({ api, given }) => {
        for (const each of [...PET_STATUSES, null]) await given.pet(each);
        for (const query of [{ status }, { limit: 64, status }]) await api.listPets(query);
      },
    );
    for (const { limit, needs } of listLimits('list-pets.limit-and-status'))
      test(
        `keeps ${limit === null ? 'the default limit' : `limit=${limit}`} under status=${status}`,
        needs < EARLY_ANIMALS
          ? verifies('list-pets.limit-and-status')
          : verifies.at('full-store', 'list-pets.limit-and-status'),
        async ({ api, given }) => {
          await given.addUntil(needs, status);
          await api.listPets(limit === null ? { status } : { limit, status });
        },
      );
  }
  for (const [promise, queries] of [
    ['list-pets.parameter-order', ['status=sold&limit=2', 'status=available&limit=20']],
    [
      'list-pets.percent-encoding',
      ['%6Cimit=2&status=sold', 'limit=%32&status=sold', 'limit=2&%73tatus=sold', 'limit=2&status=%73old'],
    ],
  ] as const)
    test(`takes ${queries.join(', ')}`, verifies(promise), async ({ api, given }) => {
      await given.addUntil(3, 'sold');
      for (const query of ['limit=2&status=sold', ...queries]) await api.listPets(query);
    });
});
