/**
 * Properties of createPet: every generated name and category gets 201 or 400; after a 201 all reads show it unchanged.
 * The tests only send and read: rules judge the answers. `Property` in property.ts explains its members. These properties are `costly`,
 * because each example may add an animal: PROPERTY_RUNS cannot raise their number of examples (`runs`).
 * `requireRoomBesideExamples` ends the test if MAX_ANIMALS has no room for the animals.
 */
import { int64s } from '../../fixtures/asking/arbitraries/identifiers.ts';
import {
  classifyName,
  writeName,
  nameParts,
  type NameParts,
} from '../../fixtures/asking/arbitraries/names.ts';
import { PET_STATUSES, type NewPet } from '../../fixtures/interface/bodies.ts';
import { writeJson, readMembers } from '../../fixtures/exchange/json.ts';
import {
  ANIMALS,
  checkProperty,
  type Example,
  type Property,
} from '../../fixtures/asking/properties/property.ts';
import { addPropertyId } from '../../fixtures/interface/requirements.ts';
import { isSuccess } from '../../fixtures/exchange/exchange.ts';
import { parseBody } from '../../fixtures/exchange/read-body.ts';
import { test, verifies } from '../../fixtures/test.ts';
import { PRODUCTION } from '../../fixtures/judgement/reason.ts';

const names: Property<NameParts> = {
  id: 'create-pet.names',
  letter: 'n',
  values: () => nameParts,
  runs: 5,
  costly: true,
  classOf: (naming) => classifyName(writeName('', naming)),
};
const categories: Property<bigint> = {
  id: 'create-pet.categories',
  letter: 'c',
  values: () => int64s,
  runs: 4,
  costly: true,
};

test.describe('POST /pets, any value', () => {
  test(
    'takes or refuses every name, and keeps what it takes',
    addPropertyId(
      names,
      verifies(
        'create-pet.any-name',
        'create-pet.broken-characters',
        'create-pet.name-exact',
        'get-pet.name-exact',
        'list-pets.name-exact',
        'create-pet.unusual-name-exact',
        'list-pets.shows-added-by-status',
        'representation.json',
        'representation.pet-name',
      ),
    ),
    async ({ args }) => {
      const { facts, given, scope } = args;
      // The names are strange. The other test has ordinary names, so it also runs on a production service.
      if (facts.production) scope.notApplicable(PRODUCTION);
      await given.requireRoomBesideExamples(ANIMALS);
      const { categoryId } = await given.newPet();
      await checkProperty(args, names, (naming, example) =>
        addAndRead(example, {
          name: writeName(example.mark, naming),
          categoryId,
          status: PET_STATUSES[naming.length % 3] ?? 'sold',
        }),
      );
    },
  );

  test(
    'takes or refuses every category, and keeps what it takes',
    addPropertyId(
      categories,
      verifies.at(
        'odd-values',
        'create-pet.any-category-id',
        'create-pet.category-id-exact',
        'get-pet.category-id-exact',
        'list-pets.category-id-exact',
        'list-pets.shows-added-by-status',
        'representation.pet-category-id',
      ),
    ),
    async ({ args }) => {
      // 8 animals: 4 examples, at most 3 of the search for a smaller value, and the ordinary animal of the next line.
      await args.given.requireRoomBesideExamples(2 * categories.runs);
      // Ends the test if not even an ordinary animal can be added.
      await args.given.newPet();
      await checkProperty(args, categories, (categoryId, example) =>
        addAndRead(example, { name: example.mark, categoryId, ...chooseStatus(categoryId) }),
      );
    },
  );
});

/** Returns a status for the animal, or none. The last two bits of the category choose it, so each kind of category meets all. */
function chooseStatus(categoryId: bigint): Pick<NewPet, 'status'> {
  const status = PET_STATUSES[Number(BigInt.asUintN(2, categoryId))];
  return status === undefined ? {} : { status };
}

/** Adds the animal, and reads it. Rules compare what is shown. */
async function addAndRead({ api, facts, given }: Example, sent: NewPet): Promise<void> {
  const { response } = await given.createOnce(writeJson(sent));
  if (!isSuccess(response)) return;
  const { id } = readMembers(parseBody(response));
  const isGetPetPromised = facts.removal === 'ahead'; // the announced removal of getPet is still to come
  if (isGetPetPromised && id !== undefined) await api.getPet(String(id));
  await api.listPets({ limit: 100, ...(sent.status && { status: sent.status }) });
}
