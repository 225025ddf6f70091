/**
 * Tests that repeat requests as an ordinary client sends them: no User-Agent, name or header announces the suite. Rules judge the answers.
 * They find a service that behaves only for the suite. Only a certified run sends them: in another run `askAgain` ends the test.
 * Each is sent twice: between requests that name the suite, and after two minutes without such a request (`TIMES`).
 * `scope.notApplicable` and `scope.unneeded` end the test. `facts.removal` is `ahead` while getPet must be served.
 */
import { WRONG_KEYS } from '../fixtures/situations/credentials/wrong-keys.ts';
import { test, verifies } from '../fixtures/test.ts';
import { askOrders } from '../fixtures/asking/vocabulary/credential-request.ts';
import type { RequirementId } from '../fixtures/interface/requirements.ts';
import { randomInt } from 'node:crypto';
import type { Client } from '../fixtures/asking/client/client.ts';
import type { Args } from '../fixtures/asking/client/test-arguments.ts';

/** When the requests are repeated: between requests that name the suite, and after two minutes without such a request. */
const TIMES = ['in between', 'after two minutes'] as const;
type Time = (typeof TIMES)[number];

/** The longest pause between two requests, in milliseconds. */
const LONGEST_PAUSE = { 'in between': 60, 'after two minutes': 6_000 } as const;

/** A function that sends a request, and throws an error after a wrong answer. `api`: a client that does not name the suite. */
type Step = (api: Client) => Promise<unknown>;

/** Why the tests end in a run that is not certified. */
const NOT_ASKED = { kind: 'no-such-situation', situation: 'not-asked-again' } as const;

/**
 * Sends the steps in a random order with random pauses, each on its own connection.
 * @param prepare adds the animals that the steps need and returns the steps
 */
async function askAgain(args: Args, time: Time, prepare: () => Promise<readonly Step[]>): Promise<void> {
  const { facts, scope } = args;
  if (!facts.repeatsAsClient) scope.unneeded(NOT_ASKED);
  if (!facts.servesOrdinaryClients) scope.notApplicable('client-refused');
  const steps = await prepare();
  if (time === 'after two minutes') await scope.session.stopNamingSuite();
  for (const [index, step] of shuffle(steps).entries()) {
    await scope.session.pause(randomInt(LONGEST_PAUSE[time]));
    const connection = `${scope.place.title} ${index}`;
    // A wrong answer ends the step, and rules judge it. The other steps follow.
    await step(args.api.with({ unannounced: true, connection })).catch(() => undefined);
  }
}

function shuffle<T>(all: readonly T[]): T[] {
  return all
    .map((each) => ({ each, place: randomInt(2 ** 30) }))
    .sort((one, other) => one.place - other.place)
    .map(({ each }) => each);
}

/** The promises of one test below. The test runs at both `TIMES`. */
type Ids = [RequirementId, ...RequirementId[]];

const MISSING: Ids = [
  'authentication.list-pets-missing-key',
  'authentication.create-pet-missing-key',
  'authentication.get-pet-missing-key',
  'store-orders.missing-key',
];
const WRONGS: Ids = [
  'authentication.list-pets-wrong-key',
  'authentication.create-pet-wrong-key',
  'authentication.get-pet-wrong-key',
];
const LISTS: Ids = ['list-pets.answers-200', 'list-pets.limit'];
const READS: Ids = ['get-pet.answers-200', 'get-pet.same-id', 'get-pet.not-found'];
const CREATES: Ids = ['create-pet.answers-201', 'create-pet.name', 'create-pet.category-id'];
const REFUSALS: Ids = [
  'create-pet.name-missing',
  'create-pet.category-id-missing',
  'create-pet.status-values',
  'create-pet.body-malformed',
];

/** An identifier that no animal has. */
const UNKNOWN = 4_611_686_018_427_388_101n;

/** Declares a test. The slot `unannounced` is the last one of a run: no request names the suite any more. */
const declareFor = (time: Time, ids: Ids) =>
  time === 'in between' ? verifies(...ids) : verifies.at('unannounced', ...ids);

for (const time of TIMES) {
  test.describe(`If the suite is not announced, ${time}`, () => {
    test('refuses requests without a key', declareFor(time, MISSING), async ({ args }) => {
      await askAgain(args, time, async () => {
        const { pet } = await args.given.pet('sold');
        const { categoryId } = await args.given.newPet();
        const without = { credential: 'none' } as const;
        return [
          (api) => api.with(without).listPets().answers(401, 'Error'),
          (api) => api.with(without).createPet({ name: 'Bella', categoryId }).answers(401, 'Error'),
          (api) => api.with(without).getPet(pet.id).answers(401, 'Error'),
          (api) => askOrders({ api }, api.with(without).storeOrders()),
        ];
      });
    });

    test('lists animals', declareFor(time, LISTS), async ({ args }) => {
      await askAgain(args, time, async () => {
        await args.given.pet('sold');
        return [(api) => api.listPets().answers(200, 'Pets'), async (api) => api.listPets({ limit: 3 })];
      });
    });

    test('shows an animal, and no other', declareFor(time, READS), async ({ args }) => {
      await askAgain(args, time, async () => {
        const { facts, given, scope } = args;
        if (facts.removal !== 'ahead') scope.notApplicable('removed');
        const { pet } = await given.pet('sold');
        return [
          async (api) => {
            const answer = await api.getPet(pet.id);
            // A lag may be the cause, or another client has deleted it. The rules decide it from all reads.
            if (answer.response?.status === 404) return;
            await api.takeExchange(answer).answers(200, 'Pet');
          },
          (api) => api.getPet(UNKNOWN).answers(404, 'Error'),
        ];
      });
    });

    test('adds an animal', declareFor(time, CREATES), async ({ args }) => {
      await askAgain(args, time, async () => {
        const { facts, given, scope } = args;
        const { categoryId } = await given.newPet();
        if (facts.markedNamesOnly) scope.notApplicable({ kind: 'mode', mode: 'marked-names-only' });
        return [
          async (api) => {
            // The mark of the run would announce the suite. So the name has only three letters of the mark, in reverse order.
            const own = [...facts.runId].reverse().slice(0, 3).join('');
            const sent = { name: `Bella${own}${time === 'in between' ? 'a' : 'b'}`, categoryId };
            await api.createPet(sent).answers(201, 'Pet');
          },
        ];
      });
    });

    test('refuses bad bodies', declareFor(time, REFUSALS), async ({ args }) => {
      await askAgain(args, time, async () => {
        const { categoryId } = await args.given.newPet();
        return [
          (api) => api.createPet({ categoryId }).answers(400, 'Error'),
          (api) => api.createPet({ name: 'Bella' }).answers(400, 'Error'),
          (api) => api.createPet({ name: 'Bella', categoryId, status: 'gone' }).answers(400, 'Error'),
          (api) => api.createPet('{"name":"Bella",').answers(400, 'Error'),
        ];
      });
    });
  });
}

// A run may send few wrong keys, so these are sent only once: when nothing has named the suite for two minutes (TIMES[1]).
test.describe(`If the suite is not announced, ${TIMES[1]}`, () => {
  test('refuses another key', declareFor(TIMES[1], WRONGS), async ({ args }) => {
    await askAgain(args, TIMES[1], async () => {
      const { pet } = await args.given.pet('sold');
      const { categoryId } = await args.given.newPet();
      const wrong = { credential: WRONG_KEYS.other.credential };
      return [
        (api) => api.with(wrong).listPets().answers(401, 'Error'),
        (api) => api.with(wrong).createPet({ name: 'Bella', categoryId }).answers(401, 'Error'),
        (api) => api.with(wrong).getPet(pet.id).answers(401, 'Error'),
      ];
    });
  });
});
