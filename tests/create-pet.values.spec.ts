import { accepted, named, ofCategory } from '../fixtures/added.ts';
import { writeJson } from '../fixtures/json.ts';
import { INTEGERS, NAMES } from '../fixtures/samples.ts';
import { test, verifies } from '../fixtures/test.ts';

test.describe('POST /pets, names', () => {
  for (const each of NAMES) {
    test(`answers a name with ${each.title}`, verifies('create-pet.any-name'), async ({ args }) => {
      const { call } = await named(args, each);
      await call.answersOneOf([[201, 'Pet'], [400, 'Error']], 'create-pet.any-name');
    });

    test(`echoes a name with ${each.title}`, verifies(each.exact ? 'create-pet.name-exact' : 'create-pet.unusual-name-exact'), async ({ args }) => {
      const { sent, created } = await accepted(args, await named(args, each));
      args.expect(created, '/name').toBe(sent.name);
    });
  }

  test('accepts a short name of letters beyond ASCII', verifies('create-pet.letters-beyond-ascii'), async ({ args, api, given, facts }) => {
    const longer = NAMES.find(({ title }) => title === 'letters beyond ASCII');
    if (longer !== undefined && (await (await named(args, longer)).call).response?.status === 201) return;
    await given.spare(1);
    const name = `${facts.runId}-Zoë`;
    await api.received(await given.created(writeJson({ ...(await given.newPet('sold')), name }))).answers(201, 'Pet', 'create-pet.letters-beyond-ascii');
  });

  test('answers a name longer than 256 characters', verifies('create-pet.long-name'), async ({ api, expect, given, facts }) => {
    const name = `${facts.runId} ${'x'.repeat(2_000)}`;
    const call = api.createPet({ ...(await given.newPet('sold')), name });
    const { response } = await call;
    if (response && response.status >= 400 && response.status < 500) await call.looksOpen();
    else expect(await call.answers(201, 'Pet', 'create-pet.long-name'), '/name', 'create-pet.name-exact').toBe(name);
  });
});

test.describe('POST /pets, categories', () => {
  for (const each of INTEGERS) {
    test(`answers categoryId ${each.title}`, verifies('create-pet.any-category-id'), async ({ args }) => {
      const { call } = await ofCategory(args, each);
      await call.answersOneOf([[201, 'Pet'], [400, 'Error']], 'create-pet.any-category-id');
    });

    test(`echoes categoryId ${each.title}`, verifies('create-pet.category-id-exact'), async ({ args }) => {
      const { sent, created } = await accepted(args, await ofCategory(args, each));
      args.expect(created, '/categoryId').toBe(sent.categoryId);
    });
  }

  test('echoes the category that is accepted here', verifies('create-pet.category-id-exact'), async ({ api, expect, given }) => {
    const { exchange, sent } = await given.pet('sold');
    expect(await api.received(exchange).answers(201, 'Pet'), '/categoryId').toBe(sent.categoryId);
  });
});
