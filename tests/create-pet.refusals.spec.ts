/**
 * Tests of createPet: a body with one thing wrong gets 400 with an Error, and adds nothing.
 * If a service accepts a bad body, the session sends no second one of that kind: `sendUnlessAcceptedBefore` then returns null.
 * `has-broken-stores` runs last, and only if nobody else uses the store (`requireHarmless`).
 */
import { requireHarmless } from '../fixtures/asking/vocabulary/combined-values.ts';
import { sendBetweenAnimals } from '../fixtures/asking/vocabulary/refused.ts';
import { writeMarkAsDigits } from '../fixtures/judgement/store/run-mark.ts';
import {
  FRACTIONS,
  NOT_A_NUMBER,
  NOT_A_STATUS,
  NOT_A_STRING,
  OTHER_MEMBERS,
  WRONG_BESIDE_ANOTHER,
} from '../fixtures/asking/vocabulary/value-classes.ts';
import { test, verifies } from '../fixtures/test.ts';

test.describe('POST /pets, bodies with one thing wrong', () => {
  test(
    'adds nothing for a body that it refused',
    verifies.at('between-additions', 'create-pet.refusal-adds-nothing'),
    async ({ args }) => {
      const { api, facts, given } = args;
      // It sends the bodies between two ordinary animals, and then searches lists for the refused names.
      await sendBetweenAnimals(args, 400, async () => {
        const { name, categoryId } = await given.newPet();
        const bodies = [
          api.createPet({ name: `${name}a`, categoryId, status: 'unheard-of' }),
          api.createPet(`{"name":"${name}b","categoryId":"${categoryId}","status":"pending"}`),
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

  for (const [title, write] of NOT_A_STRING) {
    test(
      `refuses a name that is ${title}`,
      verifies('create-pet.name-type'),
      async ({ api, facts, given }) => {
        const { name, categoryId } = await given.newPet();
        await api.createPet(
          `{"name":${write(name, writeMarkAsDigits(facts.runId))},"categoryId":${categoryId},"status":"pending"}`,
        );
      },
    );
  }

  for (const [title, text] of NOT_A_NUMBER) {
    test(
      `refuses a categoryId that is ${title}`,
      verifies('create-pet.category-id-type'),
      async ({ api, given }) => {
        const { name } = await given.newPet();
        await api.createPet(`{"name":"${name}","categoryId":${text},"status":"pending"}`);
      },
    );
  }

  for (const text of FRACTIONS) {
    test(`refuses categoryId ${text}`, verifies('create-pet.category-id-integer'), async ({ api, given }) => {
      const { name } = await given.newPet();
      await api.createPet(`{"name":"${name}","categoryId":${text},"status":"pending"}`);
    });
  }

  for (const text of ['9223372036854775808', '-9223372036854775809', '9999999999999999999']) {
    test(`refuses categoryId ${text}`, verifies('create-pet.category-id-range'), async ({ api, given }) => {
      const { name } = await given.newPet();
      await api.createPet(`{"name":"${name}","categoryId":${text},"status":"pending"}`);
    });
  }

  // Numbers with more than 19 digits: some stores keep them and can never show them again.
  for (const text of ['18446744073709551617', '100000000000000000000', '1e30', '1e400']) {
    test(
      `refuses categoryId ${text}`,
      verifies.at('has-broken-stores', 'create-pet.category-id-range'),
      async ({ args, api, given }) => {
        await requireHarmless(args, 'has-broken-stores');
        const { name } = await given.newPet();
        await api.createPet(`{"name":"${name}","categoryId":${text},"status":"pending"}`);
      },
    );
  }

  test(
    'refuses a categoryId of 5,000 digits',
    verifies.at('has-broken-stores', 'create-pet.category-id-range'),
    async ({ args, api, given }) => {
      await requireHarmless(args, 'has-broken-stores');
      const { name } = await given.newPet();
      const call = api.createPet(`{"name":"${name}","categoryId":${'9'.repeat(5_000)},"status":"pending"}`);
      // The document does not say how large a body may be.
      await call;
    },
  );

  for (const [title, write] of NOT_A_STRING) {
    test(`refuses a status that is ${title}`, verifies('create-pet.status-type'), async ({ api, given }) => {
      const { name, categoryId } = await given.newPet();
      await api.createPet(`{"name":"${name}","categoryId":${categoryId},"status":${write('sold', '1')}}`);
    });
  }

  for (const status of NOT_A_STATUS) {
    test(
      `refuses the status ${JSON.stringify(status)}`,
      verifies('create-pet.status-values'),
      async ({ api, given }) => {
        await api.createPet({ ...(await given.newPet()), status });
      },
    );
  }

  test('refuses an absent body', verifies('create-pet.body-missing'), async ({ api }) => {
    await api.createPet('');
  });

  test('refuses an object without members', verifies('create-pet.empty-object'), async ({ api }) => {
    await api.createPet('{}');
    await api.createPet(' {\n} ');
  });

  // Names have the mark of the run, so that a stored animal is found.
  for (const [title, write] of [
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
  ] as readonly [string, (name: string, category: string) => string][]) {
    test(
      `refuses a body that is ${title}`,
      verifies('create-pet.body-not-object'),
      async ({ api, given }) => {
        const { name, categoryId } = await given.newPet();
        await api.createPet(write(name, String(categoryId)));
      },
    );
  }

  for (const [title, write] of [
    ['an object cut off before its second member', (name) => `{"name":"${name}",`],
    ['an object cut off within its first member', (name) => `{"name":"${name}`],
    ['an object cut off behind a sign', (name) => `{"name":"${name}","categoryId":-`],
    ['a bare word', () => 'name'],
    ['an opening brace', () => '{'],
    ['XML', (name) => `<pet><name>${name}</name></pet>`],
  ] as readonly [string, (name: string) => string][]) {
    test(`refuses ${title}`, verifies('create-pet.body-malformed'), async ({ api, given }) => {
      const { name } = await given.newPet();
      await api.createPet(write(name));
    });
  }

  // `expectRefusal` takes any 4xx: a service may refuse the other member for itself.
  for (const [promise, title, write] of WRONG_BESIDE_ANOTHER) {
    test(
      `refuses ${title} beside a member that NewPet does not show`,
      verifies(promise),
      async ({ api, given }) => {
        const { name, categoryId } = await given.newPet();
        await api.createPet(write(name, String(categoryId)));
      },
    );
  }

  for (const [member, write] of OTHER_MEMBERS) {
    test(
      `does not take ${member} for a member of NewPet`,
      verifies('create-pet.other-members'),
      async ({ api, given }) => {
        const { name, categoryId } = await given.newPet();
        await api.createPet(write(name, String(categoryId)));
      },
    );
  }
});
