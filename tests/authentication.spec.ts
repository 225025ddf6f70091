import { onAnother } from '../fixtures/another-animal.ts';
import type { Args } from '../fixtures/args.ts';
import type { Call, Client, Manner } from '../fixtures/client.ts';
import { MALFORMED, WRONG } from '../fixtures/credentials-sent.ts';
import { header, type Credential } from '../fixtures/exchange.ts';
import { judge } from '../fixtures/judge.ts';
import { expectNothingAdded } from '../fixtures/refused.ts';
import { saysLater } from '../fixtures/session/pace.ts';
import { observes, test, verifies } from '../fixtures/test.ts';

/** A connection that never carries the key: what a target remembers of one that did is another promise. */
const KEYLESS = 'without the key';

/** Each operation as a valid request of it, once what it stands on is there; only the credentials will be wrong. */
const OPERATIONS = [
  ['listPets', 'list-pets', async () => (client: Client) => client.listPets()],
  ['createPet', 'create-pet', async ({ given }: Args) => {
    const draft = await given.newPet('pending');
    return (client: Client) => client.createPet(draft);
  }],
  ['getPet', 'get-pet', async ({ given }: Args, generation: number) => {
    const { pet } = await given.pet('sold', generation);
    return (client: Client) => client.getPet(pet.id);
  }],
] as const;

for (const [operation, stem, prepare] of OPERATIONS) {
  test.describe(`Authentication of ${operation}`, () => {
    const missing = ['none', `authentication.${stem}-missing-key`] as const;
    const wrong = [WRONG.other, `authentication.${stem}-wrong-key`] as const;
    /** A write is never sent on a kept connection, which might just be closing. */
    const apart: Manner = operation === 'createPet' ? {} : { connection: KEYLESS };

    /** Must be refused. Where it is not, the plainer mistakes are looked at first: they would be the cause. */
    const refuses = (args: Args, manner: Manner, ...plainer: readonly (typeof missing | typeof wrong)[]) => onAnother(args.scope, async (generation) => {
      const request = await prepare(args, generation);
      const call = request(args.api.with({ ...apart, ...manner }));
      const { response } = await call;
      const refused = response === null || response.status === 401 || saysLater(response);
      for (const [credential, requirement] of refused ? [] : plainer) {
        if (await args.scope.session.hasFailed(requirement)) args.scope.inconclusive(`blocked by ${requirement}`);
        await request(args.api.with({ ...apart, credential })).answers(401, 'Error', requirement);
      }
      await call.answers(401, 'Error');
    });
    const isNotServed = (args: Args, credential: Credential) => onAnother(args.scope, async (generation) => {
      const request = await prepare(args, generation);
      const call = request(args.api.with({ ...apart, credential }));
      const served = ((await call).response?.status ?? 0) < 400;
      if (served) await request(args.api.with({ ...apart, credential: 'none' })).answers(401, 'Error', missing[1]);
      await expectNotServed(args, call);
    });

    test('refuses a request without a key', verifies(missing[1]), async ({ args }) => {
      await refuses(args, { credential: 'none' });
    });

    test('refuses another key', verifies(wrong[1]), async ({ args }) => {
      await refuses(args, { credential: WRONG.other }, missing);
    });

    test('refuses the key without its end', verifies('authentication.truncated-key'), async ({ args }) => {
      await refuses(args, { credential: WRONG.withoutEnd }, missing, wrong);
    });

    test('refuses the key without its beginning', verifies('authentication.truncated-key'), async ({ args }) => {
      await refuses(args, { credential: WRONG.withoutBeginning }, missing, wrong);
    });

    test('refuses the key with more behind it', verifies('authentication.extended-key'), async ({ args }) => {
      await refuses(args, { credential: WRONG.longer }, missing, wrong);
    });

    test('refuses the key with more before it', verifies('authentication.extended-key'), async ({ args }) => {
      await refuses(args, { credential: WRONG.prefixed }, missing, wrong);
    });

    // wrong keys look like an attack: what no service gets wrong for one operation alone is asked of the first
    for (const place of operation === 'listPets' ? (['Beginning', 'Middle', 'End'] as const) : (['Beginning', 'End'] as const)) {
      test(`refuses the key with a character changed near its ${place.toLowerCase()}`, verifies('authentication.changed-key'), async ({ args }) => {
        await refuses(args, { credential: WRONG[`changed${place}`] }, missing, wrong);
      });
    }

    test('refuses the key in another letter case', verifies('authentication.letter-case'), async ({ args }) => {
      const { caseMayNotMatter, singleCase } = args.facts.key;
      if (caseMayNotMatter) args.scope.notApplicable('the key reads as hex or has no letters: its letter case may mean nothing');
      if (singleCase) args.scope.notApplicable('the letters of the key are all of one case: that it is read in the other is only not to be expected');
      await refuses(args, { credential: WRONG.otherCase }, missing, wrong);
    });

    test('refuses a key whose letters are all of one case in the other', verifies('authentication.single-case'), async ({ args }) => {
      if (!args.facts.key.singleCase) args.scope.notApplicable('the key has letters of both cases, or none whose case may mean something');
      await refuses(args, { credential: WRONG.otherCase }, missing, wrong);
    });

    test('does not serve an empty token', verifies('authentication.empty-token', 'authentication.malformed-credentials'), async ({ args }) => {
      await isNotServed(args, MALFORMED.emptyToken);
    });

    test('does not serve the key without a scheme', verifies('authentication.bare-key', 'authentication.malformed-credentials'), async ({ args }) => {
      await isNotServed(args, MALFORMED.bareKey);
    });

    for (const scheme of operation === 'listPets' ? (['basic', 'token'] as const) : (['basic'] as const)) {
      test(`does not serve the key under the scheme ${scheme}`, verifies('authentication.other-scheme', 'authentication.malformed-credentials'), async ({ args }) => {
        await isNotServed(args, MALFORMED[scheme]);
      });
    }

    test('refuses a request without a key after a valid one on the same connection', verifies('authentication.every-request'), async ({ args }) => {
      const connection = `${operation} after`;
      for (let again = 0; again < 2; again += 1) {
        await args.api.with({ connection }).listPets({ limit: 1 }).answers(200, 'Pets');
        await refuses(args, { credential: 'none', connection }, missing);
      }
    });

    test('refuses a cookie in the place of the key', verifies('authentication.no-cookie'), async ({ args }) => {
      const { response } = await args.api.listPets({ limit: 1 }).answers(200, 'Pets').then(({ exchange }) => exchange);
      const set = response.headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value.split(';')[0] ?? '');
      const cookie = set.length > 0 ? set.join('; ') : 'session=1';
      await refuses(args, { credential: 'none', headers: [['Cookie', cookie]] }, missing);
    });

    test('says with a 401 how to authenticate', verifies('authentication.challenge'), async ({ args }) => {
      await refuses(args, { credential: 'none' }, missing);
    });
  });
}

test.describe('Authentication without effect', () => {
  test('adds nothing for a request that it refused', verifies.last('authentication.no-effect'), async ({ args }) => {
    await expectNothingAdded(args, 401, async () => {
      for (const credential of ['none', WRONG.another] as const) await args.api.with({ credential }).createPet(await args.given.newPet('pending'));
    });
  });
});

test.describe('Authentication with the key', () => {
  test('never refuses the key that works', verifies('authentication.valid-key'), async ({ api, given }) => {
    const { pet } = await given.pet();
    for (let again = 0; again < 5; again += 1) {
      const seen = await Promise.all([api.listPets(), api.listPets({ status: 'sold', limit: 3 }), api.getPet(pet.id)]);
      for (const exchange of seen.filter(({ response }) => response?.status === 401)) await api.received(exchange).answers(200, 'Pets');
    }
  });

  test('never refuses the key that works for what a body may have wrong', verifies('authentication.valid-key'), async ({ api, given }) => {
    await given.pet();
    const { categoryId, name } = await given.newPet();
    for (const body of ['', '{', '[]', 'null', '{}', `{"categoryId":${categoryId}}`, `{"name":7,"categoryId":${categoryId}}`, `{"name":"${name}","categoryId":${categoryId},"status":"unheard-of"}`]) {
      const exchange = await api.createPet(body);
      if (exchange.response?.status === 401) await api.received(exchange).answers(400, 'Error', 'authentication.valid-key');
    }
  });

  for (const scheme of ['bearer', 'BEARER']) {
    test(`takes the scheme written ${scheme}`, verifies('authentication.scheme-case'), async ({ api }) => {
      await api.with({ credential: { scheme, edits: [] } }).listPets({ limit: 1 }).answers(200, 'Pets', 'authentication.scheme-case');
    });
  }

  test('sets cookies', observes('authentication.cookies'), async ({ api, observe }) => {
    const exchange = await api.listPets({ limit: 1 }).looksOpen();
    observe(header(exchange.response, 'set-cookie') === undefined ? 'none' : 'sets', [exchange]);
  });

  test('lets the key add', observes('authentication.scope'), async ({ given, observe }) => {
    const { exchange } = await given.pet();
    observe('reads-and-adds', [exchange]);
  });
});

/** Refused with 401 and an Error; a 400 with an Error is for a header that is no bearer token at all, and only a warning. */
async function expectNotServed({ scope }: Args, call: Call): Promise<void> {
  const exchange = await call;
  const { response } = exchange;
  if (response?.status !== 400) {
    await call.answers(401, 'Error');
    return;
  }
  const { flaws } = judge({ ...exchange, response }, [[400, 'Error']], scope.subject);
  if (flaws.length > 0) await call.answers(401, 'Error');
  scope.warn([{ requirement: 'authentication.malformed-credentials', expected: '401 with an Error', received: '400 with an Error', pointer: null, evidence: [exchange.id] }]);
}
