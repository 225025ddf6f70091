import type { Args } from '../fixtures/client/test-arguments.ts';
import { PET_STATUSES, type Pet, type PetStatus } from '../fixtures/interface/bodies.ts';
import type { Answered } from '../fixtures/client/client.ts';
import type { Expect } from '../fixtures/client/expect.ts';
import { limitsOf, type RequirementId } from '../fixtures/interface/requirements.ts';
import { test, verifies } from '../fixtures/test.ts';

/** What a list without a limit shows at most (Limits). */
const DEFAULT = 20;
/** Animals of a status that every run has added before its last phase. */
const FEW = 10;

test.describe('GET /pets (listPets), filtered by status', () => {
  for (const status of PET_STATUSES) {
    test(`accepts status=${status}`, verifies('list-pets.status-accepted'), async ({ api }) => {
      await api.listPets({ status }).answers(200, 'Pets');
      await api.listPets({ limit: 5, status }).answers(200, 'Pets');
    });

    test(
      `lists only ${status} animals for status=${status}`,
      verifies('list-pets.status', 'list-pets.limit-and-status'),
      async ({ api, expect, given }) => {
        for (const each of PET_STATUSES) await given.pet(each);
        expectOnly(expect, await api.listPets({ status }).answers(200, 'Pets'), status, 'list-pets.status');
        expectOnly(
          expect,
          await api.listPets({ limit: 100, status }).answers(200, 'Pets'),
          status,
          'list-pets.limit-and-status',
        );
      },
    );

    test(
      `lists no animal without a status for status=${status}`,
      verifies('list-pets.status-missing'),
      async ({ api, expect, given, scope }) => {
        const { pet } = await given.pet(null);
        expectOnly(expect, await api.listPets({ status }).answers(200, 'Pets'), status, 'list-pets.status');
        const page = await api.listPets({ limit: 100, status }).answers(200, 'Pets');
        expectOnly(expect, page, status, 'list-pets.limit-and-status');
        for (const [index, each] of page.body.entries())
          if (each.status === undefined) expect(page, `/${index}/status`).toBe(status);
        if (pet.status !== undefined) scope.notApplicable('status-always-shown');
      },
    );

    for (const { limit, needs } of limitsOf('list-pets.limit-and-status')) {
      const query = limit === null ? { status } : { limit, status };
      test(
        `keeps ${limit === null ? 'the default limit' : `limit=${limit}`} under status=${status}`,
        needs < FEW
          ? verifies('list-pets.limit-and-status')
          : verifies.at('lists', 'list-pets.limit-and-status'),
        async ({ api, expect, given }) => {
          await given.atLeast(needs, status);
          if (limit === null)
            expect(await api.listPets().answers(200, 'Pets'), '', 'list-pets.default-limit').toHaveAtMost(
              DEFAULT,
            );
          else await expectEachAlone({ api, expect }, limit, status);
          const page = await api.listPets(query).answers(200, 'Pets');
          expect(page).toHaveAtMost(limit ?? DEFAULT);
          expectOnly(expect, page, status, 'list-pets.limit-and-status');
        },
      );
    }
  }

  test(
    'takes limit and status in either order',
    verifies('list-pets.parameter-order'),
    async ({ api, expect, given }) => {
      await given.atLeast(3, 'sold');
      await expectEachAlone({ api, expect }, 2, 'sold');
      const usual = await api.listPets('limit=2&status=sold').answers(200, 'Pets');
      expectTwoSold(expect, usual, 'list-pets.limit-and-status');
      const turned = await api
        .listPets('status=sold&limit=2')
        .answers(200, 'Pets', 'list-pets.parameter-order');
      expectTwoSold(expect, turned, 'list-pets.parameter-order');
    },
  );

  test(
    'reads percent-encoded parameters like plain ones',
    verifies('list-pets.percent-encoding'),
    async ({ api, expect, given }) => {
      await given.atLeast(3, 'sold');
      await expectEachAlone({ api, expect }, 2, 'sold');
      expectTwoSold(
        expect,
        await api.listPets('limit=2&status=sold').answers(200, 'Pets'),
        'list-pets.limit-and-status',
      );
      for (const query of [
        '%6Cimit=2&status=sold',
        'limit=%32&status=sold',
        'limit=2&%73tatus=sold',
        'limit=2&status=%73old',
      ]) {
        expectTwoSold(
          expect,
          await api.listPets(query).answers(200, 'Pets', 'list-pets.percent-encoding'),
          'list-pets.percent-encoding',
        );
      }
    },
  );
});

/** What fails alone is not a matter of both together. */
async function expectEachAlone(
  { api, expect }: Pick<Args, 'api' | 'expect'>,
  limit: number,
  status: PetStatus,
): Promise<void> {
  expect(await api.listPets({ limit }).answers(200, 'Pets'), '', 'list-pets.limit').toHaveAtMost(limit);
  const page = await api.listPets({ status }).answers(200, 'Pets');
  expectOnly(expect, page, status, 'list-pets.status');
  for (const index of page.body.keys())
    expect(page, `/${index}/status`, 'list-pets.status-missing').toBe(status);
}

/** Of all animals that show a status; those without one are a promise of their own. */
function expectOnly(
  expect: Expect,
  page: Answered<Pet[]>,
  status: PetStatus,
  requirement: RequirementId,
): void {
  for (const [index, pet] of page.body.entries())
    if (pet.status !== undefined) expect(page, `/${index}/status`, requirement).toBe(status);
}

function expectTwoSold(expect: Expect, page: Answered<Pet[]>, requirement: RequirementId): void {
  expect(page, '', requirement).toHaveAtMost(2);
  for (const index of page.body.keys()) expect(page, `/${index}/status`, requirement).toBe('sold');
}
