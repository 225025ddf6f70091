/**
 * Properties of createPet: the same JSON in another spelling adds the same animal, and no odd text breaks the service down.
 * Members of a `Property`: `letter` follows the mark of the run in the names of its animals, `runs` is the number of examples. `costly`: never more examples than `runs`.
 * `requireRoomBesideExamples` ends the test if MAX_ANIMALS has no room for the animals of all properties.
 */
import { openBodies, type OpenBody } from '../../fixtures/asking/arbitraries/open.ts';
import { spellings, spellAnimal, type Spelling } from '../../fixtures/asking/arbitraries/spellings.ts';
import type { NewPet, PetStatus } from '../../fixtures/interface/bodies.ts';
import { ANIMALS, checkProperty, type Property } from '../../fixtures/asking/properties/property.ts';
import { addPropertyId } from '../../fixtures/interface/requirements.ts';
import { test, verifies } from '../../fixtures/test.ts';
import { PRODUCTION } from '../../fixtures/judgement/reason.ts';

const spelled: Property<{ spelling: Spelling; status: PetStatus }> = {
  id: 'create-pet.spellings',
  letter: 'j',
  values: () => spellings,
  runs: 3,
  costly: true,
};
const open: Property<OpenBody> = {
  id: 'create-pet.open',
  letter: 'x',
  values: () => openBodies,
  runs: 4,
  costly: true,
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
      await checkProperty(args, spelled, async ({ spelling, status }, { api, given, mark }) => {
        const { categoryId } = await given.newPet();
        const sent: NewPet = { name: mark, categoryId, status };
        const { response } = await api.createPet(spellAnimal(sent, spelling));
        if (response?.status !== 201 || spellAnimal(sent, {}) === '')
          await api.createPet(spellAnimal({ ...sent, name: `${mark}z` }, {}));
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
      await checkProperty(args, open, async (body, { api, mark }) => {
        await api.createPet(body.write({ name: mark, categoryId })).judgeByStandards();
      });
    },
  );
});
