/**
 * Properties of several operations together. A life is a sequence of steps (add, read, list, be refused) that fast-check draws;
 * after each step, reads must show the animals as they were added. `together` sends several requests at the same time.
 * Members of a `Property`: `letter` follows the mark of the run in names, `runs` is the number of examples.
 * `shrinking` is the most requests in the search for a smaller example.
 * `costly`: each example adds animals, so there are never more than `runs`. `inTurn`: one example after the other.
 */
import fc from 'fast-check';
import { PET_STATUSES, type NewPet } from '../../fixtures/interface/bodies.ts';
import type { Exchange } from '../../fixtures/exchange/exchange.ts';
import { makeAbsent } from '../../fixtures/judgement/finding.ts';
import { parseBody } from '../../fixtures/exchange/read-body.ts';
import { isSameJson, type Json } from '../../fixtures/exchange/json.ts';
import { Life, retryWithNewAnimals } from '../../fixtures/asking/properties/model.ts';
import { generateSteps } from '../../fixtures/asking/properties/model-steps.ts';
import {
  ANIMALS,
  checkProperty,
  type Example,
  type Property,
} from '../../fixtures/asking/properties/property.ts';
import { addPropertyId } from '../../fixtures/interface/requirements.ts';
import { chooseFirstLetter, spellCount, spellSpread } from '../../fixtures/judgement/store/run-mark.ts';
import type { AddedAnimal } from '../../fixtures/session/session.ts';
import { test, verifies } from '../../fixtures/test.ts';
import { OF_EVERY_PET } from '../../fixtures/interface/blame.ts';

const CREATE = [
  'create-pet.answers-201',
  'create-pet.status-accepted',
  'create-pet.status-optional',
  'create-pet.equal-pets',
  'create-pet.client-id',
  'create-pet.name',
  'create-pet.category-id',
  'create-pet.status',
  'create-pet.status-present',
  'create-pet.unique-id',
] as const;
const PETS = [
  ...OF_EVERY_PET,
  'representation.pet-object',
  'authentication.valid-key',
  'authentication.every-request',
  'authentication.no-effect',
  'create-pet.refusal-adds-nothing',
] as const;
const GET = [
  'get-pet.answers-200',
  'get-pet.same-id',
  'get-pet.agrees-with-create',
  'get-pet.repeatable',
] as const;
const LIST = [
  'list-pets.not-empty',
  'list-pets.agrees-with-create',
  'list-pets.shows-added',
  'list-pets.shows-added-by-status',
] as const;

type Steps = ReturnType<typeof generateSteps> extends fc.Arbitrary<infer T> ? T : never;
type Together = readonly ('add' | 'list' | 'get')[];

const life: Property<Steps> = {
  id: 'create-pet.life',
  letter: 'l',
  values: generateSteps,
  runs: 3,
  costly: true,
  shrinking: 60,
  inTurn: true,
};
/** Draws at most ten calls to send at once: the first adds an animal, and at most two others add one. Further ones are dropped. */
const interleaving: fc.Arbitrary<Together> = fc
  .array(fc.constantFrom('add', 'list', 'get'), { minLength: 4, maxLength: 9 })
  .map((calls) => [
    'add',
    ...calls.filter(
      (call, at) => call !== 'add' || calls.slice(0, at).filter((each) => each === 'add').length < 2,
    ),
  ]);
const together: Property<Together> = {
  id: 'create-pet.together',
  letter: 'g',
  values: () => interleaving,
  runs: 3,
  costly: true,
  shrinking: 40,
};

/**
 * The most steps of all lives together, for each seed, so that no seed sends too many requests. When they are used up, each
 * further life still takes its first eight steps.
 */
const MOST_STEPS = 48;
const FEWEST_STEPS = 8;

test.describe('A life of the store', () => {
  test(
    'knows what was added, whatever is asked in whatever order',
    addPropertyId(life, verifies.at('one-by-one', ...CREATE, ...GET, ...LIST, ...PETS)),
    async ({ args }) => {
      const { facts, scope } = args;
      if (facts.removal !== 'ahead')
        for (const promise of GET) scope.leaveUndecided(promise, makeAbsent('maybe-removed'));
      await args.given.requireRoomBesideExamples(ANIMALS);
      await args.given.newPet();
      let stepsLeft = MOST_STEPS * (facts.costlySeeds ?? 1);
      await checkProperty(args, life, async (steps, example) => {
        const first = [...steps].slice(0, Math.max(FEWEST_STEPS, stepsLeft));
        const kept = facts.replay === null ? first : steps;
        stepsLeft -= [...kept].length;
        // fast-check writes the token of its replay behind the steps: it is cut off.
        example.note(String(steps).replace(/\s*\/\*replayPath=.*$/s, ''));
        // If other clients may be the reason of a flaw, the life runs again; `nth` counts, so that each has other names.
        await retryWithNewAnimals(example, (nth) =>
          // fast-check runs the steps: the model has what the run knows of its animals, `real` sends the requests.
          fc.asyncModelRun(
            () => ({
              model: { animals: new Map(), refused: new Map() },
              real: new Life(example, nth),
            }),
            kept,
          ),
        );
      });
    },
  );

  test(
    'keeps animals apart that are added among other requests',
    addPropertyId(together, verifies.at('one-by-one', 'create-pet.unique-id-concurrent')),
    async ({ args }) => {
      await args.given.requireRoomBesideExamples(ANIMALS);
      // An ordinary animal that is read and compared too.
      const known = await args.given.pet('sold');
      const { categoryId } = await args.given.newPet();
      await checkProperty(args, together, async (calls, example) => {
        example.note(`together: ${calls.join(', ')}`);
        await retryWithNewAnimals(example, (nth) =>
          expectKeptApart(example, calls, known, (index) => ({
            // The place of a call and the attempt (`nth`) give each animal another name, with another first letter.
            name: `${chooseFirstLetter(index + 9)}${example.mark}${spellCount(nth)}${spellSpread(index)}`,
            categoryId,
            status: PET_STATUSES[index % 3] ?? 'sold',
          })),
        );
      });
    },
  );
});

/** Sends all calls at once. Each added animal must have its own identifier and be read as it was added. */
async function expectKeptApart(
  { api, expect, facts }: Example,
  calls: Together,
  known: AddedAnimal,
  sentAs: (index: number) => NewPet,
): Promise<void> {
  const creations = calls.map(async (call, index) => {
    if (call === 'list') await api.listPets({ limit: 3 }).answers(200, 'Pets');
    if (call === 'get') await api.getPet(known.pet.id);
    return call === 'add'
      ? { sent: sentAs(index), created: await api.createPet(sentAs(index)).answers(201, 'Pet') }
      : null;
  });
  const added = (await Promise.all(creations)).filter((each) => each !== null);
  // If even an ordinary animal is echoed with another name, a wrong echo is not about requests at the same time.
  const isEchoing = isSameJson(known.pet.name, known.sent.name);
  for (const [index, { created, sent }] of added.entries()) {
    if (isEchoing) expect(created, '/name').toBe(sent.name);
    expect(created, '/id').toBeNoneOf(
      added.slice(0, index).map((other) => other.created.body.id),
      'an identifier that no other of these animals has',
    );
  }
  if (facts.removal !== 'ahead') return;
  const reads = await Promise.all(
    [known, ...added.map(({ created }) => ({ pet: created.body }))].map(async ({ pet }) => ({
      pet,
      exchange: await api.getPet(pet.id),
    })),
  );
  // If even the known animal is read with another name, a wrong name is not about requests at the same time.
  const isKnownShown = isSameJson(readMember(reads[0]?.exchange, 'name'), known.pet.name);
  for (const { pet, exchange } of isKnownShown ? reads.slice(1) : []) {
    if (exchange.response?.status === 200)
      expect(await api.takeExchange(exchange).answers(200, 'Pet'), '/name').toBe(pet.name);
  }
}

/** Returns a member of the body of a 200, or undefined. */
function readMember(exchange: Exchange | undefined, member: string): Json | undefined {
  const body = exchange?.response?.status === 200 ? parseBody(exchange.response) : undefined;
  return (body as Record<string, Json> | null | undefined)?.[member];
}
