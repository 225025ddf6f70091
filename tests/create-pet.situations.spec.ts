/**
 * Tests of createPet in situations: each body with several headers, connections and requests before it.
 * A row of the plan (`listPlanRows`) is one request: a level of each factor, e.g. `content-type: with charset`. The seed of the
 * run chooses the rows, so that every two levels meet. Rules judge the answers.
 * `requireRoomBesideExamples` ends the test if MAX_ANIMALS has no room for its animals. `scope.notApplicable` ends it too.
 */
import type { Client } from '../fixtures/asking/client/client.ts';
import type { Args } from '../fixtures/asking/client/test-arguments.ts';
import type { Exchange } from '../fixtures/exchange/exchange.ts';
import { writeJson } from '../fixtures/exchange/json.ts';
import { PET_STATUSES, type NewPet, type Pet } from '../fixtures/interface/bodies.ts';
import { PRODUCTION } from '../fixtures/judgement/reason.ts';
import { IN_A_ROW, listPlanRows, type PlanRow } from '../fixtures/situations/plan.ts';
import { test, verifies } from '../fixtures/test.ts';
import {
  INVALID_BODIES,
  chooseHeaderOptions,
  connectClient,
} from '../fixtures/asking/vocabulary/situation-requests.ts';

/** The promises that a service breaks if it takes two animals for one. */
const APART = [
  'create-pet.adds-one',
  'create-pet.unique-id',
  'create-pet.unique-id-concurrent',
  'create-pet.kept',
] as const;

test.describe('POST /pets, however it is asked', () => {
  // `level`: the name of a class of bodies in the plan. `texts`: functions that write its examples.
  for (const [classIndex, [level, { title, breaks, texts }]] of Object.entries(INVALID_BODIES).entries()) {
    test(`refuses ${title}`, verifies.at('one-by-one', breaks), async ({ api, facts, given }) => {
      const { name, categoryId } = await given.newPet();
      const rows = listPlanRows(facts.seed).invalidBodies.filter(({ body }) => body === level);
      // Some services count equal requests: in each run, the seed chooses one class that sends the same body again and again.
      const isRepeated = classIndex === Math.abs(facts.seed) % Object.keys(INVALID_BODIES).length;
      // The other classes share a connection, so that each body follows a refusal.
      const kept = api.with({ connection: isRepeated ? 'one invalid body' : 'invalid bodies' });
      for (const [index, row] of rows.entries()) {
        // A class that repeats its body has the same example in each row. Else each row has the next example.
        const nth = Math.abs(facts.seed) + (isRepeated ? 0 : index);
        const text = texts[nth % texts.length]?.(name, String(categoryId)) ?? '';
        const isKept = row['connection'] === 'kept' || isRepeated;
        const client = isKept ? kept : connectClient(api, row, `${level} ${index}`);
        const call = client.with(chooseHeaderOptions(row)).createPet(text);
        // Sent again without the headers of the row: the second answer shows if the headers were the reason.
        if ((await call).response?.status !== 400) await api.createPet(text);
      }
    });
  }

  test(
    'takes animals behind all kinds of answers on their connection',
    verifies.at('one-by-one', 'create-pet.answers-201'),
    async ({ api, given }) => {
      await given.requireRoomBesideExamples(5);
      // All requests of this test share one connection.
      const kept = api.with({ connection: 'creates' });
      const draft = await given.newPet();
      const rounds: readonly Round[] = [
        // A refused request with the same name. It must not have reserved the name.
        { before: (next) => kept.createPet({ ...next, status: 'unheard-of' }) },
        // A body that ends early. Then an animal with a line break after its JSON (`end`).
        { before: () => kept.createPet('{"name":'), end: '\n', after: ({ id }) => expectFound(kept, id) },
        {
          before: () => kept.with({ credential: 'none' }).createPet(draft),
          after: ({ status }) => kept.listPets({ limit: 1, ...(status && { status }) }).answers(200, 'Pets'),
        },
        // Some 404s in a row, after which a service may limit the client. Then a body without a name: a service must not take the name
        // from the animal before.
        {
          before: async () => {
            for (let nth = 0; nth < IN_A_ROW; nth += 1) await kept.getPet(2n ** 63n - 11n - BigInt(nth));
          },
          after: () => kept.createPet({ categoryId: draft.categoryId }).answers(400, 'Error'),
        },
        // As the first round, after all others. Then a body without a category.
        {
          before: (next) => kept.createPet({ ...next, status: 'unheard-of' }),
          after: () => kept.createPet({ name: draft.name }).answers(400, 'Error'),
        },
      ];
      for (const [index, { before, end = '', after }] of rounds.entries()) {
        const newPet = await given.newPet(PET_STATUSES[index]);
        const add = (turn: number) =>
          given.createOnce(writeJson(newPet) + end, { connection: 'creates', turn });
        await before(newPet);
        const first = await add(0);
        // A service may refuse every key for a moment: the rule `keys` judges that.
        const exchange = first.response?.status === 401 ? await add(1) : first;
        await after?.((await api.takeExchange(exchange).answers(201, 'Pet')).body);
      }
    },
  );

  test(
    'makes two animals of equal bodies at once',
    verifies.at('one-by-one', 'create-pet.equal-pets'),
    async ({ args }) => {
      const { given, scope } = args;
      await given.requireRoomBesideExamples(2);
      // create-pet.spec.ts adds this animal twice: these requests are the third and the fourth with its body.
      const { sent } = await given.pet('available', 0);
      // `atOnce`: the two requests with this label are sent in the same moment.
      const both = await Promise.all(
        [{ accept: 'absent' }, { accept: 'any' }].map((row) =>
          given.createOnce(writeJson(sent), { ...chooseHeaderOptions(row), atOnce: ['equal bodies', 2] }),
        ),
      );
      const refused = both.find(isRefusal);
      if (refused !== undefined) scope.notApplicable('equal-names-refused', [refused.id]);
      if (!isOverlapping(both[0]!, both[1]!))
        scope.leftOut({ kind: 'no-such-situation', situation: 'not-at-once' });
    },
  );

  // The tests bring the situations about. The rules `uncreated` and `identifiers` judge if each createPet added one animal.
  test(
    'keeps animals apart if their names are alike, begin alike, or differ in letter case only',
    verifies.at('one-by-one', ...APART),
    async ({ args }) => {
      await args.given.requireRoomBesideExamples(6);
      const draft = await args.given.newPet('pending');
      // `å` is beyond ASCII: a service may decode it in another way if a charset is sent. On production all names are ASCII.
      const alike = args.facts.production ? 'alike ' : 'ålike ';
      const nameAlike = (end: string, middle = alike): NewPet => ({
        ...draft,
        name: `${draft.name} ${alike.repeat(8)}${middle}${alike.repeat(7)}on${end}`,
      });
      const answers = [
        ...(await createAll(
          args,
          [nameAlike('e'), nameAlike('f')],
          [{ accept: 'browser', 'content-type': 'with charset' }, { 'cache-control': 'absent' }],
        )),
        // The next four are sent when the first two are stored: two names that differ in letter case only, and two equal ones. If one new
        // animal gets the identifier of a stored one, others may have deleted the stored one. So there are two of each kind: two such animals
        // are no accident.
        ...(await createAll(
          args,
          [
            nameAlike('f', alike.toUpperCase()),
            nameAlike('E'),
            { ...nameAlike('f'), status: 'sold' },
            // A guard against double submits may compare name and status only.
            { ...nameAlike('e'), categoryId: 4_321 },
          ],
          [{ accept: 'any' }],
        )),
      ];
      await takeUnlessRefused(args, answers);
    },
  );

  test(
    'keeps animals apart if their names differ in an accent or an emoji only',
    verifies.at('one-by-one', ...APART),
    async ({ args }) => {
      if (args.facts.production) args.scope.leftOut(PRODUCTION);
      await args.given.requireRoomBesideExamples(6);
      const draft = await args.given.newPet('pending');
      // Names with 50 characters, a usual length of columns: they differ in an accent. One of them has 51 bytes in UTF-8.
      // Names with 255 characters differ in an emoji. A database with a lax collation takes such names for one name.
      // The third differs from the first in a hyphen for a blank.
      const accented = [' e', ' é', '-e'].map((end) => `${draft.name}${end}`.padEnd(50, 'n'));
      const emoji = ['\u{1f408}', '\u{1f415}', '\u{1f40e}'].map((each) =>
        `${draft.name} ${each}`.padEnd(255, 'n'),
      );
      // A client makes several requests in one trace: a service must not take them for one request.
      const trace = Buffer.from(args.facts.runId).toString('hex').padEnd(32, '0');
      const inOneTrace = args.api.with({ headers: [['traceparent', `00-${trace}-00f067aa0ba902b7-01`]] });
      for (const name of [...accented, ...emoji]) {
        // Other tests send long names with the other statuses.
        const status = accented.includes(name) ? 'available' : draft.status;
        await takeUnlessRefused(args, [await inOneTrace.createPet({ ...draft, name, status })]);
      }
      // Nor must it remember that a request of the trace had the key.
      await inOneTrace.with({ credential: 'none' }).listPets();
    },
  );
});

/** Adds an animal between two other requests. */
interface Round {
  before: (next: NewPet) => PromiseLike<unknown>;
  /** A text after the JSON of the animal. It belongs to the body, and not to the next request. */
  end?: string;
  after?: (added: Pet) => Promise<unknown>;
}

/** Demands a 200. A 404 is not judged here: reads may lag. */
async function expectFound(api: Client, id: Pet['id']): Promise<void> {
  const call = api.getPet(id);
  if ((await call).response?.status !== 404) await call.answers(200, 'Pet');
}

function isOverlapping(one: Exchange, other: Exchange): boolean {
  return one.begun < other.begun + other.durationMs && other.begun < one.begun + one.durationMs;
}

/** Demands 201, or a refusal: the document does not say which names are equal. Rules judge all later reads. */
async function takeUnlessRefused({ api }: Args, answers: readonly Exchange[]): Promise<void> {
  for (const each of answers) if (!isRefusal(each)) await api.takeExchange(each).answers(201, 'Pet');
}

function isRefusal({ response }: Exchange): boolean {
  return response !== null && response.status >= 400 && response.status < 500;
}

/** Adds animals at the same time. The row of each, if it has one, chooses its headers. */
function createAll({ api }: Args, all: readonly NewPet[], rows: readonly PlanRow[]): Promise<Exchange[]> {
  return Promise.all(
    all.map((each, index) => api.with(chooseHeaderOptions(rows[index] ?? {})).createPet(each)),
  );
}
