/**
 * Tests of a quick run that send credentials other than the key. A quick run sends few requests, so no credential meets every
 * operation with every query. `expect401` demands 401. Its `controls` are plainer credentials (`none`, `other` token): if a
 * request is served, the controls are sent too, and if a control is served, the promise about it is broken.
 */
import {
  CREDENTIALS,
  type CredentialName,
  type CredentialRow,
} from '../../fixtures/situations/credentials/pairwise/factors.ts';
import { BEYOND_ASCII, WRONG } from '../../fixtures/situations/credentials/wrong-credentials.ts';
import { expectHidden } from '../../fixtures/asking/client/expect.ts';
import type { RequestOptions } from '../../fixtures/asking/client/client.ts';
import type { RequirementId } from '../../fixtures/interface/requirements.ts';
import type { DocumentedOperation } from '../../fixtures/exchange/exchange.ts';
import { KEY_PROMISES, OF_EVERY_ERROR } from '../../fixtures/interface/blame.ts';
import { test, verifies } from '../../fixtures/test.ts';
import { prepareRequest, nameConnection } from '../../fixtures/asking/vocabulary/credential-request.ts';
import {
  expectErrorStatus,
  expect401Or400,
  expect401,
  expect401OrOther4xx,
  makePlainestRow,
} from '../../fixtures/asking/vocabulary/expect-not-served.ts';

const OPERATIONS = ['listPets', 'createPet', 'getPet'] as const;
/** Wrong tokens. `shape`: the query of listPets; for the other operations, the status of the animal. */
const TOKENS: readonly (readonly [DocumentedOperation, CredentialName, shape: string])[] = [
  ['listPets', 'other', 'limit=10'],
  ['createPet', 'other', 'sold'],
  ['getPet', 'other', 'sold'],
  ['listPets', 'undefined', ''],
  ['getPet', 'null', 'sold'],
  ['listPets', 'half', 'limit=100'],
  ['getPet', 'half', 'available'],
  ['createPet', 'withoutEnd', 'pending'],
  ['getPet', 'withoutBeginning', 'sold'],
  ['listPets', 'longer', 'status=sold'],
  ['getPet', 'longer', 'pending'],
  ['createPet', 'prefixed', 'available'],
  ['listPets', 'prefixed', 'limit=1'],
  ['createPet', 'changedBeginning', 'pending'],
  ['getPet', 'changedBeginning', 'sold'],
  ['listPets', 'changedMiddle', 'limit=20'],
  ['getPet', 'changedEnd', 'sold'],
  ['createPet', 'changedEnd', 'sold'],
  ['listPets', 'otherCase', 'status=sold&limit=100'],
  ['createPet', 'otherCase', 'pending'],
  ['getPet', 'otherCase', 'sold'],
];
/** Names of credentials that are no bearer token, such as the key without a scheme (`bare`). */
const FORMS = [
  'empty',
  'bare',
  'basic',
  'token',
  'basicUser',
  'basicPassword',
  'digest',
  'bearers',
  'xBearer',
  'glued',
] as const;
/** Queries of listPets, and statuses of the animal for the other operations. The credentials of FORMS get them in turn. */
const SHAPES = {
  listPets: ['status=sold&limit=50', 'limit=100&status=available', '', 'status=pending&limit=1'],
  createPet: ['pending', 'sold'],
  getPet: ['sold', 'pending'],
} as const;

/** The promise about each kind of credential. A kind that is not here breaks the promise about another key. */
const BREAKS: Readonly<Record<string, RequirementId>> = {
  truncated: 'authentication.truncated-key',
  extended: 'authentication.extended-key',
  changed: 'authentication.changed-key',
  'letter-case': 'authentication.letter-case',
  empty: 'authentication.empty-token',
  bare: 'authentication.bare-key',
  'other-scheme': 'authentication.other-scheme',
  basic: 'authentication.other-scheme',
};

const findPromise = (operation: DocumentedOperation, name: CredentialName) =>
  BREAKS[CREDENTIALS[name].kind] ?? KEY_PROMISES[operation].other;

/** Makes a request. The turn chooses Accept, and if `Cache-Control: no-cache` is sent. */
const makeRow = (
  operation: DocumentedOperation,
  name: CredentialName,
  shape: string,
  turn: number,
): CredentialRow => ({
  operation,
  name,
  shape,
  turn,
  accept: (['usual', 'any', 'absent', 'browser'] as const)[turn % 4] ?? 'usual',
  caching: turn % 2 === 0 ? 'no-cache' : 'absent',
});

/** CreatePets without the key follow each other on one connection: a new connection for each takes a round trip more. */
const placeRow = (operation: DocumentedOperation): RequestOptions =>
  operation === 'createPet' ? { connection: 'createPet without the key' } : {};

test.describe('Quick: no key', () => {
  for (const [operation, shape] of [
    ['listPets', ''],
    ['listPets', 'limit=100'],
    ['listPets', 'status=sold'],
    ['listPets', 'status=pending&limit=2'],
    ['createPet', 'pending'],
    ['createPet', 'without status'],
    ['getPet', 'sold'],
    ['getPet', 'available'],
  ] as const)
    test(
      `refuses ${operation} ${shape === '' ? '' : `(${shape}) `}without a key`,
      verifies.at(
        operation === 'createPet' ? 'adds' : 'wrong-keys',
        KEY_PROMISES[operation].none,
        ...(operation === 'createPet' ? (['authentication.no-effect'] as const) : []),
        ...OF_EVERY_ERROR,
      ),
      async ({ args }) => {
        // The length is only a number that differs between shapes.
        await expect401(args, makeRow(operation, 'none', shape, shape.length), {
          options: placeRow(operation),
        });
      },
    );

  test(
    'refuses an invalid NewPet without a key',
    verifies.at('adds', 'authentication.invalid-and-keyless'),
    async ({ api, given }) => {
      const { categoryId } = await given.newPet();
      await api
        .with({ ...placeRow('createPet'), credential: 'none' })
        .createPet({ categoryId })
        .answersOneOf([
          [401, 'Error'],
          [400, 'Error'],
        ]);
    },
  );

  test(
    'does not serve limit=0 without a key',
    verifies.at('adds', 'authentication.invalid-and-keyless'),
    async ({ args }) => {
      await expectErrorStatus(args, 'listPets', args.api.with({ credential: 'none' }).listPets('limit=0'));
    },
  );

  test(
    'does not serve a list without a key in HTTP/1.0',
    verifies.at('adds', 'authentication.every-request'),
    async ({ args }) => {
      await expectErrorStatus(
        args,
        'listPets',
        args.api.with({ credential: 'none', httpVersion: '1.0' }).listPets(),
      );
    },
  );

  for (const operation of ['listPets', 'getPet'] as const)
    test(
      `does not serve ${operation} as text without a key`,
      verifies.at('wrong-keys', 'authentication.every-request'),
      async ({ args }) => {
        const headers = [['Accept', 'text/plain']] as const;
        const request = await prepareRequest(args, makePlainestRow(operation), 0);
        const client = args.api.with({ ...nameConnection(operation), credential: 'none', headers });
        await expectErrorStatus(args, operation, request(client));
      },
    );

  test(
    'does not serve an animal beside a query without a key',
    verifies.at('wrong-keys', 'authentication.invalid-and-keyless'),
    async ({ args }) => {
      const { pet } = await args.given.pet();
      const client = args.api.with({ ...nameConnection('getPet'), credential: 'none' });
      await expectErrorStatus(args, 'getPet', client.getPet(`${pet.id}?unheard-of=1`));
    },
  );

  for (const operation of OPERATIONS)
    test(
      `refuses ${operation} without a key behind a list on its connection`,
      verifies.at('wrong-keys', 'authentication.every-request'),
      async ({ args }) => {
        const connection = `${operation} behind a list`;
        await args.api.with({ connection }).listPets({ limit: 2 });
        await expect401(args, makePlainestRow(operation), { controls: ['none'], options: { connection } });
      },
    );

  for (const query of ['', 'limit=61'])
    test(
      `refuses a list ${query} without a key that was just served with it`,
      verifies.at('wrong-keys', 'authentication.shared-cache'),
      async ({ api }) => {
        const cached = api.with({ without: ['cache-control'] });
        // Without `Cache-Control: no-cache`, a shared cache may keep the answer and serve it without the key.
        await cached.listPets(query).answers(200, 'Pets');
        const call = cached.with({ credential: 'none' }).listPets(query);
        // If a list past the caches is served without the key too, no cache is to blame.
        if ((await call).response?.status !== 401)
          await api
            .with({ credential: 'none' })
            .listPets(query)
            .answers(401, 'Error', KEY_PROMISES.listPets.none);
        await call.answers(401, 'Error');
      },
    );

  for (const operation of ['listPets', 'getPet'] as const)
    test(
      `takes no cookie for the key of ${operation}`,
      verifies.at(operation === 'listPets' ? 'adds' : 'wrong-keys', 'authentication.no-cookie'),
      async ({ args }) => {
        const [cookie = 'session=1'] = (await args.given.store()).cookies;
        await expect401(args, makePlainestRow(operation), {
          controls: ['none'],
          options: { headers: [['Cookie', cookie]] },
        });
      },
    );

  for (const [title, path] of [
    ['/pets/', () => '/pets/'],
    ['/pets/{petId}/', (id) => `/pets/${id}/`],
    ['//pets', () => '//pets'],
  ] as readonly (readonly [string, (id: number | bigint) => string])[])
    test(
      `shows no animal under ${title} without the key`,
      verifies.at('wrong-keys', 'authentication.other-spelling'),
      async ({ api, given, scope }) => {
        const { pet } = await given.pet();
        const withoutKey = await api.with({ credential: 'none' }).send('other', 'GET', path(pet.id));
        const { response } = withoutKey;
        if (response === null || response.status >= 300) return;
        // Only an animal that the key shows under this path must be hidden.
        const shown = await api.send('other', 'GET', path(pet.id));
        expectHidden(scope, { shown, from: { ...withoutKey, response } }, 'authentication.other-spelling');
      },
    );
});

test.describe('Quick: wrong keys', () => {
  test(
    'takes the right key behind a wrong one',
    verifies.at('wrong-keys', 'authentication.after-refusals'),
    async ({ api }) => {
      const kept = api.with({ connection: 'behind a wrong key' });
      await kept.with({ credential: WRONG.other }).listPets({ limit: 1 });
      await kept.listPets({ limit: 1 }).answers(200, 'Pets');
      await kept.with({ credential: 'none' }).createPet('{}');
      await kept.listPets({ limit: 1 }).answers(200, 'Pets');
    },
  );

  for (const [turn, [operation, name, shape]] of TOKENS.entries())
    test(
      `refuses ${name} for ${operation}`,
      verifies.at('wrong-keys', findPromise(operation, name)),
      async ({ args }) => {
        const { caseMayNotMatter, singleCase } = args.facts.key;
        if (name === 'otherCase' && (caseMayNotMatter || singleCase))
          args.scope.notApplicable('no-letter-case-in-key');
        await expect401(args, makeRow(operation, name, shape, turn), {
          controls: name === 'other' ? ['none'] : ['none', 'other'],
          options: placeRow(operation),
        });
      },
    );

  for (const operation of OPERATIONS)
    for (const [turn, name] of FORMS.entries())
      test(
        `does not serve ${operation} with the key as ${name}`,
        verifies.at(
          operation === 'listPets' ? 'adds' : 'wrong-keys',
          findPromise(operation, name),
          'authentication.malformed-credentials',
        ),
        async ({ args }) => {
          const shapes = SHAPES[operation];
          const row = makeRow(operation, name, shapes[turn % shapes.length] ?? '', turn);
          await expect401Or400(args, row, { connection: 'no bearer token' });
        },
      );

  test(
    'turns away a token with letters beyond ASCII',
    verifies.at('wrong-keys', 'authentication.bytes-beyond-ascii', 'authentication.malformed-credentials'),
    async ({ args }) => {
      await expect401OrOther4xx(args, 'listPets', BEYOND_ASCII.latin1);
    },
  );
});

// Nothing is demanded here: the rule `keys` judges every 401 to the key.
test.describe('Quick: the key', () => {
  for (const [title, headers] of [
    ['Accept: application/xml', [['Accept', 'application/xml']]],
    ['Accept: application/json;q=0', [['Accept', 'application/json;q=0']]],
    ['an entity tag', [['If-None-Match', '*']]],
    ['Accept: ,;', [['Accept', ',;']]],
    ['an unheard type', [['Accept', 'unheard/of; level=x']]],
  ] as const)
    test(
      `is never refused under ${title}`,
      verifies.at('wrong-keys', 'authentication.valid-key'),
      async ({ api }) => {
        await api.with({ headers }).listPets({ limit: 1 });
      },
    );

  for (const contentType of ['text/plain', null] as const)
    test(
      `is never refused for ${contentType ?? 'no'} type of a body`,
      verifies.at('wrong-keys', 'authentication.valid-key'),
      async ({ api, given }) => {
        const { categoryId } = await given.newPet();
        await api.with({ contentType }).createPet({ categoryId });
      },
    );
});
