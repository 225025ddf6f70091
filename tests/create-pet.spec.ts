/**
 * Tests of createPet: a valid NewPet gets 201 with the Pet, and one createPet adds one animal.
 * Most tests judge animals that the run adds for all its tests. `given.pet` adds an animal once; if the service refuses it, the test
 * ends there, with the promise that `findPromiseOfRefusal` (fixtures/session/given.ts) finds. `given.createOnce` sends a body once.
 * `api.takeExchange` judges the answer. `eventually` repeats reads that disagree, because reads may lag.
 * If others delete or change an animal, `nth` grows, and the test takes another one.
 * `facts.removal` says if getPet must be served: `ahead`: it must; `over`: the day of its removal is past.
 */
import type { Args } from '../fixtures/asking/client/test-arguments.ts';
import { PET_STATUSES } from '../fixtures/interface/bodies.ts';
import { expectHeader } from '../fixtures/asking/client/expect.ts';
import { createWithFreeId } from '../fixtures/asking/vocabulary/free-id.ts';
import { listNameGroups, findAcceptedInPart } from '../fixtures/asking/vocabulary/combined-values.ts';
import { writeJson } from '../fixtures/exchange/json.ts';
import { requireListedByStatus, requireListed } from '../fixtures/asking/vocabulary/listed.ts';
import { ADDED_TOGETHER } from '../fixtures/session/given.ts';
import type { Exchange } from '../fixtures/exchange/exchange.ts';
import type { AddedAnimal } from '../fixtures/session/session.ts';
import { numberAnimal } from '../fixtures/session/animal-numbers.ts';
import { test, verifies } from '../fixtures/test.ts';
import { makeRefusedHere } from '../fixtures/judgement/reason.ts';

/** Adds an animal and sends its body again. A service may refuse a second animal of that name: then the test ends. */
async function createTwins({ api, expect, given, scope }: Args, nth = 0) {
  const first = await given.pet('available', nth);
  // If the first animal shows another name, that is the fault, and not the second animal.
  expect(await api.takeExchange(first.exchange).answers(201, 'Pet'), '/name', 'create-pet.name').toBe(
    first.sent.name,
  );
  const call = api.takeExchange(await given.createOnce(writeJson(first.sent)));
  const { response } = await call;
  if (response && response.status >= 400 && response.status < 500)
    scope.notApplicable(makeRefusedHere('equal-names'));
  const second = await call.sayAny4xxIsRight().answers(201, 'Pet');
  scope.noteAnimal(second.body);
  return { first, second };
}

test.describe('POST /pets (createPet)', () => {
  test('answers 201 with the Pet', verifies('create-pet.answers-201'), async ({ api, given }) => {
    const { exchange } = await given.pet();
    await api.takeExchange(exchange).answers(201, 'Pet');
  });

  for (const status of PET_STATUSES) {
    test(`accepts the status ${status}`, verifies('create-pet.status-accepted'), async ({ api, given }) => {
      const { exchange } = await given.pet(status);
      await api.takeExchange(exchange).answers(201, 'Pet');
    });

    test(
      `shows the status ${status} when it was sent`,
      verifies('create-pet.status-present', 'create-pet.status'),
      async ({ api, expect, given }) => {
        const { exchange } = await given.pet(status);
        const created = await api.takeExchange(exchange).answers(201, 'Pet');
        expect(created, '/status', 'create-pet.status-present').toBeThere(`"${status}", as sent`);
        expect(created, '/status', 'create-pet.status').toBe(status);
      },
    );
  }

  test(
    'accepts an animal without a status',
    verifies('create-pet.status-optional'),
    async ({ api, given }) => {
      await given.pet();
      const { exchange } = await given.pet(null);
      await api.takeExchange(exchange).answers(201, 'Pet');
    },
  );

  for (const status of [...PET_STATUSES, null]) {
    test(
      `echoes name and categoryId of an animal added ${status ? `as ${status}` : 'without a status'}`,
      verifies('create-pet.name', 'create-pet.category-id'),
      async ({ api, expect, given }) => {
        const { exchange, sent } = await given.pet(status);
        const created = await api.takeExchange(exchange).answers(201, 'Pet');
        expect(created, '/name', 'create-pet.name').toBe(sent.name);
        expect(created, '/categoryId', 'create-pet.category-id').toBe(sent.categoryId);
      },
    );
  }

  // The rule `losses` judges later reads: it finds animals that are not kept.
  test(
    'keeps animals apart that are added at the same time',
    verifies('create-pet.unique-id-concurrent', 'create-pet.kept'),
    async ({ args, api, expect, given }) => {
      const ordinary = await Promise.all(ADDED_TOGETHER.map(([status, nth]) => given.pet(status, nth)));
      // A group is one NewPet with several odd values, e.g. markup in its name. If it is refused or changed, NewPets with half of them are sent.
      const odd = await Promise.all(listNameGroups(args).map((group) => findAcceptedInPart(args, group)));
      const all = [...ordinary, ...odd.flat()];
      // Only animals whose requests overlapped are compared: an identifier may be given again when its animal is gone.
      const added = await Promise.all(
        all.map(async ({ exchange, sent: { name } }) => ({
          name,
          namesOfOthers: all
            .filter((other) => other.sent.name !== name && isOverlapping(exchange, other.exchange))
            .map(({ sent }) => sent.name),
          created: await api.takeExchange(exchange).answers(201, 'Pet'),
        })),
      );
      for (const [index, { name, namesOfOthers, created }] of added.entries()) {
        expect(created, '/name').toBeNoneOf(
          namesOfOthers,
          `${JSON.stringify(name)}, not the name of another animal that was added at the same time`,
        );
        expect(created, '/id').toBeNoneOf(
          added
            .slice(0, index)
            .filter((earlier) => isOverlapping(created.exchange, earlier.created.exchange))
            .map((earlier) => earlier.created.body.id),
          'an identifier that no other of these animals has',
        );
      }
      const reads = await Promise.all(added.map(({ created }) => api.getPet(created.body.id)));
      for (const [index, { name, namesOfOthers }] of added.entries()) {
        const read = reads[index];
        if (read?.response?.status !== 200) continue; // the last reads of the run decide if it was kept
        expect(await api.takeExchange(read).answers(200, 'Pet'), '/name').toBeNoneOf(
          namesOfOthers,
          `${JSON.stringify(name)}, not the name of another of these animals`,
        );
      }
    },
  );

  test(
    'names the added animal in Location, if it sends one',
    verifies('create-pet.location-names-it'),
    async ({ given, scope }) => {
      for (const status of [...PET_STATUSES, null]) {
        const { response, ...exchange } = (await given.pet(status)).exchange;
        if (response !== null) expectHeader(scope, { ...exchange, response }, 'create-pet.location-names-it');
      }
    },
  );

  test('makes two animals of two equal bodies', verifies('create-pet.equal-pets'), async ({ args }) => {
    const twins = await createTwins(args);
    // A service that starts again between both requests may give the identifier again: then another pair decides.
    const isOneId = twins.first.pet.id === twins.second.body.id;
    const { first, second } = isOneId ? await createTwins(args, 1) : twins;
    args.expect(second, '/id').toBeNoneOf([first.pet.id], `another identifier than ${first.pet.id}`);
    args.expect(second, '/name').toBe(first.sent.name);
  });

  test('lists both animals of two equal bodies', verifies('create-pet.equal-pets'), async ({ args }) => {
    await args.eventually(async (nth) => {
      const { first, second } = await createTwins(args, nth);
      await requireListedByStatus(args, first);
      const { status } = second.body;
      await requireListed(
        args,
        { sent: first.sent, pet: second.body, exchange: second.exchange },
        status === undefined ? {} : { status },
        'create-pet.equal-pets',
      );
    });
  });

  test(
    'changes no animal if a client sends its identifier',
    verifies('create-pet.client-id'),
    async ({ args }) => {
      await expectUnchanged(args, (nth) => args.given.pet('pending', nth), 'id');
    },
  );

  // A service may keep a new animal in another place than older ones.
  test(
    'changes no animal that was just added if a client sends its identifier',
    verifies('create-pet.client-id'),
    async ({ args }) => {
      // The test ends here if MAX_ANIMALS has no room for both animals beside those that other tests need.
      await args.given.requireRoomBesideExamples(2);
      await expectUnchanged(args, (nth) => args.given.pet('pending', numberAnimal('justAdded', nth)), 'new');
    },
  );

  test(
    'does not adopt a free identifier that a client sends',
    verifies.at('has-broken-stores', 'create-pet.client-id-adopted'),
    async ({ args, api, expect, scope }) => {
      const { id, exchange } = await createWithFreeId(args);
      if (exchange.response?.status !== 201)
        scope.notApplicable(makeRefusedHere('identifiers'), [exchange.id]);
      const created = await api.takeExchange(exchange).answers(201, 'Pet');
      // `createWithFreeId` sent an `id` that no animal has.
      expect(created, '/id').toBeNoneOf([id], `an identifier that the service chose, not ${id}`);
    },
  );

  test(
    'shows a default status everywhere the same',
    verifies('create-pet.default-status'),
    async ({ args }) => {
      await args.eventually(async (nth) => {
        const made = await args.given.pet(null, nth);
        if (made.pet.status === undefined) args.scope.notApplicable('no-default-status', [made.exchange.id]);
        // getPet is asked first: a list may be cut, and the answer of getPet cannot.
        if (args.facts.removal === 'ahead')
          args
            .expect(await args.api.getPet(made.pet.id).answers(200, 'Pet'), '/status')
            .toBe(made.pet.status);
        const { page, pointer } = await requireListedByStatus(args, made);
        args.expect(page, `${pointer}/status`).toBe(made.pet.status);
      });
    },
  );
});

/** True if both requests were under way at one moment. */
function isOverlapping(one: Exchange, other: Exchange): boolean {
  return other.begun < one.begun + one.durationMs && one.begun < other.begun + other.durationMs;
}

/**
 * Sends a NewPet with the `id` of an animal of the run. The animal must stay as it was, and a new one must get another `id`.
 * @param addAnimal returns the animal of the run for each attempt
 * @param word a part of the new animal's name: each test has its own
 */
async function expectUnchanged(
  { api, eventually, expect, facts, given }: Args,
  addAnimal: (nth: number) => Promise<AddedAnimal>,
  word: string,
): Promise<void> {
  await eventually(async (nth) => {
    const { pet } = await addAnimal(nth);
    // If others deleted the animal, its identifier is free: getPet must find it first.
    if (facts.removal !== 'over') await api.getPet(pet.id).answers(200, 'Pet');
    const { categoryId } = await given.newPet();
    const name = `${facts.runId}${word}${'abcdef'[nth]}`; // each attempt has a letter of its own
    const call = api.takeExchange(
      await given.createOnce(writeJson({ name, categoryId, status: 'sold', id: pet.id })),
    );
    const { response } = await call;
    if (response?.status === 201) {
      const created = await call.answers(201, 'Pet');
      expect(created, '/id').toBeNoneOf(
        [pet.id],
        `another identifier than ${pet.id}, which an animal has already`,
      );
    } // A service may refuse a body with an `id`: the document does not say how.
    else if (response && response.status >= 300 && response.status < 500) await call.judgeByStandards();
    else await call.sayAny4xxIsRight().answers(201, 'Pet');
    if (facts.removal === 'over') return;
    const kept = await api.getPet(pet.id).answers(200, 'Pet');
    expect(kept, '/name').toBe(pet.name);
    if (pet.status !== 'sold')
      expect(kept, '/status').toBeNoneOf(['sold'], 'not the status of the other NewPet');
  });
}
