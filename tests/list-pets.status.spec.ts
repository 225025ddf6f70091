/**
 * Tests of listPets with a status: every animal of the list has it, and limit and status hold together.
 * If a list is wrong, each test demands the plainer lists, so that a fault of the limit alone is not blamed on both parameters.
 * Tests with the place `full-store` run last, because they need many animals. `given.addUntil` adds the animals that are missing.
 */
import type { Args } from '../fixtures/asking/client/test-arguments.ts';
import { PET_STATUSES, type Pet, type PetStatus } from '../fixtures/interface/bodies.ts';
import type { DocumentedAnswer } from '../fixtures/asking/client/client-call.ts';
import type { Expect } from '../fixtures/asking/client/expect.ts';
import { listLimits, type RequirementId } from '../fixtures/interface/requirements.ts';
import { test, verifies } from '../fixtures/test.ts';
import { isQueryBroken } from '../fixtures/asking/vocabulary/broken-query.ts';
import { expectKept } from '../fixtures/asking/vocabulary/kept-query.ts';

/** The most animals of a list without a limit (Limits). */
const DEFAULT_LIMIT = 20;
/** Every run adds this many animals of a status early: a test that needs more runs last. */
const EARLY_ANIMALS = 10;

test.describe('GET /pets (listPets), filtered by status', () => {
  for (const status of PET_STATUSES) {
    test(`accepts status=${status}`, verifies('list-pets.status-accepted'), async ({ api }) => {
      for (const query of [{ status }, { limit: 5, status }]) await api.listPets(query).answers(200, 'Pets');
    });

    test(
      `lists only ${status} animals for status=${status}`,
      verifies('list-pets.status', 'list-pets.limit-and-status'),
      async ({ args, given }) => {
        for (const each of PET_STATUSES) await given.pet(each);
        await expectOnlyStatus(args, { status }, 'list-pets.status');
        await expectOnlyStatus(args, { limit: 100, status }, 'list-pets.limit-and-status');
      },
    );

    test(
      `lists no animal without a status for status=${status}`,
      verifies('list-pets.status-missing'),
      async ({ args, given, scope }) => {
        const { pet: added } = await given.pet(null);
        await expectOnlyStatus(args, { status }, 'list-pets.status');
        await expectOnlyStatus(args, { limit: 100, status }, 'list-pets.limit-and-status', (page) => {
          for (const [index, pet] of page.body.entries())
            if (pet.status === undefined) args.expect(page, `/${index}/status`).toBe(status);
        });
        // The service gives each animal a status: none can be listed without one.
        if (added.status !== undefined) scope.notApplicable('status-always-shown');
      },
    );

    // The catalogue says how many animals a limit needs to show anything. `limit` null: the list has no limit.
    for (const { limit, needs } of listLimits('list-pets.limit-and-status')) {
      const query = limit === null ? { status } : { limit, status };
      test(
        `keeps ${limit === null ? 'the default limit' : `limit=${limit}`} under status=${status}`,
        needs < EARLY_ANIMALS
          ? verifies('list-pets.limit-and-status')
          : verifies.at('full-store', 'list-pets.limit-and-status'),
        async ({ args, expect, given }) => {
          await given.addUntil(needs, status);
          await expectOnlyStatus(args, query, 'list-pets.limit-and-status', (page) =>
            expect(page).toHaveAtMost(limit ?? DEFAULT_LIMIT),
          );
        },
      );
    }
  }

  test(
    'takes limit and status in either order',
    verifies('list-pets.parameter-order'),
    async ({ args, given }) => {
      await given.addUntil(3, 'sold');
      await expectKept(args, { limit: 2, status: 'sold', isStatusFirst: true });
    },
  );

  test(
    'reads percent-encoded parameters like plain ones',
    verifies('list-pets.percent-encoding'),
    async ({ args, given }) => {
      await given.addUntil(3, 'sold');
      for (const text of [
        '%6Cimit=2&status=sold',
        'limit=%32&status=sold',
        'limit=2&%73tatus=sold',
        'limit=2&status=%73old',
      ])
        await expectKept(args, { limit: 2, status: 'sold', isEncoded: true }, text);
    },
  );
});

/** A query with a status. */
type Filtered = { limit?: number; status: PetStatus };

/** Demands that the limit holds in a list without a status, and the status in a list without a limit. */
async function expectEachAlone(
  { api, eventually, expect }: Args,
  { limit, status }: Filtered,
): Promise<void> {
  if (limit === undefined) {
    expect(await api.listPets().answers(200, 'Pets'), '', 'list-pets.default-limit').toHaveAtMost(
      DEFAULT_LIMIT,
    );
    return;
  }
  expect(await api.listPets({ limit }).answers(200, 'Pets'), '', 'list-pets.limit').toHaveAtMost(limit);
  await eventually(async () => {
    const page = await api.listPets({ status }).answers(200, 'Pets');
    expectOnly(expect, page, status, 'list-pets.status');
    for (const index of page.body.keys())
      expect(page, `/${index}/status`, 'list-pets.status-missing').toBe(status);
  });
}

/**
 * Demands that a list shows no animal of another status when the window is over: an index may lag behind a change by others.
 * If the list does not fit its query, plainer queries are demanded first: the fault may be theirs.
 * @param besides further demands on the same list
 */
async function expectOnlyStatus(
  args: Args,
  query: Filtered,
  requirement: RequirementId,
  besides: (page: DocumentedAnswer<Pet[]>) => void = () => undefined,
): Promise<void> {
  await args.eventually(async () => {
    const call = args.api.listPets(query);
    if (isQueryBroken(await call, query)) await expectEachAlone(args, query);
    const page = await call.answers(200, 'Pets');
    expectOnly(args.expect, page, query.status, requirement);
    besides(page);
  });
}

/** Demands the status of each animal that shows one. An animal without a status breaks another promise. */
function expectOnly(
  expect: Expect,
  page: DocumentedAnswer<Pet[]>,
  status: PetStatus,
  requirement: RequirementId,
): void {
  for (const [index, pet] of page.body.entries())
    if (pet.status !== undefined) expect(page, `/${index}/status`, requirement).toBe(status);
}
