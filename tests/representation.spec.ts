/**
 * Tests of the sections What the service does, Resources and their fields, and Versioning: bodies are JSON, and equal JSON
 * means the same. Rules judge the bodies. `eventually` repeats reads that disagree, because reads may lag.
 */
import { classifyAnswer } from '../fixtures/asking/client/test-arguments.ts';
import type { Header } from '../fixtures/exchange/exchange.ts';
import { chooseHeaders } from '../fixtures/situations/credentials/pairwise/factors.ts';
import { observes, test, verifies } from '../fixtures/test.ts';
import { OF_EVERY_PET, PET_FORM } from '../fixtures/interface/blame.ts';

test.describe('Resources and their fields', () => {
  test('lists Pets as JSON', verifies(...OF_EVERY_PET), async ({ api, given }) => {
    for (const status of ['available', 'pending', 'sold', null] as const) await given.pet(status);
    await Promise.all([{}, { limit: 100 }].map((query) => api.listPets(query).answers(200, 'Pets')));
    await Promise.all(
      ['available', 'pending', 'sold'].map((status) =>
        api.listPets({ status, limit: 100 }).answers(200, 'Pets'),
      ),
    );
  });

  for (const status of ['available', null] as const) {
    const added = status ? 'with a status' : 'without a status';

    test(
      `answers createPet ${added} with a Pet as JSON`,
      verifies('representation.pet-object', ...OF_EVERY_PET),
      async ({ api, given }) => {
        const { exchange } = await given.pet(status);
        await api.takeExchange(exchange).answers(201, 'Pet');
      },
    );

    test(
      `answers getPet ${added} with a Pet as JSON`,
      verifies('representation.pet-object', ...OF_EVERY_PET),
      async ({ api, eventually, given }) => {
        await eventually(async () => {
          const { pet } = await given.pet(status);
          await api.getPet(pet.id).answers(200, 'Pet');
        });
      },
    );
  }
});

test.describe('What the service does: JSON for every client that takes JSON', () => {
  for (const [title, accept] of [
    ['no Accept', 'absent'],
    ['Accept: */*', 'any'],
    ['the Accept of a browser', 'browser'],
  ] as const) {
    test(
      `answers with JSON under ${title}`,
      verifies('representation.media-type', 'representation.json'),
      async ({ api, eventually, given }) => {
        const asking = api.with(chooseHeaders({ accept, caching: 'no-cache' }));
        await asking.listPets({ limit: 5 }).answers(200, 'Pets');
        await eventually(async () => {
          const { pet } = await given.pet('available');
          // It is sent once: `answers` judges the same answer.
          const read = asking.getPet(pet.id);
          // If getPet with the usual Accept does not find the animal either, Accept is not the cause.
          if ((await read).response?.status === 404) await api.getPet(pet.id).answers(200, 'Pet');
          await read.answers(200, 'Pet');
        });
      },
    );
  }

  test(
    'sends a 401, a 404 and a 400 as JSON to a client that takes problem documents too, in Spanish',
    verifies('errors.media-type', 'errors.json'),
    async ({ api }) => {
      const headers: Header[] = [
        ['Accept', 'application/json, application/problem+json'],
        ['Accept-Language', 'es-ES,es;q=0.9'],
      ];
      const asking = api.with({ headers });
      await asking.with({ credential: 'none' }).listPets().answers(401, 'Error');
      const unknown = await asking.getPet(2n ** 63n - 12n);
      // An animal may have this identifier, and is then shown.
      if (unknown.response?.status === 404) await api.takeExchange(unknown).answers(404, 'Error');
      await asking.createPet({}).answers(400, 'Error');
    },
  );

  for (const [title, accept] of [
    ['Accept: */*', 'any'],
    ['the Accept of a browser', 'browser'],
  ] as const) {
    test(
      `answers createPet with JSON under ${title}`,
      verifies('representation.media-type', 'representation.json'),
      async ({ api, given }) => {
        await api
          .with(chooseHeaders({ accept, caching: 'no-cache' }))
          .createPet(await given.newPet('sold'))
          .answers(201, 'Pet');
      },
    );
  }
});

/** The longest pause on a connection, in milliseconds. If the consistency window is short, the pause is a tenth of it. */
const LONGEST_PAUSE = 1_500;
const PART_OF_WINDOW = 0.1;

test.describe('What the service does, open questions', () => {
  // A pause is right here: the question is what a service does after a pause. The slot `waits` says that the test takes long.
  test(
    'answers on a connection that was left alone for a while',
    observes.at('waits', 'representation.kept-connection'),
    async ({ api, facts, observe, scope }) => {
      const kept = api.with({ connection: 'left alone' });
      await kept.listPets({ limit: 1 });
      await scope.session.pause(Math.min(LONGEST_PAUSE, PART_OF_WINDOW * facts.consistencyWindow));
      const exchange = await kept.listPets({ limit: 1 });
      observe(classifyAnswer(exchange), [exchange]);
    },
  );
});

test.describe('Versioning', () => {
  // This test asks nothing: the address is a setting, which the judge reads.
  test('has the version in its base address', verifies('representation.base-path'), ({}) => undefined);
});

test.describe('Resources and their fields, open questions', () => {
  test('spells integers', observes('representation.spelling'), async ({ api, observe }) => {
    const exchange = await api.listPets().requireResponse();
    // Finds numbers such as `7.0` or `7e0` behind a colon.
    const isOdd = /:\s*-?\d+(\.\d+|[eE])/.test(new TextDecoder().decode(exchange.response.body));
    observe(isOdd ? 'with-fraction-or-exponent' : 'plain', [exchange]);
  });

  test('adds members to Pets', observes('representation.more-members'), async ({ given, observe }) => {
    const { exchange, pet } = await given.pet();
    const more = Object.keys(pet).filter((name) => !Object.hasOwn(PET_FORM, name));
    observe(more.length === 0 ? 'none' : more.sort().slice(0, 8).join(', '), [exchange]);
  });
});
