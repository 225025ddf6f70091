import type { Args } from '../fixtures/client/test-arguments.ts';
import { writeJson } from '../fixtures/exchange/json.ts';
import { PET_STATUSES, type NewPet } from '../fixtures/interface/bodies.ts';
import type { RequirementId } from '../fixtures/interface/requirements.ts';
import { refusedHere } from '../fixtures/judgement/reason.ts';
import { ROWS, type Row } from '../fixtures/situations/plan.ts';
import { test, verifies } from '../fixtures/test.ts';
import { INVALID_BODIES, mannerOf } from '../fixtures/vocabulary/situation-requests.ts';

/** What a charset beside the media type is refused for is no matter of the body. */
const owing = (row: Row, status: number | undefined): RequirementId | undefined =>
  row['content-type'] === 'with charset' && status !== undefined && status >= 400
    ? 'create-pet.plain-http'
    : undefined;

test.describe('POST /pets, however it is asked', () => {
  for (const [level, { title, breaks, isOpen, texts }] of Object.entries(INVALID_BODIES)) {
    test(`refuses ${title}`, verifies(breaks), async ({ api, facts, given }) => {
      const { name, categoryId } = await given.newPet();
      const rows = ROWS.invalidBodies.filter(({ body }) => body === level);
      // one after the other on one connection: each is behind a refusal
      const kept = api.with({ connection: title });
      for (const [index, row] of rows.entries()) {
        const text = texts[(facts.seed + index) % texts.length]?.(name, String(categoryId)) ?? '';
        const call = kept.with(mannerOf(row)).createPet(text);
        const owner = owing(row, (await call).response?.status);
        await (isOpen ? call.isRefused(owner) : call.answers(400, 'Error', owner));
      }
    });
  }

  test(
    'takes animals behind all kinds of answers on their connection',
    verifies('create-pet.answers-201'),
    async ({ api, given }) => {
      const kept = api.with({ connection: 'creates' });
      const draft = await given.newPet();
      // these are judged by what they ask, whatever was on the connection before
      const behind: readonly (() => PromiseLike<unknown> | null)[] = [
        () => kept.listPets({ status: 'sold' }),
        () => null, // the animal before
        () => kept.createPet('{"name":'),
        () => kept.with({ credential: 'none' }).createPet(draft),
        () => kept.getPet(2n ** 63n - 11n),
      ];
      for (const [index, answer] of behind.entries()) {
        await answer();
        const sent = writeJson(await given.newPet(PET_STATUSES[index]));
        const exchange = await given.created(sent, { connection: 'creates' });
        await api.received(exchange).answers(201, 'Pet');
      }
    },
  );

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
    expect(second!, '/id').toBeNoneOf([first!.body.id], `another identifier than ${first!.body.id}`);
  });

  test(
    'keeps animals apart if their names begin alike',
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
