/**
 * Property of listPets: every valid query is served, and its page keeps the limit and the status.
 * Members of a `Property`: `letter` follows the mark of the run in names, `runs` is the number of examples, `simpler` returns
 * smaller queries. In a `Query`, `isStatusFirst` means that the status comes before the limit, `isEncoded` that a letter is escaped.
 */
import {
  writeQuery,
  simplifyQuery,
  validQueries,
  type Query,
} from '../../fixtures/asking/arbitraries/queries.ts';
import { PET_STATUSES, type Pet } from '../../fixtures/interface/bodies.ts';
import { checkProperty, type Example, type Property } from '../../fixtures/asking/properties/property.ts';
import { addPropertyId, type RequirementId } from '../../fixtures/interface/requirements.ts';
import { test, verifies } from '../../fixtures/test.ts';
import { isQueryBroken } from '../../fixtures/asking/vocabulary/broken-query.ts';
import { dealHeaders } from '../../fixtures/asking/vocabulary/situation-requests.ts';
import { OF_EVERY_PET } from '../../fixtures/interface/blame.ts';

const queries: Property<Query> = {
  id: 'list-pets.queries',
  letter: 'q',
  values: () => validQueries,
  runs: 14,
  simpler: simplifyQuery,
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
  // The place `generated` runs late, when the store is largest: a page is too long only if there are enough animals.
  test(
    'keeps limits and filters',
    addPropertyId(queries, verifies.at('generated', ...LIMITS, ...STATUSES, ...PETS)),
    async ({ args }) => {
      // An animal of each status, and 101 animals if MAX_ANIMALS allows it. The test goes on with fewer.
      const { session } = args.scope;
      await Promise.allSettled([
        ...[...PET_STATUSES, null].map((status) => session.given.pet(status, 0)),
        session.given.addUntil(101),
      ]);
      await checkProperty(args, queries, (query, example) => expectKept(example, query));
    },
  );
});

/** Demands that a page fits its query. If it does not, simpler queries are demanded first: the fault may be theirs. */
async function expectKept(example: Example, query: Query): Promise<void> {
  const { api, eventually, expect, facts, turn } = example;
  // Half of the queries go without `Cache-Control`: a cache may answer with an old page, which must fit the query too.
  const nth = turn + facts.seed;
  const client = api.with({ ...dealHeaders(nth), ...(nth % 3 === 0 && { connection: `query ${nth}` }) });
  const call = client.listPets(writeQuery(query));
  const simpler = isQueryBroken(await call, query) ? listSimpler(query) : [];
  for (const each of simpler) await expectKept(example, each);
  const page = await call.answers(200, 'Pets', blameSpelling(query));
  const { limit = 20, status } = query;
  expect(page, '', blameSpelling(query) ?? blameLength(query)).toHaveAtMost(limit);
  const isStrange = (pet: Pet) => status !== undefined && pet.status !== status;
  if (!hasDuplicates(page.body) && !page.body.some(isStrange)) return;
  // While others change animals, a page may be wrong for a moment: an index of the service may lag. So it is asked again.
  await eventually(async () => {
    const again = await api.listPets(writeQuery(query)).answers(200, 'Pets');
    for (const [index, pet] of again.body.entries())
      if (isStrange(pet))
        expect(again, `/${index}/status`, blameSpelling(query) ?? blameStatus(query, pet)).toBe(status);
    expect(again, '', 'list-pets.unique-ids').toHaveEachIdOnce();
  });
}

/** Returns the promise that an unusual spelling of the query breaks. */
function blameSpelling({ isStatusFirst, isEncoded }: Query): RequirementId | undefined {
  if (isStatusFirst) return 'list-pets.parameter-order';
  return isEncoded ? 'list-pets.percent-encoding' : undefined;
}

/** Returns the promise that a page with too many animals breaks. */
function blameLength({ limit, status }: Query): RequirementId {
  if (status !== undefined) return 'list-pets.limit-and-status';
  return limit === undefined ? 'list-pets.default-limit' : 'list-pets.limit';
}

/** Returns the promise that an animal of another status breaks. */
function blameStatus({ limit }: Query, { status }: Pet): RequirementId {
  if (limit !== undefined) return 'list-pets.limit-and-status';
  return status === undefined ? 'list-pets.status-missing' : 'list-pets.status';
}

/** Returns the next simpler queries: the plain spelling; if it is plain, each parameter alone; else no parameter. */
function listSimpler({ limit, status, isStatusFirst, isEncoded }: Query): Query[] {
  if (limit !== undefined && status !== undefined)
    return isStatusFirst || isEncoded ? [{ limit, status }] : [{ limit }, { status }];
  return limit === undefined && status === undefined ? [] : [{}];
}

function hasDuplicates(pets: readonly Pet[]): boolean {
  return new Set(pets.map(({ id }) => String(id))).size < pets.length;
}
