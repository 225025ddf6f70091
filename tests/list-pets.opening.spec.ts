/**
 * Tests of listPets that must run first: an empty list, or a short one, can be read only while the run has no animals, or few.
 * The place `opening` means this phase. A test of `opening-reads` only reads, and adds one animal if there is none.
 */
import type { Args } from '../fixtures/asking/client/test-arguments.ts';
import { PET_STATUSES, type PetStatus } from '../fixtures/interface/bodies.ts';
import { judgeDocumented } from '../fixtures/judgement/documented-answer.ts';
import { requireListed } from '../fixtures/asking/vocabulary/listed.ts';
import { test, verifies } from '../fixtures/test.ts';

/** Lists that may be empty: without a filter and with each status, each one without a limit and with one. */
const QUERIES: { limit?: number; status?: PetStatus }[] = [
  {},
  ...PET_STATUSES.map((status) => ({ status })),
].flatMap((each, index) => [each, { ...each, limit: [1, 2, 19, 100][index] ?? 1 }]);

// The order of these tests matters: each later one needs more animals.
test.describe('GET /pets (listPets) while the store is small', () => {
  test(
    'answers 200 with an array if nothing matches',
    verifies.at('opening', 'list-pets.empty'),
    async ({ args }) => {
      await expectEmptyLists(args);
    },
  );

  test(
    'answers an empty array if only other animals exist',
    verifies.at('opening', 'list-pets.empty'),
    async ({ args }) => {
      await args.given.pet('available');
      await expectEmptyLists(args);
    },
  );

  for (const status of ['available', null] as const) {
    test(
      `lists an animal that was added ${status ? 'with' : 'without'} a status`,
      verifies.at('opening', 'list-pets.shows-added', 'list-pets.agrees-with-create'),
      async ({ args }) => {
        await args.eventually(async (nth) => {
          const made = await args.given.pet(status, nth);
          // The test only makes this read: the rule `presences` decides if the animal is missing.
          const { page, pointer } = await requireListed(args, made, {}, 'list-pets.shows-added');
          for (const member of ['name', 'categoryId'] as const)
            args.expect(page, `${pointer}/${member}`, 'list-pets.agrees-with-create').toBe(made.pet[member]);
          if (status !== null && made.pet.status === status)
            args.expect(page, `${pointer}/status`, 'list-pets.agrees-with-create').toBe(status);
        });
      },
    );
  }

  test(
    'lists a page that is exactly full',
    verifies.at('opening-reads', 'list-pets.limit-accepted', 'list-pets.limit', 'list-pets.limit-and-status'),
    async ({ api, expect, given }) => {
      await given.pet('available');
      await Promise.all(
        ([{}, { status: 'available' }] as const).map(async (filter) => {
          const { body } = await api.listPets({ limit: 100, ...filter }).answers(200, 'Pets');
          // A list that breaks its limit shows more animals than the largest limit.
          const limit = Math.min(Math.max(1, body.length), 100);
          const page = await api
            .listPets({ limit, ...filter })
            .answers(200, 'Pets', 'list-pets.limit-accepted');
          expect(
            page,
            '',
            'status' in filter ? 'list-pets.limit-and-status' : 'list-pets.limit',
          ).toHaveAtMost(limit);
        }),
      );
    },
  );

  test(
    'lists something for limit=100 while animals exist',
    verifies.at('opening', 'list-pets.not-empty'),
    async ({ api, eventually, expect, given }) => {
      await eventually(async (nth) => {
        await given.pet('available', nth);
        const page = await api.listPets({ limit: 100 }).answers(200, 'Pets');
        // The test only makes this read: the rule `not-empty` decides.
        expect(page).toHaveAtLeast(1);
      });
    },
  );
});

/**
 * Demands 200 with an array of each list that no animal known to the run matches. The rule `filters` judges rows, for
 * `list-pets.status`. If the answer is wrong, an animal is added that matches, and the list is asked again: if that answer is wrong
 * too, the cause is not that the list was empty.
 */
async function expectEmptyLists({ api, given, scope }: Args): Promise<void> {
  const answers = await Promise.all(
    QUERIES.map(async (query) => ({ query, exchange: await api.listPets(query) })),
  );
  const { seen } = await given.store();
  const empty = answers.filter(
    ({ query: { status } }) => ![...seen.values()].some((each) => status === undefined || each === status),
  );
  for (const { query, exchange } of empty) {
    const { response } = exchange;
    const isRight =
      response !== null &&
      judgeDocumented({ ...exchange, response }, [[200, 'Pets']], scope.subject).flaws.length === 0;
    if (!isRight) {
      await given.pet(query.status ?? 'available');
      await api.listPets(query).answers(200, 'Pets');
    }
    // The promise is named twice: the first is broken by a wrong status, the second by a wrong body.
    await api.takeExchange(exchange).answers(200, 'Pets', 'list-pets.empty', 'list-pets.empty');
  }
  if (empty.length === 0) scope.notApplicable('never-empty');
}
