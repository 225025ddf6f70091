/**
 * Properties of getPet: an identifier that no animal has gets 404, and is not taken for a similar one. `answers` ends a test at a wrong
 * answer. Rules judge all other answers. Members of a `Property`: `letter` follows the mark of the run in names, `runs` is the number of
 * examples. `one-by-one` is the slot of tests that send one request after another. The document lets getPet be removed on a day: while that day
 * is `ahead`, it must be served.
 */
import fc from 'fast-check';
import {
  farIdentifiers,
  int64s,
  changeIdentifier,
  identifierChanges,
  type IdentifierChange,
} from '../../fixtures/asking/arbitraries/identifiers.ts';
import type { Args } from '../../fixtures/asking/client/test-arguments.ts';
import { isInt64, PET_STATUSES, type PetStatus } from '../../fixtures/interface/bodies.ts';
import { isSameJson } from '../../fixtures/exchange/json.ts';
import { OF_EVERY_ERROR } from '../../fixtures/interface/blame.ts';
import { checkProperty, type Property } from '../../fixtures/asking/properties/property.ts';
import { addPropertyId } from '../../fixtures/interface/requirements.ts';
import { numberAnimal } from '../../fixtures/session/animal-numbers.ts';
import { hasFoundAnimal } from '../../fixtures/asking/vocabulary/found-animal.ts';
import { dealHeaders } from '../../fixtures/asking/vocabulary/situation-requests.ts';
import { test, verifies } from '../../fixtures/test.ts';

/** `id`: the identifier to ask for. `far`: an identifier that no counter has reached, to ask for if `id` gets no 404. */
type Unknown = { id: bigint; far: bigint };

const identifiers: Property<Unknown> = {
  id: 'get-pet.identifiers',
  letter: 'u',
  values: () =>
    fc.record({
      id: fc.oneof({ weight: 4, arbitrary: int64s }, { weight: 1, arbitrary: farIdentifiers }),
      far: fc.noShrink(farIdentifiers),
    }),
  runs: 6,
};
/** Small changes of an identifier, which a careless service does not notice. */
const neighbours: Property<IdentifierChange> = {
  id: 'get-pet.neighbours',
  letter: 's',
  values: () => identifierChanges,
  runs: 5,
};
/** An animal in a list: the status of the list, if any, and the place of the animal. */
type Place = { status?: PetStatus; at: number };

const shown: fc.Arbitrary<Place> = fc.record(
  { at: fc.nat(99), status: fc.constantFrom(...PET_STATUSES) },
  { requiredKeys: ['at'] },
);
const listed: Property<Place> = { id: 'get-pet.listed', letter: 'm', values: () => shown, runs: 8 };

test.describe('GET /pets/{petId}, any identifier', () => {
  test(
    'answers 404 to identifiers that no animal has',
    addPropertyId(
      identifiers,
      verifies.at('one-by-one', 'get-pet.not-found', 'get-pet.not-found-at-ends', ...OF_EVERY_ERROR),
    ),
    async ({ args }) => {
      // `example.turn`: the number of the example.
      await checkProperty(args, identifiers, async ({ id, far }, example) => {
        const call = example.api.with(dealHeaders(example.turn + args.facts.seed)).getPet(id);
        const exchange = await call;
        const isFound = hasFoundAnimal(exchange, id);
        // A counter may have given an identifier below 2^53 to an animal: then it is not sure that the service is wrong.
        if (isFound && Math.abs(Number(id)) < 2 ** 53) {
          const taken = { situation: 'identifier-taken', id: String(id), isSure: false } as const;
          return example.scope.notApplicable({ kind: 'no-such-situation', ...taken });
        }
        // If the far identifier gets 404, the service invents no animals: another client may have added the animal that was found.
        if (isFound) return expectNotFound(example, far);
        // If a far identifier gets no 404 either, the value of `id` is not the cause, and the test ends with the far one.
        if (exchange.response?.status !== 404) await expectNotFound(example, far);
        await call.answers(404, 'Error');
      });
    },
  );

  test(
    'does not take an identifier for a similar one',
    addPropertyId(neighbours, verifies.at('one-by-one', 'get-pet.id-exact', 'get-pet.same-id')),
    async ({ args }) => {
      const { pet } = await args.given.pet('sold');
      // Another test asks what the first read of these animals shows: this test must not read them.
      const unread = await Promise.all(
        [0, 1].map((nth) => args.given.pet('sold', numberAnimal('unread', nth))),
      );
      await checkProperty(args, neighbours, async (change, { api, facts, turn }) => {
        const id = changeIdentifier(BigInt(pet.id), change);
        if (id === null || unread.some((each) => isSameJson(each.pet.id, id))) return;
        await api.with({ ...dealHeaders(turn + facts.seed), connection: `neighbour ${turn % 8}` }).getPet(id);
      });
    },
  );

  test(
    'finds and shows whatever animal lists show',
    addPropertyId(
      listed,
      verifies.at('one-by-one', 'get-pet.finds-listed', 'get-pet.agrees-with-list', 'get-pet.same-id'),
    ),
    async ({ args }) => {
      if (args.facts.removal !== 'ahead') return args.scope.notApplicable('maybe-removed');
      // If lists show only animals of this run, no example would find an animal of others.
      await args.api.listPets({ limit: 100 }).answers(200, 'Pets');
      const { hasEarlierRuns, sharedWithOthers } = await args.given.store();
      if (!sharedWithOthers && !hasEarlierRuns) return args.scope.notApplicable('no-animals-of-others');
      await checkProperty(args, listed, async ({ status, at }, { api, given, scope }) => {
        const page = await api.listPets({ limit: 100, ...(status && { status }) }).answers(200, 'Pets');
        const { added } = await given.store();
        const others = page.body.filter(({ id }) => isInt64(id) && !added.includes(String(id)));
        const animal = others[at % Math.max(1, others.length)];
        if (animal === undefined) return scope.notApplicable('no-animals-of-others');
        await api.getPet(animal.id);
      });
    },
  );
});

/**
 * Demands a 404 for a far identifier. If an animal has it, asks for another one, at most twice: a service that shows three such
 * animals invents them. The bits that `^` changes give three identifiers far apart.
 */
async function expectNotFound({ api }: Pick<Args, 'api'>, far: bigint): Promise<void> {
  for (const [nth, id] of [far, far ^ 0x5555_5555_5555n, far ^ 0x3333_cccc_3333n].entries()) {
    const call = api.getPet(id);
    if (nth < 2 && hasFoundAnimal(await call, id)) continue;
    await call.answers(404, 'Error');
    return;
  }
}
