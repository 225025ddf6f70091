/**
 * Property of listPets: every valid query is served, and its page keeps the limit and the status. Rules judge the pages.
 * Members of a `Property`: `letter` follows the mark of the run in names, `runs` is the number of examples.
 */
import { writeQuery, validQueries, type Query } from '../../fixtures/asking/arbitraries/queries.ts';
import { PET_STATUSES } from '../../fixtures/interface/bodies.ts';
import { checkProperty, type Example, type Property } from '../../fixtures/asking/properties/property.ts';
import { addPropertyId } from '../../fixtures/interface/requirements.ts';
import { test, verifies } from '../../fixtures/test.ts';
import { dealHeaders } from '../../fixtures/asking/vocabulary/situation-requests.ts';
import { OF_EVERY_PET } from '../../fixtures/interface/blame.ts';

const queries: Property<Query> = {
  id: 'list-pets.queries',
  letter: 'q',
  values: () => validQueries,
  runs: 7,
};

const LIMITS = [
  'list-pets.limit',
  'list-pets.limit-accepted',
  'list-pets.default-limit',
  'list-pets.limit-and-status',
  'list-pets.parameter-order',
  'list-pets.percent-encoding',
] as const;
const STATUSES = ['list-pets.status', 'list-pets.status-accepted', 'list-pets.status-missing'] as const;
const PETS = [
  'list-pets.answers-200',
  'list-pets.bare-array',
  'list-pets.unique-ids',
  ...OF_EVERY_PET,
  'authentication.valid-key',
] as const;

test.describe('GET /pets, any valid query', () => {
  // The slot `generated` is late, when the store is largest: a page is too long only if there are enough animals.
  test(
    'keeps limits and filters',
    addPropertyId(queries, verifies.at('generated', ...LIMITS, ...STATUSES, ...PETS)),
    async ({ args }) => {
      // An animal of each status, and 101 animals if MAX_ANIMALS allows it. The test goes on with fewer.
      // `session.given`, not `args.given`: the animals are no evidence of this test. 0: the animal that most tests share.
      const { session } = args.scope;
      await Promise.allSettled([
        ...[...PET_STATUSES, null].map((status) => session.given.pet(status, 0)),
        session.given.addUntil(101),
      ]);
      await checkProperty(args, queries, (query, example) => sendQuery(example, query));
    },
  );
});

async function sendQuery({ api, facts, turn }: Example, query: Query): Promise<void> {
  const nth = turn + facts.seed;
  await api
    .with({ ...dealHeaders(nth), ...(nth % 3 === 0 && { connection: `query ${nth}` }) })
    .listPets(writeQuery(query));
}
