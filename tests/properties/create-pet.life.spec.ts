/**
 * A life is a generated list of steps, one after the other or at the same time. Rules judge the answers.
 * Example: add 2, get 2, again 2, list. It adds a sold animal, reads it, sends the same NewPet again, and lists all animals.
 * Members of a `Property`: `letter` follows the mark of the run in the names of its animals, `runs` is the number of examples.
 * `costly`: PROPERTY_RUNS cannot make them more. `requireRoomBesideExamples` ends the test if MAX_ANIMALS has no room for the animals.
 */
import fc from 'fast-check';
import { fillTemplate, spoiltBodies } from '../../fixtures/asking/arbitraries/generated-bodies.ts';
import { farIdentifiers } from '../../fixtures/asking/arbitraries/identifiers.ts';
import type { Client } from '../../fixtures/asking/client/client.ts';
import {
  ANIMALS,
  checkProperty,
  type Example,
  type Property,
} from '../../fixtures/asking/properties/property.ts';
import { PET_STATUSES, type NewPet, type Pet } from '../../fixtures/interface/bodies.ts';
import { addPropertyId } from '../../fixtures/interface/requirements.ts';
import { isSuccess } from '../../fixtures/exchange/exchange.ts';
import { parseBody } from '../../fixtures/exchange/read-body.ts';
import { chooseFirstLetter, spellSpread } from '../../fixtures/judgement/store/run-mark.ts';
import { test, verifies } from '../../fixtures/test.ts';

/** `of`: the number of an animal in this life (0 to 3) and of its status. `again` sends its NewPet again, `own id` a NewPet with its id. */
type Step =
  | { step: 'add' | 'again' | 'own id' | 'get' | 'list' | 'list by status' | 'keyless'; of: number }
  | { step: 'unknown'; id: bigint }
  | { step: 'spoilt'; body: Parameters<typeof fillTemplate>[0] };

/** The animals of one life, by their numbers. */
type AnimalsOfLife = Map<number, { sent: NewPet; pet: Pet }>;

const STATUSES = [...PET_STATUSES, undefined];
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ step: fc.constantFrom('get', 'list', 'list by status'), of: fc.nat(3) }),
  },
  { weight: 3, arbitrary: fc.record({ step: fc.constantFrom('add', 'again', 'own id'), of: fc.nat(3) }) },
  fc.record({ step: fc.constant('keyless'), of: fc.nat(3) }),
  fc.record({ step: fc.constant('unknown'), id: farIdentifiers }),
  fc.record({ step: fc.constant('spoilt'), body: spoiltBodies }),
) as fc.Arbitrary<Step>;
const life: Property<Step[]> = {
  id: 'create-pet.life',
  letter: 'l',
  values: () => fc.array(anyStep, { maxLength: 16, size: 'max' }),
  runs: 1,
  costly: true,
};
const together: Property<Step[]> = {
  id: 'create-pet.together',
  letter: 'g',
  values: () =>
    fc.array(
      fc.record({ step: fc.constantFrom('add', 'list', 'get'), of: fc.nat(3) }) as fc.Arbitrary<Step>,
      { minLength: 5, maxLength: 10 },
    ),
  runs: 1,
  costly: true,
};

test.describe('A life of the store', () => {
  for (const [title, property, isTogether] of [
    ['knows what was added, whatever is asked in whatever order', life, false],
    ['keeps animals apart that are added among other requests', together, true],
  ] as const)
    test(
      title,
      addPropertyId(
        property,
        verifies.at(
          'one-by-one', // the slot of tests with many requests: they begin early. `isTogether` sends them at once
          'create-pet.equal-pets',
          'create-pet.client-id',
          'get-pet.agrees-with-create',
          'create-pet.unique-id',
          'create-pet.unique-id-concurrent',
        ),
      ),
      async ({ args }) => {
        await args.given.requireRoomBesideExamples(ANIMALS);
        const { categoryId } = await args.given.newPet();
        await checkProperty(args, property, async (steps, example) => {
          const animals: AnimalsOfLife = new Map();
          const runStep = (step: Step, nth: number) => takeStep(example, animals, step, { nth, categoryId });
          if (isTogether) await Promise.all(steps.map(runStep));
          else for (const [nth, step] of steps.entries()) await runStep(step, nth);
        });
      },
    );
});

/** Requests that add nothing and read no single animal. */
const OTHER_STEPS: Readonly<Record<string, (api: Client, sent: NewPet) => Promise<unknown>>> = {
  keyless: async (api, sent) => {
    // A service must not keep this key for the next request on the connection. createPet gets a new connection: a kept one may be closing.
    await api.with({ connection: 'life' }).listPets({ limit: 1 });
    const keyless = api.with({ credential: 'none' });
    // Half of the numbers (`of`) have one of these statuses: they try createPet, the others listPets.
    return sent.status === undefined || sent.status === 'pending'
      ? keyless.createPet(sent)
      : keyless.with({ connection: 'life' }).listPets({ limit: 1 });
  },
  list: async (api) => api.listPets({ limit: 100 }),
  'list by status': async (api, { status }) => api.listPets({ limit: 100, ...(status && { status }) }),
};

async function takeStep(
  example: Example,
  animals: AnimalsOfLife,
  next: Step,
  { nth, categoryId }: { nth: number; categoryId: NewPet['categoryId'] },
): Promise<void> {
  const { api, mark } = example;
  // The mark of the example stands between letters for the number of the step: each step has another name, with other letters.
  const name = `${chooseFirstLetter(nth)}${mark}${spellSpread(nth)}`;
  if (next.step === 'unknown') return void (await api.getPet(next.id));
  if (next.step === 'spoilt') {
    const body = fillTemplate(next.body, { name, categoryId });
    return void (await api.createPet(body).sendUnlessAcceptedBefore());
  }
  const status = STATUSES[next.of];
  const sent: NewPet = { name, categoryId, ...(status && { status }) };
  const other = OTHER_STEPS[next.step];
  await (other === undefined ? addOrRead(example, animals, next, sent) : other(api, sent));
}

/** Adds the animal of the step if it is not there yet. Else `again` and `own id` send it again. All steps but `add` then read it, while getPet is served. */
async function addOrRead(
  { api, facts }: Example,
  animals: AnimalsOfLife,
  { step: kind, of }: { step: string; of: number },
  draft: NewPet,
): Promise<void> {
  const known = animals.get(of);
  if (known === undefined) {
    const { response } = await api.createPet(draft);
    if (!isSuccess(response)) return;
    animals.set(of, { sent: draft, pet: parseBody(response) as unknown as Pet });
  } else if (kind === 'again') await api.createPet(known.sent);
  else if (kind === 'own id') await api.createPet({ ...draft, id: known.pet.id });
  const read = animals.get(of);
  if (read !== undefined && kind !== 'add' && facts.removal === 'ahead') await api.getPet(read.pet.id);
}
