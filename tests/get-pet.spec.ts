/**
 * Tests of getPet: it finds an animal and shows the values with which it was added.
 * `eventually` repeats reads that disagree, because reads may lag. `nth` is 0; it grows if others deleted or changed the
 * animal, and the test then takes another one.
 */
import type { Args } from '../fixtures/asking/client/test-arguments.ts';
import { isInt64, PET_STATUSES, type Pet } from '../fixtures/interface/bodies.ts';
import type { ListQuery } from '../fixtures/asking/client/client.ts';
import type { DocumentedAnswer } from '../fixtures/asking/client/client-call.ts';
import { showValue } from '../fixtures/asking/client/expect.ts';
import { isSameJson } from '../fixtures/exchange/json.ts';
import {
  describeValues,
  findAccepted,
  findAcceptedInteger,
} from '../fixtures/asking/vocabulary/combined-values.ts';
import { expectAgreement, isShownAlike } from '../fixtures/asking/vocabulary/listed.ts';
import type { RequirementId } from '../fixtures/interface/requirements.ts';
import { INTEGERS, NAME_GROUPS } from '../fixtures/asking/vocabulary/value-classes.ts';
import { dealHeaders } from '../fixtures/asking/vocabulary/situation-requests.ts';
import { numberAnimal } from '../fixtures/session/animal-numbers.ts';
import type { AddedAnimal } from '../fixtures/session/session.ts';
import { test, verifies } from '../fixtures/test.ts';

/** How many listed animals a test reads one by one. */
const SAMPLED_ANIMALS = 12;
/** Statuses of added animals; null: added without one. */
const STATUSES = [...PET_STATUSES, null];
/** Members that never change. A status may change: the document shows no transitions (States and transitions). */
const LASTING_MEMBERS = ['name', 'categoryId'] as const;

type Sent = Pick<AddedAnimal, 'sent' | 'pet'>;

test.describe('GET /pets/{petId} (getPet)', () => {
  for (const status of STATUSES) {
    const added = status ? `added as ${status}` : 'added without a status';

    test(
      `answers 200 with the animal ${added}`,
      verifies('get-pet.answers-200'),
      async ({ args, eventually, given }) => {
        await eventually(async (nth) => read(args, (await given.pet(status, nth)).pet));
      },
    );

    test(
      `shows an animal ${added} as it was added`,
      verifies('get-pet.agrees-with-create'),
      async ({ args, eventually, given }) => {
        await eventually(async (nth) =>
          expectAsCreated(
            args,
            await given.pet(status, nth),
            status === null ? LASTING_MEMBERS : [...LASTING_MEMBERS, 'status'],
          ),
        );
      },
    );
  }

  test(
    'shows the animal that was asked for',
    verifies.at('one-by-one', 'get-pet.same-id'),
    async ({ api, args, eventually, expect, facts, given }) => {
      const made: DocumentedAnswer<Pet>[] = [];
      for (const status of STATUSES)
        made.push(await eventually(async (nth) => read(args, (await given.pet(status, nth)).pet)));
      // Each animal is read twice more. `dealHeaders` has eight combinations: each of the eight reads gets another one.
      const reads = [...made, ...made];
      for (const [index, { body: pet }] of reads.entries()) {
        // Every third read begins a connection of its own.
        const fresh = index % 3 === 0 ? { connection: `shown ${index}` } : {};
        const answer = await api.with({ ...dealHeaders(index + facts.seed), ...fresh }).getPet(pet.id);
        if (answer.response?.status === 200)
          expect(await api.takeExchange(answer).answers(200, 'Pet'), '/id').toBe(pet.id);
      }
    },
  );

  test(
    'answers the same animal again',
    verifies.at('unread-animals', 'get-pet.repeatable'),
    async ({ api, args, eventually, expect, given }) => {
      const first = new Map<Pet['id'], Pet>();
      // Some services count equal requests of a connection: four reads share one. Three are made on others, after a list.
      // The rule `removals` judges the status.
      for (const client of [api.with({ connection: 'the same again' }), api])
        await eventually(async (nth) => {
          const { pet } = await given.pet('sold', numberAnimal('unread', 1 + nth));
          const again = { ...args, api: client };
          if (!first.has(pet.id)) first.set(pet.id, (await read(again, pet)).body);
          if (client === api) await api.listPets({ limit: 1 });
          for (let times = 0; times < 3; times += 1) {
            const answer = await read(again, pet, 'get-pet.repeatable');
            for (const member of LASTING_MEMBERS)
              expect(answer, `/${member}`).toBe(first.get(pet.id)?.[member]);
          }
        });
    },
  );

  test(
    'finds every animal that lists show',
    verifies('get-pet.finds-listed'),
    async ({ args, eventually, given }) => {
      for (const status of STATUSES)
        await eventually(async (nth) => read(args, (await given.pet(status, nth)).pet));
      // The sample is taken once. A later sample would have animals that getPet need not know yet.
      let sample: readonly { id: Pet['id']; query: ListQuery }[] | undefined;
      await eventually(async () => {
        sample ??= await takeSample(args);
        await Promise.all(sample.map(({ id, query }) => expectFound(args, id, query)));
      });
    },
  );

  test(
    'shows every animal as lists do',
    verifies('get-pet.agrees-with-list'),
    async ({ api, args, eventually, expect, given }) => {
      const made: AddedAnimal[] = [];
      for (const status of PET_STATUSES) {
        await eventually(async (nth) => {
          const each = await given.pet(status, nth);
          await expectAsCreated(args, each, [...LASTING_MEMBERS, 'status']);
          const page = await api.listPets({ limit: 100, status }).answers(200, 'Pets');
          const index = page.body.findIndex(({ id }) => isSameJson(id, each.pet.id));
          for (const member of index < 0 ? [] : LASTING_MEMBERS)
            expect(page, `/${index}/${member}`, 'list-pets.agrees-with-create').toBe(each.pet[member]);
          made.push(each);
        });
      }
      await eventually(async () => {
        const page = await api.listPets({ limit: 100 }).answers(200, 'Pets');
        // Animals of others, and the three ordinary ones. Other animals of the run are odd on purpose: other tests read them.
        const { added } = await given.store();
        const compared = page.body.filter(
          ({ id }) => !added.includes(String(id)) || made.some(({ pet }) => isSameJson(pet.id, id)),
        );
        const shown = await Promise.all(
          takeSpread(compared, SAMPLED_ANIMALS).map(async (pet) => ({
            pet,
            answer: await api.getPet(pet.id),
          })),
        );
        for (const { pet, answer } of shown) {
          if (answer.response?.status !== 200) continue;
          const found = await api.takeExchange(answer).answers(200, 'Pet');
          // The list is read again, and getPet after it: others may have changed the animal in between.
          if (!isShownAlike(found.body, pet)) await expectAgreement(args, found);
        }
      });
    },
  );

  for (const group of NAME_GROUPS) {
    test(
      `shows names: ${group.title}`,
      verifies.at(
        group.hasBrokenStores === true ? 'has-broken-stores' : 'odd-values',
        group.preserved === 'exact' ? 'get-pet.name-exact' : 'create-pet.unusual-name-exact',
      ),
      async ({ args }) => {
        for (const each of await findAccepted(args, group))
          await expectOddShown(args, { ...each, pet: each.created.body }, 'name', describeValues(each));
      },
    );
  }

  test(
    'shows the category that is accepted here',
    verifies('get-pet.category-id-exact'),
    async ({ args, eventually, given }) => {
      await eventually(async (nth) =>
        expectAsCreated(args, await given.pet('sold', nth), ['categoryId'], 'get-pet.category-id-exact'),
      );
    },
  );

  for (const each of INTEGERS) {
    test(`shows categoryId ${each.title}`, verifies('get-pet.category-id-exact'), async ({ args }) => {
      const { sent, created } = await findAcceptedInteger(args, each);
      await expectOddShown(args, { sent, pet: created.body }, 'categoryId', each.title);
    });
  }
});

/** Reads the animal. The answer must be 200 with a Pet that has this identifier. */
async function read(
  { api, scope }: Args,
  { id }: Pet,
  owner?: RequirementId,
): Promise<DocumentedAnswer<Pet>> {
  const answer = await api.getPet(id).answers(200, 'Pet', owner);
  if (!isSameJson(answer.body.id, id)) {
    scope.failOrBlock([
      {
        requirement: 'get-pet.same-id',
        expected: String(id),
        received: String(answer.body.id),
        pointer: '/id',
        evidence: [answer.exchange.id],
      },
    ]);
  }
  return answer;
}

/** Demands that getPet shows each member as it was sent, or as the 201 of createPet showed it. */
async function expectAsCreated(
  args: Args,
  { sent, pet }: Sent,
  members: readonly ('name' | 'categoryId' | 'status')[],
  owner: RequirementId = 'get-pet.agrees-with-create',
): Promise<void> {
  const answer = await read(args, pet);
  for (const member of members)
    args
      .expect(answer, `/${member}`, owner)
      .toBe(isSameJson(answer.body[member], sent[member]) ? sent[member] : pet[member]);
}

/** Demands that getPet shows an odd value. If it does not, an ordinary animal must show its value: else that is the cause. */
async function expectOddShown(
  args: Args,
  odd: Sent,
  member: 'name' | 'categoryId',
  about: string,
): Promise<void> {
  await args.eventually(async (nth) => {
    const answer = await read(args, odd.pet);
    const wanted = isSameJson(answer.body[member], odd.sent[member]) ? odd.sent[member] : odd.pet[member];
    if (!isSameJson(answer.body[member], wanted))
      await expectAsCreated(args, await args.given.pet('sold', nth), [member]);
    args
      .expect(answer, `/${member}`)
      .toBe(wanted, `${showValue(wanted)}, with ${about}, as createPet answered`);
  });
}

/** Returns animals of four lists, one without a filter and one for each status, with the query of the list. */
async function takeSample({ api }: Args): Promise<{ id: Pet['id']; query: ListQuery }[]> {
  const samples = [{}, ...PET_STATUSES.map((status) => ({ status }))].map(async (query) => {
    const page = await api.listPets({ limit: 100, ...query }).answers(200, 'Pets');
    return takeSpread(page.body, SAMPLED_ANIMALS / 4).map(({ id }) => ({ id, query }));
  });
  return (await Promise.all(samples)).flat();
}

/** Others may delete an animal after a list has shown it. A missing animal is read again if lists still show it. */
async function expectFound({ api }: Args, id: Pet['id'], query: ListQuery): Promise<void> {
  const call = api.getPet(id);
  const { response } = await call;
  const mustBeFound =
    response?.status !== 404 ||
    (await api.listPets({ limit: 100, ...query }).answers(200, 'Pets')).body.some((pet) =>
      isSameJson(pet.id, id),
    );
  // Only a 404 says that the animal is missing. Any other answer is judged as it is.
  if (mustBeFound)
    await (response?.status === 404
      ? api.getPet(id).answers(200, 'Pet', 'get-pet.finds-listed')
      : call.answers(200, 'Pet'));
}

/** Returns at most `count` animals, at equal distances. What getPet answers to an identifier beyond int64 is open. */
function takeSpread(pets: readonly Pet[], count: number): Pet[] {
  const asked = pets.filter(({ id }) => isInt64(id));
  const step = Math.max(1, asked.length / count);
  return Array.from(
    { length: Math.min(count, asked.length) },
    (_, index) => asked[Math.floor(index * step)] as Pet,
  );
}
