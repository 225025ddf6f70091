/**
 * Tests of listPets while the run has no animals, or few: the slots `opening` and `opening-reads` come then.
 * Rules judge the lists. `scope.notApplicable` ends a test.
 */
import { PET_STATUSES, type PetStatus } from '../fixtures/interface/bodies.ts';
import type { Args } from '../fixtures/asking/client/test-arguments.ts';
import { judgeDocumented } from '../fixtures/judgement/documented-answer.ts';
import { test, verifies } from '../fixtures/test.ts';

/** Lists of all animals and of each status, each without a limit and with one: all animals `limit=1`, `available` `limit=2`, and so on. */
const QUERIES: { limit?: number; status?: PetStatus }[] = [
  {},
  ...PET_STATUSES.map((status) => ({ status })),
].flatMap((each, index) => [each, { ...each, limit: [1, 2, 19, 100][index] ?? 1 }]);

test.describe('GET /pets (listPets) while the store is small', () => {
  test(
    'answers 200 with an array if nothing matches',
    verifies.at('opening', 'list-pets.empty'),
    ({ args }) => askEmpty(args),
  );
  test(
    'answers an empty array if only other animals exist',
    verifies.at('opening', 'list-pets.empty'),
    async ({ args }) => {
      await args.given.pet('available');
      await askEmpty(args);
    },
  );
  for (const status of ['available', null] as const)
    test(
      `lists an animal that was added ${status ? 'with' : 'without'} a status`,
      verifies.at('opening', 'list-pets.shows-added', 'list-pets.agrees-with-create', 'list-pets.not-empty'),
      async ({ api, given }) => {
        await given.pet(status);
        await api.listPets({ limit: 100 });
      },
    );
  test(
    'lists a page that is exactly full',
    verifies.at('opening-reads', 'list-pets.limit-accepted', 'list-pets.limit', 'list-pets.limit-and-status'),
    async ({ api, given }) => {
      await given.pet('available');
      for (const filter of [{}, { status: 'available' }] as const) {
        const { body } = await api.listPets({ limit: 100, ...filter }).answers(200, 'Pets');
        // A list that breaks its limit shows more animals than the largest limit.
        await api.listPets({ limit: Math.min(Math.max(1, body.length), 100), ...filter });
      }
    },
  );
});

/**
 * Asks for all lists, and looks at those that no known animal matches: they must be empty. After a wrong answer it adds an animal and asks
 * again. If the list is right then, it was wrong because nothing matched.
 */
async function askEmpty({ api, given, scope }: Args): Promise<void> {
  const answers = await Promise.all(
    QUERIES.map(async (query) => ({ query, exchange: await api.listPets(query) })),
  );
  // By identifier: the status of each animal that the run has seen, undefined if it has none.
  const { seen } = await given.store();
  const isMatched = (status?: PetStatus) =>
    status === undefined ? seen.size > 0 : [...seen.values()].includes(status);
  const empty = answers.filter(({ query }) => !isMatched(query.status));
  if (empty.length === 0) scope.notApplicable('never-empty');
  for (const { query, exchange } of empty) {
    const { response } = exchange;
    const isRight =
      response !== null &&
      judgeDocumented({ ...exchange, response }, [200, 'Pets'], scope.subject).flaws.length === 0;
    if (isRight) continue;
    await given.pet(query.status ?? 'available');
    await api.listPets(query).answers(200, 'Pets');
    // The list is right now, so the first answer was wrong.
    await api.takeExchange(exchange).answers(200, 'Pets');
  }
}
