/**
 * Tests of a quick run that read. Other tests have added all animals before, so no read is beside a write. Beside the demands
 * here, rules compare each read with the animals that were added. `eventually` repeats reads, because reads may lag.
 */
import type { DocumentedAnswer } from '../../fixtures/asking/client/client-call.ts';
import type { Args } from '../../fixtures/asking/client/test-arguments.ts';
import { chooseHeaders, type Accept } from '../../fixtures/situations/credentials/pairwise/factors.ts';
import { isSameJson, writeJson } from '../../fixtures/exchange/json.ts';
import {
  isInt64Text,
  PET_STATUSES,
  type NewPet,
  type Pet,
  type PetStatus,
} from '../../fixtures/interface/bodies.ts';
import type { RequirementId } from '../../fixtures/interface/requirements.ts';
import { OF_EVERY_PET } from '../../fixtures/interface/blame.ts';
import { test, verifies } from '../../fixtures/test.ts';
import type { Query } from '../../fixtures/asking/arbitraries/queries.ts';
import { expectKept } from '../../fixtures/asking/vocabulary/kept-query.ts';
import { isAnimal } from '../../fixtures/asking/vocabulary/found-animal.ts';
import {
  listNameGroups,
  findPet,
  findAcceptedInPart,
} from '../../fixtures/asking/vocabulary/combined-values.ts';

const ACCEPTS: readonly Accept[] = ['usual', 'any', 'absent', 'browser'];
/** Queries of lists. Each list gets another Accept than the one before. */
const QUERIES = [
  '',
  'limit=1',
  'limit=2',
  'limit=5',
  'limit=7',
  'limit=10',
  'limit=16',
  'limit=19',
  'limit=20',
  'limit=21',
  'limit=99',
  'limit=100',
  'status=available',
  'status=pending',
  'status=sold',
  'limit=1&status=available',
  'limit=2&status=sold',
  'limit=3&status=pending',
  'status=sold&limit=2',
  'status=available&limit=20',
  'limit=%31%30',
  'limit=2&%73tatus=sold',
] as const;
/** The most animals of others that are read one by one. */
const OF_OTHERS = 4;
/** Identifiers that probably no animal has: one far from counters, then ends of number types. */
const UNKNOWN_IDS = [2n ** 62n + 3n, 0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 31n, 2n ** 53n + 1n];

/** The promises about the values that a read shows: of an ordinary animal, of an odd name, of an odd category. */
type ShowPromises = Record<'ordinary' | 'name' | 'categoryId', RequirementId>;

const OF_LISTS: ShowPromises = {
  ordinary: 'list-pets.agrees-with-create',
  name: 'list-pets.name-exact',
  categoryId: 'list-pets.category-id-exact',
};
const OF_GET: ShowPromises = {
  ordinary: 'get-pet.agrees-with-create',
  name: 'get-pet.name-exact',
  categoryId: 'get-pet.category-id-exact',
};

/** Promises that lists with limit=100 put to the test. */
const OF_WIDEST = ['list-pets.shows-added', 'list-pets.not-empty', 'list-pets.longer-limit'] as const;

test.describe('Quick: lists', () => {
  for (const [index, query] of QUERIES.entries()) {
    test(
      `keeps what it promises for ${query === '' ? 'no parameters' : query}`,
      verifies(...listPromises(query)),
      async ({ api, args, eventually, expect, scope }) => {
        const added = await findAnimals(args);
        const accept = ACCEPTS[index % ACCEPTS.length] ?? 'usual';
        const client = api.with(chooseHeaders({ accept, caching: index % 3 === 0 ? 'absent' : 'no-cache' }));
        // The first flaw ends the attempt: if a plainer query is broken, this one says nothing more.
        const kept = await scope.attempt(() =>
          expectKept({ api: client, eventually, expect }, readQuery(query), query),
        );
        if ('flaw' in kept) return scope.failOrBlock(kept.flaws);
        // `eventually` judges this page first. `pop` empties the array, so each repetition reads again.
        const first = [kept.result];
        await eventually(async () => {
          const shown = first.pop() ?? (await client.listPets(query).answers(200, 'Pets'));
          for (const [row, pet] of shown.body.entries()) {
            const own = added.find(({ created }) => isSameJson(created.id, pet.id));
            if (own !== undefined)
              expectAsAdded(args, { answer: shown, pointer: `/${row}`, promises: OF_LISTS }, own);
          }
        });
      },
    );
  }
});

test.describe('Quick: animals, read one by one', () => {
  for (const [title, isOdd, promises] of [
    [
      'ordinary animals as they were added',
      false,
      ['get-pet.agrees-with-create', 'get-pet.answers-200', 'deprecation.still-served'],
    ],
    [
      'odd names and categories as they were added',
      true,
      ['get-pet.name-exact', 'get-pet.category-id-exact'],
    ],
  ] as const)
    test(
      `shows ${title}`,
      verifies(
        'get-pet.same-id',
        ...promises,
        'get-pet.finds-listed',
        'get-pet.agrees-with-list',
        'representation.pet-object',
        ...OF_EVERY_PET,
      ),
      async ({ api, args, eventually, expect, facts, scope }) => {
        if (facts.removal !== 'ahead') scope.notApplicable('maybe-removed');
        // An animal that was read right is taken out, so that a repetition reads only the others.
        const left = new Set((await findAnimals(args)).filter((each) => each.isOdd === isOdd));
        if (left.size === 0) scope.notApplicable('nothing-added');
        await eventually(async () => {
          const read = [...left].map(async (each, nth) => {
            const client = api.with(
              chooseHeaders({ accept: ACCEPTS[nth % ACCEPTS.length] ?? 'usual', caching: 'no-cache' }),
            );
            const exchange = await client.getPet(each.created.id);
            const answer = await api.takeExchange(exchange).answers(200, 'Pet', 'get-pet.answers-200');
            expect(answer, '/id', 'get-pet.same-id').toBe(each.created.id);
            expectAsAdded(args, { answer, pointer: '', promises: OF_GET }, each);
            left.delete(each);
          });
          await Promise.all(read);
        });
      },
    );

  test(
    'shows animals of others that lists show',
    verifies(
      'get-pet.finds-listed',
      'get-pet.agrees-with-list',
      'get-pet.answers-200',
      'deprecation.still-served',
      'representation.pet-object',
    ),
    async ({ api, facts, given, scope }) => {
      if (facts.removal !== 'ahead') scope.notApplicable('maybe-removed');
      const { added, seen } = await given.store();
      const others = [...seen.keys()]
        .filter((id) => isInt64Text(id) && !added.includes(id))
        .slice(0, OF_OTHERS);
      if (others.length === 0) scope.notApplicable('no-animals-of-others');
      for (const id of others) {
        const call = api.getPet(id);
        // Others may have deleted it.
        if ((await call).response?.status !== 404) await call.answers(200, 'Pet');
      }
    },
  );

  test(
    'shows the same again',
    verifies('get-pet.repeatable'),
    async ({ api, eventually, expect, given, scope }) => {
      const [id] = (await given.store()).added;
      if (id === undefined) return scope.notApplicable('nothing-added');
      const kept = api.with({ connection: 'the same again' });
      await eventually(async () => {
        const { body: first } = await kept.getPet(id).answers(200, 'Pet');
        for (let again = 0; again < 2; again += 1) {
          const next = await kept.getPet(id).answers(200, 'Pet');
          for (const member of ['name', 'categoryId'] as const)
            expect(next, `/${member}`).toBe(first[member]);
        }
      });
    },
  );

  for (const id of [...UNKNOWN_IDS])
    test(
      `finds no animal ${id}`,
      verifies(id === UNKNOWN_IDS[0] ? 'get-pet.not-found' : 'get-pet.not-found-at-ends'),
      async ({ api, given, scope }) => {
        const call = api.getPet(id);
        const isSure = (await given.store()).seen.has(String(id));
        if (isSure || isAnimal(await call, id))
          scope.notApplicable({
            kind: 'no-such-situation',
            situation: 'identifier-taken',
            id: String(id),
            isSure,
          });
        await call.answers(404, 'Error');
      },
    );

  // Each of these is within int64 too: the answer to any other identifier is open.
  for (const [title, near] of [
    ['the same 32 bits', (id: bigint) => id ^ (2n ** 32n)],
    ['the same double', (id: bigint) => id ^ 1n],
    ['one digit less', (id: bigint) => id / 10n],
    ['another sign', (id: bigint) => BigInt.asIntN(64, -id)],
  ] as const)
    test(
      `does not take an identifier with ${title} for another`,
      verifies('get-pet.id-exact'),
      async ({ api, expect, given, scope }) => {
        const id = (await given.store()).added.at(-1);
        if (id === undefined) return scope.notApplicable('nothing-added');
        const asked = near(BigInt(id));
        const call = api.getPet(asked);
        if ((await call).response?.status === 200) expect(await call.answers(200, 'Pet'), '/id').toBe(asked);
      },
    );
});

/** An animal that was added, as it was sent and as createPet answered. */
interface Added {
  sent: NewPet;
  created: Pet;
  /** True if its name or its category is odd. */
  isOdd: boolean;
}

/** Returns the animals that the tests of the first phase added: ordinary ones, and odd ones whose name must be kept exactly. */
async function findAnimals(args: Args): Promise<Added[]> {
  const exact = listNameGroups(args).filter(({ preserved }) => preserved === 'exact');
  const [ordinary, odd] = await Promise.all([
    Promise.allSettled([...PET_STATUSES, null].map((status) => args.given.pet(status))),
    Promise.allSettled(exact.map((group) => findAcceptedInPart(args, group))),
  ]);
  return [
    ...keepMade(ordinary).map(({ sent, pet }) => ({ sent, created: pet, isOdd: false })),
    ...keepMade(odd)
      .flat()
      .flatMap((each) => {
        const created = findPet(each);
        return created === undefined ? [] : [{ sent: each.sent, created, isOdd: true }];
      }),
  ];
}

/** Leaves out animals that could not be added. The tests of the first phase report the reason. */
function keepMade<T>(all: readonly PromiseSettledResult<T>[]): T[] {
  return all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/** Demands the name and the category that were sent, or that the 201 of createPet showed. */
function expectAsAdded(
  { expect }: Args,
  {
    answer,
    pointer,
    promises,
  }: { answer: DocumentedAnswer<unknown>; pointer: string; promises: ShowPromises },
  { sent, created, isOdd }: Added,
): void {
  const { ordinary, ...odd } = promises;
  for (const member of ['name', 'categoryId'] as const)
    expect(answer, `${pointer}/${member}`, isOdd ? odd[member] : ordinary).toBeOneOf(
      [sent[member], created[member]],
      `${writeJson(created[member])}, as createPet answered`,
    );
  if (!isOdd && sent.status !== undefined && created.status === sent.status)
    expect(answer, `${pointer}/status`, ordinary).toBe(sent.status);
}

/** Reads a query of `QUERIES`. */
function readQuery(text: string): Query {
  const { limit, status } = Object.fromEntries(new URLSearchParams(text));
  return {
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(status !== undefined && { status: status as PetStatus }),
    ...(/^status=.*&/.test(text) && { isStatusFirst: true }),
    ...(text.includes('%') && { isEncoded: true }),
  };
}

/** Returns the promises that a list with this query puts to the test. The first one is the test's own. */
function listPromises(query: string): [RequirementId, ...RequirementId[]] {
  const { limit, status } = Object.fromEntries(new URLSearchParams(query));
  const more = [
    'list-pets.unique-ids',
    'list-pets.answers-200',
    'list-pets.bare-array',
    OF_LISTS.ordinary,
    OF_LISTS.name,
    OF_LISTS.categoryId,
    ...OF_EVERY_PET,
  ] as const;
  const shown = limit === '100' ? OF_WIDEST : [];
  if (query.includes('%')) return ['list-pets.percent-encoding', ...more];
  if (status === undefined)
    return limit === undefined
      ? ['list-pets.default-limit', ...more]
      : ['list-pets.limit', 'list-pets.limit-accepted', ...shown, ...more];
  const filtered = ['list-pets.status-missing', 'list-pets.shows-added-by-status', ...more] as const;
  if (limit === undefined) return ['list-pets.status', 'list-pets.status-accepted', ...filtered];
  return query.startsWith('status=')
    ? ['list-pets.parameter-order', 'list-pets.limit-and-status', ...filtered]
    : ['list-pets.limit-and-status', ...filtered];
}
