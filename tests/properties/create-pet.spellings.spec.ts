/**
 * Properties of createPet: the same JSON in another spelling adds the same animal, and no odd text breaks the service down.
 * Members of a `Property`: `letter` follows the mark of the run in the names of its animals, `runs` is the number of examples,
 * `shrinking` the most requests in the search for a smaller example. `costly`: never more examples than `runs`.
 * `requireRoomBesideExamples` ends the test if MAX_ANIMALS has no room for the animals of all properties.
 */
import { openBodies, type OpenBody } from '../../fixtures/asking/arbitraries/open.ts';
import { spellings, spellAnimal, type Spelling } from '../../fixtures/asking/arbitraries/spellings.ts';
import type { NewPet, Pet, PetStatus } from '../../fixtures/interface/bodies.ts';
import type { Exchange } from '../../fixtures/exchange/exchange.ts';
import { expectEcho } from '../../fixtures/asking/vocabulary/echoed.ts';
import { parseBody } from '../../fixtures/exchange/read-body.ts';
import { isSameJson } from '../../fixtures/exchange/json.ts';
import { ANIMALS, checkProperty, type Property } from '../../fixtures/asking/properties/property.ts';
import { addPropertyId, type RequirementId } from '../../fixtures/interface/requirements.ts';
import { spellCount } from '../../fixtures/judgement/store/run-mark.ts';
import { test, verifies } from '../../fixtures/test.ts';
import { PRODUCTION } from '../../fixtures/judgement/reason.ts';

/** The promise about each way to spell JSON differently. */
const OWNERS: Record<keyof Spelling, RequirementId> = {
  order: 'representation.member-order',
  spaces: 'representation.white-space',
  escapes: 'representation.escapes',
};

const spelled: Property<{ spelling: Spelling; status: PetStatus }> = {
  id: 'create-pet.spellings',
  letter: 'j',
  values: () => spellings,
  runs: 7,
  costly: true,
  shrinking: 10,
};
const open: Property<OpenBody> = {
  id: 'create-pet.open',
  letter: 'x',
  values: () => openBodies,
  runs: 8,
  costly: true,
  shrinking: 10,
};

test.describe('POST /pets, any text', () => {
  test(
    'takes equal JSON for equal',
    addPropertyId(
      spelled,
      verifies(
        'representation.member-order',
        'representation.white-space',
        'representation.escapes',
        'create-pet.name',
        'create-pet.category-id',
        'create-pet.status',
      ),
    ),
    async ({ args }) => {
      await args.given.requireRoomBesideExamples(ANIMALS);
      await checkProperty(args, spelled, async ({ spelling, status }, example) => {
        // The spelling with all its differences comes first (index 0), then each difference alone.
        const alone = (Object.keys(OWNERS) as (keyof Spelling)[])
          .filter((each) => spelling[each] !== undefined)
          .map((each): Spelling => ({ [each]: spelling[each] }));
        for (const [index, way] of (alone.length > 1 ? [spelling, ...alone] : alone).entries()) {
          const { categoryId } = await example.given.newPet();
          const sent: NewPet = {
            name: `${example.mark}${index === 0 ? '' : spellCount(index)}`,
            categoryId,
            status,
          };
          const call = example.api.createPet(spellAnimal(sent, way));
          // If several differences together are answered wrong, each one is sent alone, to find which one is to blame.
          if (index === 0 && alone.length > 1 && !isAsSent(await call, sent)) continue;
          const owner = OWNERS[(Object.keys(way) as (keyof Spelling)[]).at(-1) ?? 'escapes'];
          await expectEcho(
            example,
            { sent, created: await call.answers(201, 'Pet', owner) },
            owner,
            async (api) => {
              const another = { ...sent, name: `${sent.name}z` };
              return { sent: another, call: api.createPet(spellAnimal(another, way)) };
            },
          );
          // All differences together were right: none is sent alone.
          if (index === 0) return;
        }
      });
    },
  );

  test(
    'does not break down over any odd text',
    addPropertyId(open, verifies('errors.no-server-error', 'errors.undocumented')),
    async ({ args }) => {
      if (args.facts.production) args.scope.notApplicable(PRODUCTION);
      await args.given.requireRoomBesideExamples(ANIMALS);
      const { categoryId } = await args.given.newPet();
      await checkProperty(args, open, async (body, { api, mark, note }) => {
        note(body.title);
        await api.createPet(body.write({ name: mark, categoryId })).judgeByStandards();
      });
    },
  );
});

/** True for a 201 that shows the animal as it was sent. */
function isAsSent({ response }: Exchange, sent: NewPet): boolean {
  const pet = response?.status === 201 ? (parseBody(response) as Partial<Pet> | null | undefined) : undefined;
  return (
    isSameJson(pet?.name, sent.name) &&
    isSameJson(pet?.categoryId, sent.categoryId) &&
    pet?.status === sent.status
  );
}
