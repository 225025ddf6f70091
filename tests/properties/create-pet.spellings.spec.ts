/**
 * Property of createPet: the same JSON in another spelling adds the same animal. Rules judge the answers. Members of a `Property`: `letter`
 * follows the mark of the run in the names of its animals, `runs` is the number of examples. `costly`: PROPERTY_RUNS cannot make them more.
 * `requireRoomBesideExamples` ends the test if MAX_ANIMALS has no room for the animals of all properties.
 */
import { spellings, spellAnimal, type Spelling } from '../../fixtures/asking/arbitraries/spellings.ts';
import type { NewPet, PetStatus } from '../../fixtures/interface/bodies.ts';
import { ANIMALS, checkProperty, type Property } from '../../fixtures/asking/properties/property.ts';
import { addPropertyId } from '../../fixtures/interface/requirements.ts';
import { test, verifies } from '../../fixtures/test.ts';

const spelled: Property<{ spelling: Spelling; status: PetStatus }> = {
  id: 'create-pet.spellings',
  letter: 'j',
  values: () => spellings,
  runs: 3,
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
        // The same NewPet in the usual spelling, with another name: if it is refused too, the spelling is not the cause.
        if (response?.status !== 201) await api.createPet(spellAnimal({ ...sent, name: `${mark}z` }, {}));
      });
    },
  );
});
