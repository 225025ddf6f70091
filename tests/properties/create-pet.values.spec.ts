/**
 * Properties of createPet: every generated name and category gets 201 or 400; after a 201 all reads show it unchanged.
 * Members of a `Property`: `letter` follows the mark of the run in the names of its animals, `runs` is the number of examples,
 * `shrinking` the most requests in the search for a smaller one. `costly`: never more examples than `runs`.
 * `requireRoomBesideExamples` ends the test if MAX_ANIMALS has no room for the animals.
 */
import { int64s } from '../../fixtures/asking/arbitraries/identifiers.ts';
import { classifyName } from '../../fixtures/asking/arbitraries/name-class.ts';
import { writeName, nameParts, type NameParts } from '../../fixtures/asking/arbitraries/names.ts';
import { PET_STATUSES, type NewPet, type Pet } from '../../fixtures/interface/bodies.ts';
import { Undecided } from '../../fixtures/judgement/finding.ts';
import type { DocumentedAnswer } from '../../fixtures/asking/client/client-call.ts';
import type { Exchange } from '../../fixtures/exchange/exchange.ts';
import { isSameJson, writeJson } from '../../fixtures/exchange/json.ts';
import { requireListedByStatus } from '../../fixtures/asking/vocabulary/listed.ts';
import { isHardlyText, isPlainName } from '../../fixtures/interface/request-oracle.ts';
import {
  ANIMALS,
  checkProperty,
  type Example,
  type Property,
} from '../../fixtures/asking/properties/property.ts';
import { addPropertyId, type RequirementId } from '../../fixtures/interface/requirements.ts';
import type { AddedAnimal } from '../../fixtures/session/session.ts';
import { test, verifies } from '../../fixtures/test.ts';
import { PRODUCTION, makeRefusedHere } from '../../fixtures/judgement/reason.ts';

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

const TAKEN_OR_REFUSED = [
  [201, 'Pet'],
  [400, 'Error'],
] as const;

const names: Property<NameParts> = {
  id: 'create-pet.names',
  letter: 'n',
  values: () => nameParts,
  runs: 8,
  costly: true,
  shrinking: 30,
  classOf: (naming) => classifyName(writeName('', naming)),
};
const categories: Property<bigint> = {
  id: 'create-pet.categories',
  letter: 'c',
  values: () => int64s,
  runs: 6,
  costly: true,
  shrinking: 30,
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

/**
 * Demands 201 or 400. After 201 every operation must show the value unchanged.
 * `eventually` repeats reads that disagree, because reads may lag. If others deleted or changed the animal, `nth` grows: the
 * example then adds another animal, with a letter behind its mark, and compares it with another ordinary one.
 */
async function expectKept(
  example: Example,
  promises: Promises,
  sentAs: (mark: string) => NewPet,
): Promise<void> {
  const { eventually, expect, facts, given, mark } = example;
  const { member } = promises;
  await eventually(async (nth) => {
    const sent = sentAs(`${mark}${'xyz'[nth - 1] ?? ''}`);
    const exchange = await given.createOnce(writeJson(sent));
    const answer = await requireAccepted(example, sent, exchange, promises.any);
    const odd: AddedAnimal = { sent, pet: answer.body, exchange };
    const ordinary = await given.pet('pending', nth);
    const isOrdinaryKept = isSameJson(ordinary.pet[member], ordinary.sent[member]);
    // If createPet changes ordinary values too, the odd value is not the cause.
    expect(answer, `/${member}`, isOrdinaryKept ? promises.create : promises.ordinary).toBe(sent[member]);
    if (facts.removal === 'ahead') await expectShownByGet(example, odd, ordinary, promises);
    await expectShownInList(example, odd, ordinary, promises);
  });
}

/** Returns the answer that accepted the animal. If the service refused it, the example ends: there is nothing to read. */
async function requireAccepted(
  { api, scope }: Example,
  { name }: NewPet,
  exchange: Exchange,
  any: RequirementId,
): Promise<DocumentedAnswer<Pet>> {
  const endRefused = () => scope.notApplicable(makeRefusedHere('it'));
  const call = api.takeExchange(exchange);
  // Names with U+0000 or half a surrogate pair may be refused with any 4xx, other names only with 400.
  if (isHardlyText(name) && isOtherRefusal(await call)) endRefused();
  const answer = isHardlyText(name)
    ? await call.sayAny4xxIsRight().answersOneOf(TAKEN_OR_REFUSED, 'create-pet.broken-characters')
    : await call.answersOneOf(TAKEN_OR_REFUSED, any);
  return answer.status === 400 ? endRefused() : (answer as DocumentedAnswer<Pet>);
}

/** True for a 4xx other than 400. A 429 only puts off the request. */
function isOtherRefusal({ response }: Exchange): boolean {
  return response !== null && response.status > 400 && response.status < 500 && response.status !== 429;
}

/** Demands that getPet shows the odd value. If it does not, the ordinary animal is read first: its value must be right. */
async function expectShownByGet(
  { api, expect }: Example,
  { pet }: AddedAnimal,
  ordinary: AddedAnimal,
  { member, get }: Promises,
): Promise<void> {
  const answer = await api.getPet(pet.id).answers(200, 'Pet');
  expect(answer, '/id', 'get-pet.same-id').toBe(pet.id);
  if (isSameJson(answer.body[member], pet[member])) return;
  expect(
    await api.getPet(ordinary.pet.id).answers(200, 'Pet'),
    `/${member}`,
    'get-pet.agrees-with-create',
  ).toBe(ordinary.pet[member]);
  expect(answer, `/${member}`, get).toBe(pet[member]);
}

/** Demands the same of the list that shows the odd animal. */
async function expectShownInList(
  example: Example,
  odd: AddedAnimal,
  ordinary: AddedAnimal,
  { member, list }: Promises,
): Promise<void> {
  const found = await findUnlessCut(() => requireListedByStatus(example, odd));
  if (found === null) return;
  const { page, pointer } = found;
  if (isSameJson(page.body[Number(pointer.slice(1))]?.[member], odd.pet[member])) return;
  const foundOrdinary = await findUnlessCut(() => requireListedByStatus(example, ordinary));
  if (foundOrdinary !== null)
    example
      .expect(foundOrdinary.page, `${foundOrdinary.pointer}/${member}`, 'list-pets.agrees-with-create')
      .toBe(ordinary.pet[member]);
  example.expect(page, `${pointer}/${member}`, list).toBe(odd.pet[member]);
}

/** Returns the animal in the list; null if the list may be cut, so that its absence shows nothing. */
async function findUnlessCut<T>(find: () => Promise<T>): Promise<T | null> {
  return find().catch((error: unknown) => {
    if (error instanceof Undecided && error.verdict === 'not-applicable') return null;
    throw error;
  });
}
