/**
 * Asks createPet with odd names and categories. One animal carries a group: several classes of odd names, and one odd category.
 * If it is refused or changed, each class is sent in its own NewPet (`askGroup`). Rules judge the answers and the reads of these animals.
 * `facts.removal` is `ahead` while getPet must be served. The tests send getPet only then.
 */
import { askGroup } from '../fixtures/asking/vocabulary/combined-values.ts';
import { escapeUnit } from '../fixtures/asking/arbitraries/spellings.ts';
import { INT, NAME_GROUPS, WORLD } from '../fixtures/asking/vocabulary/value-classes.ts';
import { isSuccess } from '../fixtures/exchange/exchange.ts';
import { readMembers, writeJson } from '../fixtures/exchange/json.ts';
import { parseBody } from '../fixtures/exchange/read-body.ts';
import { hasBrokenCharacters } from '../fixtures/interface/request-oracle.ts';
import { test, verifies } from '../fixtures/test.ts';

const VALUES = [
  'create-pet.any-name',
  'create-pet.name-exact',
  'create-pet.any-category-id',
  'create-pet.category-refusal',
  'create-pet.category-id-exact',
  'get-pet.name-exact',
  'get-pet.category-id-exact',
  'list-pets.name-exact',
  'list-pets.category-id-exact',
  'create-pet.unusual-name-exact',
] as const;

test.describe('POST /pets, odd values', () => {
  for (const group of NAME_GROUPS)
    test(
      `answers and shows names: ${group.title}`,
      // Some stores never worked again after such names, so they are sent in the last phase.
      group.mayBreakStores === true
        ? verifies.at('has-broken-stores', 'create-pet.broken-characters')
        : verifies.at('odd-values', ...VALUES),
      async ({ args, api, facts }) => {
        for (const { sent, exchange } of await askGroup(args, group)) {
          const { response } = exchange;
          // The refused name is sent with escapes: equal JSON means the same, so it must be refused again.
          if (response?.status === 400 && !hasBrokenCharacters(sent.name))
            await args.given
              .createOnce(writeJson(sent).replace(writeJson(sent.name), writeEscaped(sent.name)))
              .catch(() => null);
          if (!isSuccess(response)) continue;
          const { id: animal, status = sent.status } = readMembers(parseBody(response));
          // A service may change what it has shown twice: one category beyond 2^53 is read three times.
          const reads = group.integer === INT.aboveDouble ? 3 : 1;
          for (let nth = 0; nth < reads && facts.removal === 'ahead' && animal !== undefined; nth += 1)
            await api.getPet(String(animal));
          const filters = status ? ['', `&status=${String(status)}`] : [''];
          await Promise.all(filters.map((each) => api.listPets(`limit=100${each}`)));
        }
      },
    );

  test(
    'accepts a short name of letters beyond ASCII',
    verifies('create-pet.letters-beyond-ascii'),
    async ({ args, api, given, facts }) => {
      // If the names of WORLD, with many languages, were accepted, a short name shows nothing new. On production WORLD is never sent.
      const [whole] = facts.production ? [] : await askGroup(args, WORLD);
      if (isSuccess(whole?.exchange.response ?? null)) return;
      for (const letters of ['Zoë', 'Кот']) {
        const sent = { ...(await given.newPet('sold')), name: facts.runId + letters };
        await api.takeExchange(await given.createOnce(writeJson(sent))).answers(201, 'Pet');
      }
    },
  );

  for (const [size, chooseLength] of [
    ['2,000', () => 2_000],
    // 743 seeds in a row give each of these 743 lengths.
    ['257 to 999', (seed) => 257 + ((389 * Math.abs(seed)) % 743)],
  ] as readonly [string, (seed: number) => number][])
    test(
      `answers a name of ${size} letters`,
      verifies.at('own-animals-late', 'create-pet.long-name', 'create-pet.name-exact'),
      async ({ api, given, facts }) => {
        // If animals are few, e.g. beside animals of others, this ends the test with 2,000 letters: the other long name is enough.
        if (size === '2,000') await given.requireRoomBesideExamples(1);
        await api.createPet({
          ...(await given.newPet('sold')),
          name: facts.runId.padEnd(chooseLength(facts.seed), 'x'), // the mark, and then x to the end
        });
      },
    );
});

/** Writes a JSON string with escapes, e.g. `Zo\u00eb`. Only letters and digits of ASCII stay. */
function writeEscaped(text: string): string {
  return `"${text.replace(/[^A-Za-z0-9]/g, (unit) => escapeUnit(unit))}"`;
}
