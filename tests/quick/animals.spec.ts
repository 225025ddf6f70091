/**
 * Tests of a quick run that add animals. A quick run sends few requests, so each animal puts several promises to the test.
 * The places `opening` and `adds` run first, before any test reads lists.
 * A NAME_GROUP is one animal that carries several classes of odd names, and one odd category.
 */
import type { NewPet } from '../../fixtures/interface/bodies.ts';
import { PET_STATUSES } from '../../fixtures/interface/bodies.ts';
import { writeJson } from '../../fixtures/exchange/json.ts';
import { test, verifies } from '../../fixtures/test.ts';
import {
  describeValues,
  requireHarmless,
  findAccepted,
} from '../../fixtures/asking/vocabulary/combined-values.ts';
import {
  expectVariantAccepted,
  REQUEST_VARIANTS,
} from '../../fixtures/asking/vocabulary/request-variants.ts';
import { NAME_GROUPS } from '../../fixtures/asking/vocabulary/value-classes.ts';
import { OF_EVERY_PET } from '../../fixtures/interface/blame.ts';

/** One animal more than a list without a limit may show (Limits). */
const BEYOND_DEFAULT = 21;

test.describe('Quick: before the first animal', () => {
  test('lists nothing', verifies.at('opening', 'list-pets.empty'), async ({ api, given, scope }) => {
    const { seen } = await given.store();
    if (seen.size > 0) scope.notApplicable('never-empty');
    await Promise.all(
      ['limit=1&status=sold', 'limit=100', 'status=pending'].map((query) =>
        api.listPets(query).answers(200, 'Pets', 'list-pets.empty', 'list-pets.empty'),
      ),
    );
  });
});

test.describe('Quick: animals', () => {
  for (const status of [...PET_STATUSES, null])
    test(
      `adds an animal ${status === null ? 'without a status' : `that is ${status}`}`,
      verifies.at(
        'adds',
        status === null ? 'create-pet.status-optional' : 'create-pet.status-accepted',
        'create-pet.answers-201',
        'create-pet.name',
        'create-pet.category-id',
        ...(status === null ? [] : (['create-pet.status-present', 'create-pet.status'] as const)),
        'representation.pet-object',
        ...OF_EVERY_PET,
      ),
      async ({ api, expect, given }) => {
        const { exchange, sent } = await given.pet(status);
        const created = await api.takeExchange(exchange).answers(201, 'Pet');
        if (status !== null) {
          expect(created, '/status', 'create-pet.status-present').toBeThere(`"${status}", as sent`);
          expect(created, '/status', 'create-pet.status').toBe(status);
        }
        expect(created, '/name', 'create-pet.name').toBe(sent.name);
        expect(created, '/categoryId', 'create-pet.category-id').toBe(sent.categoryId);
      },
    );

  for (const group of NAME_GROUPS.filter(({ hasBrokenStores }) => hasBrokenStores !== true))
    test(
      `adds an animal with ${group.title}`,
      verifies.at(
        'adds',
        'create-pet.any-name',
        'create-pet.any-category-id',
        group.preserved === 'exact' ? 'create-pet.name-exact' : 'create-pet.unusual-name-exact',
        'create-pet.category-id-exact',
      ),
      async ({ args }) => {
        for (const each of await findAccepted(args, group)) {
          const words = `with ${describeValues(each)}, as sent`;
          args
            .expect(each.created, '/categoryId', 'create-pet.category-id-exact')
            .toBe(each.sent.categoryId, `${each.sent.categoryId}, ${words}`);
          if (group.preserved === 'exact')
            args
              .expect(each.created, '/name', 'create-pet.name-exact')
              .toBe(each.sent.name, `${writeJson(each.sent.name)}, ${words}`);
        }
      },
    );

  for (const variant of REQUEST_VARIANTS)
    test(`takes ${variant.title}`, verifies.at('adds', variant.promiseOfStatus), async ({ args }) => {
      await expectVariantAccepted(args, variant);
    });

  test(
    'makes two animals of two equal bodies',
    verifies.at('adds', 'create-pet.equal-pets', 'create-pet.unique-id'),
    async ({ api, expect, given }) => {
      const first = await given.pet('available');
      const call = api.takeExchange(await given.createOnce(writeJson(first.sent)));
      const { response } = await call;
      // The document does not say if a second animal of a name is refused.
      if (response !== null && response.status >= 400 && response.status < 500) return;
      expect(await call.answers(201, 'Pet'), '/id').toBeNoneOf(
        [first.pet.id],
        `another identifier than ${first.pet.id}`,
      );
    },
  );

  test(
    'changes no animal whose identifier another body has',
    verifies.at('adds', 'create-pet.client-id'),
    async ({ api, expect, given }) => {
      const { pet } = await given.pet('pending');
      // Rules compare this read with later ones.
      await api.getPet(pet.id);
      const draft = await given.newPet('sold');
      const call = api.takeExchange(await given.createOnce(writeJson({ ...draft, id: pet.id })));
      const { response } = await call;
      // The document does not say if a body with an `id` is refused.
      if (response !== null && response.status >= 300 && response.status < 500) return;
      expect(await call.sayAny4xxIsRight().answers(201, 'Pet'), '/id').toBeNoneOf(
        [pet.id],
        `another identifier than ${pet.id}, which an animal has already`,
      );
      const kept = await api.getPet(pet.id);
      if (kept.response?.status === 200)
        expect(await api.takeExchange(kept).answers(200, 'Pet'), '/name').toBe(pet.name);
    },
  );

  // Nothing is demanded of the answers here: the rules `uncreated` and `given-identifiers` judge all reads of these animals.
  for (const [title, ends] of [
    ['apart also if their names begin alike', 'one'],
    ['apart even if their names differ in letter case only', 'ONE'],
  ] as const)
    test(
      `keeps animals ${title}`,
      verifies.at('adds', 'create-pet.adds-one', 'create-pet.unique-id-concurrent'),
      async ({ api, facts, given }) => {
        const { categoryId } = await given.newPet();
        const named: NewPet = {
          name: `${facts.runId} ${'alike '.repeat(16)}${ends}`,
          categoryId,
          status: 'available',
        };
        await api.takeExchange(await given.createOnce(writeJson(named))).sayAny4xxIsRight();
      },
    );

  test(
    'takes a name of 300 letters, or refuses it',
    verifies.at('adds', 'create-pet.long-name'),
    async ({ api, facts, given }) => {
      const draft = await given.newPet('sold');
      const call = api.createPet({ ...draft, name: facts.runId.padEnd(300, 'x') });
      const { response } = await call;
      if (response === null || response.status < 400 || response.status >= 500)
        await call.sayAny4xxIsRight().answers(201, 'Pet', 'create-pet.long-name');
    },
  );

  test(
    'takes a name with a null character, or refuses it',
    verifies.at('has-broken-stores', 'create-pet.broken-characters'),
    async ({ args, api, facts, given }) => {
      // Such names have broken stores for ever: on a store with animals of others the test ends here.
      await requireHarmless(args, 'has-broken-stores');
      const kept = api.with({ connection: 'refused bodies 0' });
      const call = kept.createPet({ ...(await given.newPet('sold')), name: `${facts.runId} \u0000` });
      const { response } = await call;
      if (response === null || response.status < 400 || response.status >= 500)
        await call.sayAny4xxIsRight().answers(201, 'Pet', 'create-pet.broken-characters');
    },
  );

  test(
    'adds an animal behind refusals on its connection',
    verifies.at('adds', 'create-pet.answers-201'),
    async ({ api, given }) => {
      const kept = api.with({ connection: 'refused before' });
      await kept.createPet('{"name":');
      await kept.with({ credential: 'none' }).listPets();
      await kept.createPet(await given.newPet('pending')).answers(201, 'Pet');
    },
  );

  // Nothing is demanded here: the rule `losses` finds animals that later reads do not show.
  test(
    'adds animals until a list without a limit is full',
    verifies.at('opening', 'create-pet.kept'),
    async ({ given }) => {
      await given.addUntil(BEYOND_DEFAULT);
    },
  );
});
