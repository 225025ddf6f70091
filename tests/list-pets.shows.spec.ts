/**
 * Tests of listPets: lists show what was added, ordinary and odd.
 * `requireListed` and `requireListedByStatus` look for an animal in a list. If the list may be cut (a page limit, a cap of the service),
 * they end the test as not applicable. `eventually` repeats reads that disagree, because reads may lag; `nth` grows if others
 * deleted or changed the animal.
 */
import { PET_STATUSES } from '../fixtures/interface/bodies.ts';
import { showValue } from '../fixtures/asking/client/expect.ts';
import {
  describeValues,
  findAccepted,
  findAcceptedInteger,
} from '../fixtures/asking/vocabulary/combined-values.ts';
import { requireListedByStatus, requireListed } from '../fixtures/asking/vocabulary/listed.ts';
import { numberAnimal } from '../fixtures/session/animal-numbers.ts';
import { INTEGERS, NAME_GROUPS } from '../fixtures/asking/vocabulary/value-classes.ts';
import { test, verifies } from '../fixtures/test.ts';
import type { Client } from '../fixtures/asking/client/client.ts';
import type { Exchange } from '../fixtures/exchange/exchange.ts';

test.describe('GET /pets (listPets), what was added', () => {
  for (const status of PET_STATUSES) {
    test(
      `lists an animal added as ${status} for status=${status}`,
      verifies('list-pets.shows-added-by-status'),
      async ({ args }) => {
        await args.eventually(async (nth) => {
          const made = await args.given.pet(status, nth);
          const created = await args.api.takeExchange(made.exchange).answers(201, 'Pet');
          if (created.body.status !== undefined)
            args.expect(created, '/status', 'create-pet.status').toBe(status);
          await requireListed(args, made, { status }, 'list-pets.shows-added-by-status');
        });
      },
    );
  }

  test(
    'lists the newest animal',
    verifies.at('newest-animal', 'list-pets.shows-added-by-status'),
    async ({ args }) => {
      await args.eventually(async (nth) => {
        const made = await args.given.pet('sold', numberAnimal('newest', nth));
        await requireListed(args, made, { status: 'sold' }, 'list-pets.shows-added-by-status');
      });
    },
  );

  for (const status of [...PET_STATUSES, null]) {
    test(
      `shows an animal added ${status ? `as ${status}` : 'without a status'} as it was added`,
      verifies('list-pets.agrees-with-create'),
      async ({ args }) => {
        await args.eventually(async (nth) => {
          const made = await args.given.pet(status, nth);
          const { page, pointer } = await requireListedByStatus(args, made);
          args.expect(page, `${pointer}/name`).toBe(made.pet.name);
          args.expect(page, `${pointer}/categoryId`).toBe(made.pet.categoryId);
          // The test only makes this read: the rule `first-reads` judges the status (`isJudgedByHistory`).
          if (made.pet.status === status) args.expect(page, `${pointer}/status`).toBe(status);
        });
      },
    );
  }
});

/** One request for each kind of refusal. */
const REFUSED: Record<string, (api: Client) => PromiseLike<Exchange>> = {
  'a 400': (api) => api.createPet({}),
  'a 401': (api) => api.with({ credential: 'none' }).listPets(),
  'a 404': (api) => api.getPet(2n ** 63n - 10n),
};

test.describe('Reads behind a refusal on their connection', () => {
  test(
    'shows the same behind a 400, a 401 and a 404',
    verifies.at('full-store', 'list-pets.shows-added-by-status'),
    async ({ api, given }) => {
      const { pet } = await given.pet('sold', 0);
      const readBehind = async (refusal: string, refused: (api: Client) => PromiseLike<Exchange>) => {
        const kept = api.with({ connection: `behind ${refusal}` });
        // Nothing is demanded of the animals here: the rule `presences` finds animals that these reads should have shown.
        const reads: readonly (() => PromiseLike<unknown>)[] = [
          // Lists without a filter are left out: this test runs last, when a page does not show the whole store.
          ...PET_STATUSES.map((status) => () => kept.listPets({ limit: 100, status }).answers(200, 'Pets')),
          () => kept.getPet(pet.id),
        ];
        for (const read of reads) {
          const { response } = await refused(kept);
          if (response?.status === 201) break; // the service accepts what it must refuse, so it is not sent again
          await read();
        }
      };
      await Promise.all(Object.entries(REFUSED).map((each) => readBehind(...each)));
    },
  );
});

test.describe('GET /pets, names and categories', () => {
  for (const group of NAME_GROUPS) {
    test(
      `shows names: ${group.title}`,
      verifies.at(
        group.hasBrokenStores === true ? 'has-broken-stores' : 'odd-values',
        group.preserved === 'exact' ? 'list-pets.name-exact' : 'create-pet.unusual-name-exact',
      ),
      async ({ args }) => {
        for (const each of await findAccepted(args, group)) {
          const { sent, created } = each;
          await args.eventually(async () => {
            const { page, pointer } = await requireListedByStatus(args, {
              sent,
              pet: created.body,
              exchange: created.exchange,
            });
            // If createPet itself changed the name, another test blames createPet: both names are right here.
            args
              .expect(page, `${pointer}/name`)
              .toBeOneOf(
                [created.body.name, sent.name],
                `${showValue(created.body.name)}, with ${describeValues(each)}, as createPet answered`,
              );
          });
        }
      },
    );
  }

  for (const each of INTEGERS) {
    test(`shows categoryId ${each.title}`, verifies('list-pets.category-id-exact'), async ({ args }) => {
      const { sent, created } = await findAcceptedInteger(args, each);
      await args.eventually(async () => {
        const { page, pointer } = await requireListedByStatus(args, {
          sent,
          pet: created.body,
          exchange: created.exchange,
        });
        // If createPet itself changed the categoryId, another test blames createPet: both values are right here.
        args
          .expect(page, `${pointer}/categoryId`)
          .toBeOneOf(
            [created.body.categoryId, sent.categoryId],
            `${created.body.categoryId}, as createPet answered`,
          );
      });
    });
  }

  test(
    'shows the category that is accepted here',
    verifies('list-pets.category-id-exact'),
    async ({ args }) => {
      await args.eventually(async (nth) => {
        const made = await args.given.pet('sold', nth);
        const { page, pointer } = await requireListedByStatus(args, made);
        args.expect(page, `${pointer}/categoryId`).toBe(made.pet.categoryId);
      });
    },
  );
});
