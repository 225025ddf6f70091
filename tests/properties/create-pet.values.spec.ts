/**
 * Properties of createPet: every generated name and category gets 201 or 400; after a 201 all reads show it unchanged.
 * Members of a `Property`: `letter` follows the mark of the run in the names of its animals, `runs` is the number of examples. `costly`: never more examples than `runs`.
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
import { isPlainName } from '../../fixtures/interface/request-oracle.ts';
import {
  ANIMALS,
  checkProperty,
  type Example,
  type Property,
} from '../../fixtures/asking/properties/property.ts';
import { addPropertyId, type RequirementId } from '../../fixtures/interface/requirements.ts';
import { isSuccess } from '../../fixtures/exchange/exchange.ts';
import { parseBody } from '../../fixtures/exchange/read-body.ts';
import { test, verifies } from '../../fixtures/test.ts';
import { PRODUCTION } from '../../fixtures/judgement/reason.ts';

/** The promises about one member of an animal. */
interface Promises {
  member: 'name' | 'categoryId';
  /** Any value is accepted or refused with 400. */
  any: RequirementId;
  /** An ordinary value is shown unchanged. */
  ordinary: RequirementId;
  /** Any value is shown unchanged: one promise for each operation. */
  create: RequirementId;
  get: RequirementId;
  list: RequirementId;
}

const NAMES: Promises = {
  member: 'name',
  any: 'create-pet.any-name',
  ordinary: 'create-pet.name',
  create: 'create-pet.name-exact',
  get: 'get-pet.name-exact',
  list: 'list-pets.name-exact',
};
const CATEGORIES: Promises = {
  member: 'categoryId',
  any: 'create-pet.any-category-id',
  ordinary: 'create-pet.category-id',
  create: 'create-pet.category-id-exact',
  get: 'get-pet.category-id-exact',
  list: 'list-pets.category-id-exact',
};
/** The promise about names that need not be echoed exactly, but should be: with control characters, say. */
const UNUSUAL = 'create-pet.unusual-name-exact';
const UNUSUAL_NAMES: Promises = { ...NAMES, create: UNUSUAL, get: UNUSUAL, list: UNUSUAL };

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
        NAMES.any,
        'create-pet.broken-characters',
        NAMES.create,
        NAMES.get,
        NAMES.list,
        UNUSUAL,
        'list-pets.shows-added-by-status',
        'representation.json',
        'representation.pet-name',
      ),
    ),
    async ({ args }) => {
      const { facts, given, scope } = args;
      if (facts.production) scope.notApplicable(PRODUCTION);
      await given.requireRoomBesideExamples(ANIMALS);
      const { categoryId } = await given.newPet();
      await checkProperty(args, names, async (naming, example) => {
        const makeSent = (mark: string): NewPet => ({
          name: writeName(mark, naming),
          categoryId,
          status: PET_STATUSES[naming.length % 3] ?? 'sold',
        });
        await expectKept(example, isPlainName(makeSent(example.mark).name) ? NAMES : UNUSUAL_NAMES, makeSent);
      });
    },
  );

  test(
    'takes or refuses every category, and keeps what it takes',
    addPropertyId(
      categories,
      verifies.at(
        'odd-values',
        CATEGORIES.any,
        CATEGORIES.create,
        CATEGORIES.get,
        CATEGORIES.list,
        'list-pets.shows-added-by-status',
        'representation.pet-category-id',
      ),
    ),
    async ({ args }) => {
      // Each example may add two animals: its own, and an ordinary one.
      await args.given.requireRoomBesideExamples(2 * categories.runs);
      await args.given.newPet();
      await checkProperty(args, categories, (categoryId, example) =>
        expectKept(example, CATEGORIES, (mark) => ({ name: mark, categoryId, ...chooseStatus(categoryId) })),
      );
    },
  );
});

/** Returns a status for the animal, or none. The last two bits of the category choose it, so each kind of category meets all. */
function chooseStatus(categoryId: bigint): Pick<NewPet, 'status'> {
  const status = PET_STATUSES[Number(BigInt.asUintN(2, categoryId))];
  return status === undefined ? {} : { status };
}

/** Adds an animal with the value, and reads it. Rules compare what is shown. */
async function expectKept(
  { api, facts, given, mark }: Example,
  _: Promises,
  sentAs: (mark: string) => NewPet,
): Promise<void> {
  const sent = sentAs(mark);
  const { response } = await given.createOnce(writeJson(sent));
  if (!isSuccess(response)) return;
  const { id } = readMembers(parseBody(response));
  if (facts.removal === 'ahead' && id !== undefined) await api.getPet(String(id));
  await api.listPets({ limit: 100, ...(sent.status && { status: sent.status }) });
}
