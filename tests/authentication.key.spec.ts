/**
 * Tests that the right key is never refused, whatever else is odd about a request, and that no cookie replaces the key.
 * The rule `keys` judges every 401 to the key, whichever test asked.
 * Tests in the slot `may-stop-service` run late, because odd headers have broken services, and those in `own-animals-late` in the last phase.
 */
import { DOCUMENTED_OPERATIONS } from '../fixtures/exchange/exchange.ts';
import type { Client } from '../fixtures/asking/client/client.ts';
import { observes, test, verifies } from '../fixtures/test.ts';
import {
  askWithout,
  makePlainestRow,
  prepareRequest,
} from '../fixtures/asking/vocabulary/credential-request.ts';

/** The most cookies that are sent to each operation. */
const MOST_COOKIES = 8;
/** A cookie to send if no answer of the run has set one. */
const MADE_UP = ['session=1'];
/** Values of Accept that a JSON service does not serve, or that make no sense. */
const ODD_ACCEPTS = [
  'application/xml',
  'text/html',
  'application/json;q=0',
  '*/*;q=0',
  'unheard/of; level=x',
  ',;',
];
/** The first two values of `ODD_ACCEPTS` are sent to every operation, the others to listPets only. */
const ASKED_EVERYWHERE = 2;
/** Content types of a createPet that has JSON; null: no Content-Type. */
const ODD_TYPES = ['text/plain', 'application/xml', 'multipart/form-data', 'unheard-of', null];

test.describe('Authentication with the key', () => {
  test('never refuses the key that works', verifies('authentication.valid-key'), async ({ api, given }) => {
    const { pet } = await given.pet();
    for (let again = 0; again < 2; again += 1)
      await Promise.all([api.listPets(), api.listPets({ status: 'sold', limit: 3 }), api.getPet(pet.id)]);
  });

  test(
    'never refuses the key that works for what a body may have wrong',
    verifies('authentication.valid-key'),
    async ({ api, given }) => {
      await given.pet();
      const { categoryId, name } = await given.newPet();
      for (const body of [
        '',
        '{',
        '[]',
        'null',
        '{}',
        `{"categoryId":${categoryId}}`,
        // A service may list several mistakes in an Error of another form.
        `{"name":7,"categoryId":"${categoryId}","status":"unheard-of"}`,
        `{"name":"${name}","categoryId":${categoryId},"status":"unheard-of"}`,
      ])
        await api.createPet(body);
    },
  );

  for (const [index, accept] of ODD_ACCEPTS.entries())
    test(
      `never refuses the key that works under Accept: ${accept}`,
      verifies.at('may-stop-service', 'authentication.valid-key'),
      async ({ api, given }) => {
        const { pet } = await given.pet();
        const { categoryId } = await given.newPet();
        const odd = api.with({ headers: [['Accept', accept]] });
        const calls = [odd.listPets({ limit: 1 }), odd.getPet(pet.id), odd.createPet({ categoryId })];
        // A createPet without a name adds nothing. A call is sent when it is awaited.
        for (const call of index < ASKED_EVERYWHERE ? calls : calls.slice(0, 1)) await call;
      },
    );

  test(
    'never refuses the key that works for the type of a body',
    verifies.at('may-stop-service', 'authentication.valid-key'),
    async ({ api, given }) => {
      await given.pet();
      const { categoryId } = await given.newPet();
      await Promise.all(ODD_TYPES.map((contentType) => api.with({ contentType }).createPet({ categoryId })));
    },
  );

  for (const scheme of ['bearer', 'BEARER', 'bEaReR'])
    test(`takes the scheme written ${scheme}`, verifies('authentication.scheme-case'), async ({ api }) => {
      await api
        .with({ credential: { scheme, edits: [] } })
        .listPets({ limit: 1 })
        .answers(200, 'Pets');
    });

  test('lets the key add', observes('authentication.scope'), async ({ given, observe }) => {
    const { exchange } = await given.pet();
    observe('reads-and-adds', [exchange]);
  });
});

test.describe('Authentication and cookies', () => {
  for (const operation of DOCUMENTED_OPERATIONS) {
    test(
      `${operation} takes no cookie in the place of the key, and the key beside any cookie`,
      verifies.at('own-animals-late', 'authentication.no-cookie'),
      async ({ args }) => {
        const { api, given } = args;
        const { cookies: setByAnswers } = await given.store();
        await given.pet('sold');
        const { categoryId } = await given.newPet();
        // A createPet without a name adds nothing: it gets 400 if the key is accepted. `shape`: the query of a list, or a status.
        const sendWithKey =
          operation === 'createPet'
            ? (client: Client) => client.createPet({ categoryId })
            : await prepareRequest(args, { operation, shape: operation === 'listPets' ? 'limit=1' : 'sold' });
        for (const cookie of setByAnswers.length > 0 ? setByAnswers.slice(0, MOST_COOKIES) : MADE_UP) {
          const headers = [['Cookie', cookie]] as const;
          await askWithout(args, makePlainestRow(operation), { headers });
          if ((await sendWithKey(api.with({ headers }))).response?.status !== 401) continue;
          // The same request without and with the cookie, and a plain list, show if the cookie is the cause of this 401.
          for (const client of [api, api.with({ headers })]) await sendWithKey(client);
          await api.listPets({ limit: 1 });
        }
      },
    );
  }

  test(
    'sets cookies',
    observes.at('own-animals-late', 'authentication.cookies'),
    async ({ api, given, observe }) => {
      const exchange = await api.listPets({ limit: 1 }).requireResponse();
      observe((await given.store()).cookies.length === 0 ? 'none' : 'sets', [exchange]);
    },
  );
});
