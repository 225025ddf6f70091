import type { Args } from '../fixtures/client/test-arguments.ts';
import type { NewPet, PetStatus } from '../fixtures/interface/bodies.ts';
import { sameJson, writeJson } from '../fixtures/exchange/json.ts';
import type { RequirementId } from '../fixtures/interface/requirements.ts';
import { refusedHere } from '../fixtures/judgement/reason.ts';
import { ROWS, type Row } from '../fixtures/situations/plan.ts';
import { INVALID_BODIES, mannerOf, queryOf } from '../fixtures/situations/requests.ts';
import { test, verifies } from '../fixtures/test.ts';

/** What a charset beside the media type is refused for is no matter of the body. */
const owing = (row: Row, status: number | undefined): RequirementId | undefined =>
  row['content-type'] === 'with charset' && status !== undefined && status >= 400
    ? 'create-pet.plain-http'
    : undefined;

test.describe('POST /pets, however it is asked', () => {
  for (const [level, { title, breaks, texts }] of Object.entries(INVALID_BODIES)) {
    test(`refuses ${title}`, verifies(breaks), async ({ api, facts, given }) => {
      const { name, categoryId } = await given.newPet();
      const rows = ROWS.invalidBodies.filter(({ body }) => body === level);
      for (const [index, row] of rows.entries()) {
        const text = texts[(facts.seed + index) % texts.length]?.(name, String(categoryId)) ?? '';
        const call = api.with(mannerOf(row)).createPet(text);
        const { response } = await call;
        await call.answers(400, 'Error', owing(row, response?.status));
      }
    });
  }

  test('makes two animals of equal bodies at once', verifies('create-pet.equal-pets'), async ({ args }) => {
    const { expect, given, scope } = args;
    await given.spareForGenerated(2);
    const sent = await given.newPet('available');
    const [one, other] = await bothOf(args, [sent, sent], [{ accept: 'absent' }, { accept: 'any' }]);
    if (other.response !== null && other.response.status >= 400 && other.response.status < 500)
      scope.notApplicable(refusedHere('equal-names'), [other.id]);
    const [first, second] = await Promise.all(
      [one, other].map((each) => args.api.received(each).answers(201, 'Pet')),
    );
    expect(second!, '/id').toSatisfy(
      `another identifier than ${first!.body.id}`,
      (id) => !sameJson(id, first!.body.id),
    );
  });

  test(
    'keeps animals apart whose names begin alike',
    verifies('create-pet.adds-one', 'create-pet.unique-id'),
    async ({ args }) => {
      await args.given.spareForGenerated(2);
      const draft = await args.given.newPet('pending');
      const names = ['one', 'two'].map((end) => `${draft.name} ${'alike '.repeat(12)}${end}`);
      const both = names.map((name): NewPet => ({ ...draft, name }));
      const answers = await bothOf(args, both, [
        { accept: 'browser', 'content-type': 'with charset' },
        { 'cache-control': 'absent' },
      ]);
      // a name of this length may be refused; what became of the animals is judged by all that reads show
      for (const each of answers)
        await args.api.received(each).answersOneOf(
          [
            [201, 'Pet'],
            [400, 'Error'],
          ],
          'create-pet.any-name',
        );
    },
  );
});

/** Two animals that are added at once, each in the manner of a row. */
function bothOf({ given }: Args, both: readonly NewPet[], rows: readonly Row[]) {
  return Promise.all(
    both.map((each, index) => given.created(writeJson(each), mannerOf(rows[index] ?? {}))),
  ) as Promise<[Awaited<ReturnType<typeof given.created>>, Awaited<ReturnType<typeof given.created>>]>;
}

test.describe('GET /pets/{petId}, however it is asked', () => {
  for (const animal of ['available', 'pending', 'sold', 'without status'] as const) {
    test(
      `shows an animal that is ${animal}`,
      verifies('get-pet.answers-200', 'get-pet.same-id'),
      async ({ eventually, given, api, expect }) => {
        const status = animal === 'without status' ? null : (animal satisfies PetStatus);
        for (const row of ROWS.animals.filter((each) => each['animal'] === animal))
          await eventually(async (generation) => {
            const { pet } = await given.pet(status, generation);
            const answer = await api.with(mannerOf(row)).getPet(pet.id).answers(200, 'Pet');
            expect(answer, '/id', 'get-pet.same-id').toBe(pet.id);
          });
      },
    );
  }

  test('finds no animal that is not there', verifies('get-pet.not-found'), async ({ api, facts }) => {
    for (const [index, row] of ROWS.animals.filter(({ animal }) => animal === 'none').entries()) {
      const call = api
        .with(mannerOf(row))
        .getPet(2n ** 63n - 1_000n - BigInt(facts.seed % 100) - BigInt(index));
      // it may be an animal
      if ((await call).response?.status !== 200) await call.answers(404, 'Error');
    }
  });
});

test.describe('GET /pets, however it is asked', () => {
  // limits and filters are judged in every list that is answered
  test('answers 200 with an array', verifies('list-pets.answers-200'), async ({ api, facts }) => {
    await Promise.all(
      ROWS.lists.map((row, index) =>
        api
          .with(mannerOf(row))
          .listPets(queryOf(row, facts.seed + index))
          .answers(200, 'Pets'),
      ),
    );
  });
});
