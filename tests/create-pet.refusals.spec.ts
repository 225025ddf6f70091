/**
 * Tests of createPet: a body with one thing wrong gets 400 with an Error, and adds nothing. The tests only send; rules judge the answers.
 * If a service accepts a bad body, the session sends no second one of that kind. An awaited call then ends the test;
 * `sendUnlessAcceptedBefore` returns null. Tests in the slot `has-broken-stores` run last, and only if nobody else uses the store
 * (`requireHarmless`).
 */
import { requireHarmless } from '../fixtures/asking/vocabulary/harmful-probes.ts';
import { sendBetweenAnimals } from '../fixtures/asking/vocabulary/between-animals.ts';
import { writeMarkAsDigits } from '../fixtures/judgement/store/run-mark.ts';
import { WRONG_KINDS } from '../fixtures/asking/arbitraries/wrong-values.ts';
import { OTHER_MEMBERS, WRONG_BESIDE_ANOTHER } from '../fixtures/asking/vocabulary/value-classes.ts';
import type { Member, PetStatus } from '../fixtures/interface/bodies.ts';
import type { RequirementId } from '../fixtures/interface/requirements.ts';
import { test, verifies } from '../fixtures/test.ts';

/** Writes a body. `digits`: the mark of the run as a number. Names have the mark too, so that a stored animal is found. */
type Write = (name: string, category: string, digits: string) => string;

const NOT_A_NEW_PET: readonly (readonly [title: string, Write])[] = [
  ['null', () => 'null'],
  ['true', () => 'true'],
  ['a number', () => '7'],
  ['a string', (name) => `"${name}"`],
  ['an empty array', () => '[]'],
  ['an array of a NewPet', (name, category) => `[{"name":"${name}","categoryId":${category}}]`],
  ['an array of its values', (name, category) => `["${name}",${category}]`],
  ['an array of all its values', (name, category) => `["${name}",${category},"sold"]`],
  [
    'a NewPet within a string',
    (name, category) => JSON.stringify(`{"name":"${name}","categoryId":${category}}`),
  ],
];
const NOT_JSON: readonly (readonly [title: string, Write])[] = [
  ['an object cut off before its second member', (name) => `{"name":"${name}",`],
  ['an object cut off within its first member', (name) => `{"name":"${name}`],
  ['an object cut off behind a sign', (name) => `{"name":"${name}","categoryId":-`],
  ['a bare word', () => 'name'],
  ['an opening brace', () => '{'],
  ['XML', (name) => `<pet><name>${name}</name></pet>`],
];

/** Returns a function that writes a body with this JSON as a member. In the JSON, `$name` and `$digits` are replaced: `["$name"]`. */
function writeWrong(member: Member, text: string, status: PetStatus): Write {
  return (name, category, digits) => {
    const value = text.replace('$name', name).replace('$digits', digits);
    const members = { name: `"${name}"`, categoryId: category, status: `"${status}"`, [member]: value };
    const texts = Object.entries(members).map(([each, shown]) => `"${each}":${shown}`);
    // A service may check a member only behind another one.
    return `{${(status === 'sold' ? texts : texts.toReversed()).join(',')}}`;
  };
}

/** Bodies with one thing wrong, and the promise that a service breaks if it takes one of them. */
const ONE_WRONG: readonly (readonly [title: string, RequirementId, Write])[] = [
  ...WRONG_KINDS.flatMap(({ member, breaks, examples }) =>
    // A service may check the other members only for one status.
    examples.map(
      ([title, text], index) =>
        [title, breaks, writeWrong(member, text, index % 2 === 0 ? 'sold' : 'pending')] as const,
    ),
  ),
  ['an absent body', 'create-pet.body-missing', () => ''],
  ...NOT_A_NEW_PET.map(
    ([title, write]) => [`a body that is ${title}`, 'create-pet.body-not-object', write] as const,
  ),
  ...NOT_JSON.map(([title, write]) => [title, 'create-pet.body-malformed', write] as const),
  // Any 4xx is right: a service may refuse the body because of the member that NewPet does not show.
  ...WRONG_BESIDE_ANOTHER.map(
    ([promise, title, write]) =>
      [`${title} beside a member that NewPet does not show`, promise, write] as const,
  ),
];

test.describe('POST /pets, bodies with one thing wrong', () => {
  test(
    'adds nothing for a body that it refused',
    verifies.at('between-additions', 'create-pet.refusal-adds-nothing'),
    async ({ args }) => {
      const { api, facts, given } = args;
      // The bodies are sent between two ordinary animals. Then lists and the identifiers between both are read.
      await sendBetweenAnimals(args, 400, async () => {
        const { name, categoryId } = await given.newPet();
        const bodies = [
          // An Error may repeat these values: it must escape the quotation mark, and must not cut a character in two.
          api.createPet({ name: `${name}a "\\q`, categoryId: 2n ** 53n + 1n, status: `a${'あ'.repeat(99)}` }),
          api.createPet(`{"name":"${name}b","categoryId":"${categoryId}","status":"sold"}`),
          api.createPet({ name: `${name}c`, status: 'pending' }),
          api.createPet(`{"name":"${name}d","categoryId":9223372036854775808,"status":"pending"}`),
          // A name that is a number: the number shows the mark of the run, so that a stored animal is found.
          api.createPet(
            `{"name":${writeMarkAsDigits(facts.runId)},"categoryId":${categoryId},"status":"pending"}`,
          ),
          api.createPet(`{"name":${writeMarkAsDigits(facts.runId)},"categoryId":${categoryId}}`),
          api.createPet({ categoryId, status: 'pending' }),
          api.createPet(`{"name":"${name}e","categoryId":1.5,"status":"pending"}`),
          api.createPet(`{"name":"${name}f","categoryId":${categoryId},"status":null}`),
          api.createPet(`[{"name":"${name}g","categoryId":${categoryId},"status":"pending"}]`),
        ];
        await Promise.all(bodies.map((each) => each.sendUnlessAcceptedBefore()));
      });
    },
  );

  test(
    'refuses an animal without a name',
    verifies('create-pet.name-missing', 'create-pet.refusal-adds-nothing'),
    async ({ api, given }) => {
      const { categoryId } = await given.newPet();
      for (const body of [{ categoryId }, { categoryId, status: 'sold' }]) await api.createPet(body);
    },
  );

  test(
    'refuses an animal without a categoryId',
    verifies('create-pet.category-id-missing'),
    async ({ api, given }) => {
      const { name } = await given.newPet();
      for (const body of [{ name, status: 'pending' }, { name }]) await api.createPet(body);
    },
  );

  for (const [title, promise, write] of ONE_WRONG)
    test(`refuses ${title}`, verifies(promise), async ({ api, facts, given }) => {
      const { name, categoryId } = await given.newPet();
      // An absent body is the first request of a connection: a service may take it for the end of the connection.
      const client = promise === 'create-pet.body-missing' ? api.with({ connection: title }) : api;
      await client.createPet(write(name, String(categoryId), writeMarkAsDigits(facts.runId)));
    });

  // Numbers with more than 19 digits: some stores keep them and can never show them again.
  for (const text of ['18446744073709551617', '100000000000000000000', '1e30', '1e400'])
    test(
      `refuses categoryId ${text}`,
      verifies.at('has-broken-stores', 'create-pet.category-id-range'),
      async ({ args, api, given }) => {
        await requireHarmless(args, 'has-broken-stores');
        const { name } = await given.newPet();
        await api.createPet(`{"name":"${name}","categoryId":${text},"status":"pending"}`);
      },
    );

  test(
    'has no server error for a categoryId of 5,000 digits',
    verifies.at('has-broken-stores', 'create-pet.category-id-range'),
    async ({ args, api, given }) => {
      await requireHarmless(args, 'has-broken-stores');
      const { name } = await given.newPet();
      // The document shows no maximum of a body, so rules judge only a server error, and the Pet of a 201.
      await api.createPet(`{"name":"${name}","categoryId":${'9'.repeat(5_000)},"status":"pending"}`);
    },
  );

  test('refuses an object without members', verifies('create-pet.empty-object'), async ({ api }) => {
    await api.createPet('{}');
    await api.createPet(' {\n} ');
  });

  for (const [member, write] of OTHER_MEMBERS)
    test(
      `does not take ${member} for a member of NewPet`,
      verifies('create-pet.other-members'),
      async ({ api, given }) => {
        const { name, categoryId } = await given.newPet();
        await api.createPet(write(name, String(categoryId)));
      },
    );
});
