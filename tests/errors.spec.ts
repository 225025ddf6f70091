/**
 * Tests of the section Errors. Rules judge the answer to an open question by standards alone: a 5xx is wrong, a 4xx has an Error, a 405 has
 * Allow, and HEAD, 204 and 304 have no content. `requireResponse` ends the test if no answer came. The first argument of `verifies.at` and
 * `observes.at` is the slot: when in the run the test runs. Slots such as `has-stopped-services` come late, because such requests have
 * stopped services. A store that others use gets no request of `has-broken-stores`. `scope.notApplicable` ends the test. `facts.removal` is
 * `over` after the removal of getPet. `raw`: the bytes are read from the socket, because HTTP clients hide content after HEAD, 204 and 304.
 */
import { requireHarmless } from '../fixtures/asking/vocabulary/harmful-probes.ts';
import { classifyAnswer, type Args } from '../fixtures/asking/client/test-arguments.ts';
import type { ClientCall } from '../fixtures/asking/client/client-call.ts';
import { findHeader, type Exchange, type Header } from '../fixtures/exchange/exchange.ts';
import { readMembers, writeJson } from '../fixtures/exchange/json.ts';
import { parseBody } from '../fixtures/exchange/read-body.ts';
import { INVENTED_METHOD } from '../fixtures/session/engine.ts';
import type { NewPet } from '../fixtures/interface/bodies.ts';
import type { RequirementId } from '../fixtures/interface/requirements.ts';
import { OF_EVERY_ERROR } from '../fixtures/interface/blame.ts';
import { observes, test, verifies } from '../fixtures/test.ts';
import { numberAnimal } from '../fixtures/session/animal-numbers.ts';

/** Requests with one reason for a refusal, their status and their promise. `draft`: an ordinary NewPet. */
const REFUSED: readonly (readonly [
  title: string,
  (args: Args, draft: NewPet) => ClientCall,
  status: number,
  RequirementId,
])[] = [
  [
    'a list without a key',
    ({ api }) => api.with({ credential: 'none' }).listPets(),
    401,
    'authentication.list-pets-missing-key',
  ],
  [
    'a NewPet without a name',
    ({ api }, { categoryId }) => api.createPet({ categoryId }),
    400,
    'create-pet.name-missing',
  ],
  [
    'a NewPet with a status that does not exist',
    // An Error may quote the name: a service may take it for a template, or mask what follows a word such as `key`.
    ({ api }, draft) =>
      api.createPet({ ...draft, name: `${draft.name} 100% fluffy %s Mickey`, status: 'unheard-of' }),
    400,
    'create-pet.status-values',
  ],
  ['a body that is not JSON', ({ api }) => api.createPet('{"name":"cs-'), 400, 'create-pet.body-malformed'],
  ['an unknown animal', ({ api, facts }) => api.getPet(makeUnknownId(facts.runId)), 404, 'get-pet.not-found'],
];

test.describe('Errors', () => {
  for (const [title, request, status, promise] of REFUSED)
    test(
      `answers ${title} with an Error, and with the same code each time`,
      verifies(...OF_EVERY_ERROR, 'errors.stable-code', promise),
      async ({ args }) => {
        // In read-only mode no createPet is sent, so any draft will do.
        const draft =
          args.facts.mode === 'read-only' ? { name: 'unsent', categoryId: 1 } : await args.given.newPet();
        // Both requests are sent together, so that few other requests come between them.
        const refused = () => request(args, draft).answers(status, 'Error');
        await Promise.all([refused(), refused()]);
      },
    );

  test(
    'answers createPet without a key with an Error',
    verifies(...OF_EVERY_ERROR, 'authentication.create-pet-missing-key'),
    async ({ api, given }) => {
      await api
        .with({ credential: 'none' })
        .createPet(await given.newPet('pending'))
        .answers(401, 'Error');
    },
  );

  test(
    'answers getPet without a key with an Error',
    verifies(...OF_EVERY_ERROR, 'authentication.get-pet-missing-key'),
    async ({ api, given }) => {
      const { pet } = await given.pet('sold');
      // A service may look for the animal first, in a copy that lags: the rule `credentials` judges a 404.
      await api.with({ credential: 'none' }).getPet(pet.id);
    },
  );

  test('answers other errors with an Error too', verifies('errors.undocumented'), async ({ api, scope }) => {
    const seen = await Promise.all([
      api.send('other', 'GET', '/unheard-of').requireResponse(),
      api.getPet('abc').requireResponse(),
    ]);
    if (seen.every(({ response }) => response.status < 400)) scope.notApplicable('nothing-refused');
  });

  test(
    'does not break down over any odd query',
    verifies.at('has-stopped-services', 'errors.no-server-error'),
    async ({ api }) => {
      const queries = [
        'limit=-1',
        'limit=99999999999999999999',
        'limit=%zz',
        'limit%5B%5D=1',
        'status=sold%00',
        'status=%FF',
      ];
      await Promise.all(queries.map((query) => api.listPets(query).requireResponse()));
    },
  );

  test(
    'does not break down over any odd path',
    verifies.at('has-stopped-services', 'errors.no-server-error'),
    async ({ api }) => {
      const ids = ['99999999999999999999', '1.5', '%00', '%E0%A4%A', '1%27', '9'.repeat(300)];
      await Promise.all([
        ...ids.map((id) => api.getPet(id).requireResponse()),
        api.send('other', 'GET', '/pets/1/unheard-of').requireResponse(),
        // The document shows no answer with the key (Other endpoints): the rules judge only a 5xx.
        api.storeOrders(),
      ]);
    },
  );

  // In these and the next tests the status does not exist, so a service that understands the rest adds nothing.
  for (const [title, contentType, headers, textBefore] of [
    ['a form', 'application/x-www-form-urlencoded', [], ''],
    ['text that is not a media type', 'json', [], ''],
    ['an unknown charset', 'application/json; charset=x-unheard-of', [], ''],
    ['an unknown content coding', 'application/json', [['Content-Encoding', 'x-unheard-of']], ''],
    ['bytes that are not gzip', 'application/json', [['Content-Encoding', 'gzip']], ''],
    ['a byte order mark', 'application/json', [], '\ufeff'],
  ] as const) {
    test(
      `does not break down over ${title}`,
      verifies.at('has-stopped-services', 'errors.no-server-error'),
      async ({ api, given }) => {
        const draft = await given.newPet();
        await api
          .with({ contentType, headers })
          .createPet(textBefore + writeJson({ ...draft, status: 'unheard-of' }))
          .requireResponse();
      },
    );
  }

  test(
    'does not break down over bytes that are not UTF-8',
    verifies.at('has-stopped-services', 'errors.no-server-error'),
    async ({ api, given }) => {
      const { categoryId } = await given.newPet();
      await api
        .createPet(
          Buffer.from(`{"name":"cs-\xff\xfe","categoryId":${categoryId},"status":"unheard-of"}`, 'latin1'),
        )
        .requireResponse();
    },
  );

  for (const [title, slot, member] of [
    ['half of a surrogate pair', 'has-broken-stores', (name: string) => `"name":"${name}\\ud83d"`],
    [
      'a member named __proto__',
      'has-stopped-services',
      (name: string) => `"name":"${name}","__proto__":{"status":7}`,
    ],
  ] as const) {
    test(
      `does not break down over ${title}`,
      verifies.at(slot, 'errors.no-server-error'),
      async ({ args, api, given }) => {
        if (slot === 'has-broken-stores') await requireHarmless(args, 'has-broken-stores');
        const { categoryId, name } = await given.newPet();
        await api
          .createPet(`{${member(name)},"categoryId":${categoryId},"status":"unheard-of"}`)
          .requireResponse();
      },
    );
  }

  test('says with a 405 what is allowed', verifies('errors.allow'), async ({ api, scope }) => {
    // Other tests ask for /pets.
    const seen = await Promise.all(
      ['OPTIONS', INVENTED_METHOD].map((method) => api.send('other', method, '/pets/1').requireResponse()),
    );
    if (seen.every(({ response }) => response.status !== 405)) scope.notApplicable('no-405');
  });

  test('sends no content in answer to HEAD', verifies('errors.no-content'), async ({ api }) => {
    await api.send('other', 'HEAD', '/unheard-of', { raw: true }).requireResponse();
  });

  test(
    'sends no content in answer to HEAD, and its content to GET right after it',
    verifies.at('newest-animal', 'errors.no-content'),
    async ({ api, facts, given }) => {
      // No test has read this animal before: it is added here.
      const { pet } = await given.pet('sold', numberAnimal('newest'));
      // No other test but generated queries asks for limit=97: only the answer to this HEAD can be in a cache.
      const paths = ['/pets?limit=97', ...(facts.removal === 'over' ? [] : [`/pets/${pet.id}`])];
      // Without `Cache-Control: no-cache`, a cache may keep the answer to HEAD. It must not send it for the GET that follows.
      const cached = api.with({ without: ['cache-control'] });
      await Promise.all(
        paths.map((path) => cached.send('other', 'HEAD', path, { raw: true }).requireResponse()),
      );
      await Promise.all([
        cached.listPets({ limit: 97 }),
        ...(paths.length > 1 ? [cached.getPet(pet.id)] : []),
      ]);
    },
  );

  test(
    'sends no content with a 204 or a 304',
    verifies('errors.no-content'),
    async ({ api, given, scope }) => {
      const { pet } = await given.pet();
      const origin: Header = ['Origin', 'https://example.org'];
      const seen = [
        // A browser asks so before it lets a page of another origin read the animal. Then it reads the animal.
        await api
          .with({ headers: [origin, ['Access-Control-Request-Method', 'GET']] })
          .send('other', 'OPTIONS', `/pets/${pet.id}`, { raw: true })
          .requireResponse(),
        await api
          .with({ headers: [origin] })
          .getPet(pet.id)
          .requireResponse(),
        await api
          .with({ headers: [['If-None-Match', '*']], raw: true })
          .listPets({ limit: 1 })
          .requireResponse(),
      ];
      if (!seen.some(({ response }) => response.status === 204 || response.status === 304))
        scope.notApplicable('never-without-content');
    },
  );
});

test.describe('Errors, whatever a client has kept', () => {
  test(
    'sends no content if an animal that has a validator is asked for again with it',
    verifies.at('may-stop-service', 'errors.no-content'),
    async ({ api, facts, given, scope }) => {
      if (facts.removal === 'over') scope.notApplicable('removed');
      const { pet } = await given.pet();
      const { response } = await api.getPet(pet.id);
      const validator = response === null ? undefined : findHeader(response, 'etag');
      if (validator === undefined) return scope.notApplicable('never-without-content');
      const again = api.with({ headers: [['If-None-Match', validator]], raw: true });
      if ((await again.getPet(pet.id).requireResponse()).response.status !== 304)
        return scope.notApplicable('never-without-content');
    },
  );
});

test.describe('Errors, open questions', () => {
  test('uses codes', observes.at('own-animals-late', 'errors.codes'), async ({ api, given, observe }) => {
    const draft = await given.newPet('pending');
    const seen: Exchange[] = await Promise.all([
      api.with({ credential: 'none' }).listPets().requireResponse(),
      api.createPet({ ...draft, status: 'unheard-of' }).requireResponse(),
      // The largest int64: hardly any animal has it.
      api.getPet(9_223_372_036_854_775_807n).requireResponse(),
    ]);
    observe(seen.map((exchange) => `${exchange.response?.status}=${readCode(exchange)}`).join(' '), seen);
  });

  test('prefers one of two errors', observes('errors.precedence'), async ({ api, observe }) => {
    const seen = [
      await api.with({ credential: 'none' }).createPet('{').requireResponse(),
      await api.with({ credential: 'none' }).getPet('abc').requireResponse(),
    ];
    observe(seen.map(classifyAnswer).join(' '), seen);
  });

  test(
    'limits the rate',
    observes.at('own-animals-late', 'errors.rate-limit'),
    async ({ api, given, observe }) => {
      const exchange = await api.listPets({ limit: 1 });
      const { rateLimited } = await given.store();
      const headers = (exchange.response?.headers ?? [])
        .map(([name]) => name.toLowerCase())
        .filter((name) => /^(x-)?ratelimit/.test(name));
      const announced = headers.length > 0 ? 'announces' : 'not-seen';
      observe(rateLimited ? 'answers-429' : announced, [exchange]);
    },
  );

  // This test sends nothing. Its slot is only late: by then the run has sent requests as most of the ordinary clients.
  test(
    'lets ordinary clients in',
    observes.at('may-stop-service', 'errors.refused-clients'),
    async ({ given, observe }) => {
      const { refusedClients } = await given.store();
      observe(refusedClients.length === 0 ? 'refuses-none' : `refuses ${refusedClients.join(', ')}`);
    },
  );

  for (const [question, method, path] of [
    ['errors.head', 'HEAD', '/pets'],
    ['errors.options', 'OPTIONS', '/pets'],
    ['errors.unknown-method', INVENTED_METHOD, '/pets'],
    ['errors.unknown-path', 'GET', '/unheard-of'],
    ['errors.trailing-slash', 'GET', '/pets/'],
  ] as const) {
    test(`answers ${method} ${path}`, observes(question), async ({ api, observe }) => {
      observe(await api.send('other', method, path).requireResponse());
    });
  }

  test('sends cross-origin headers', observes('errors.cross-origin'), async ({ api, observe }) => {
    const exchange = await api
      .with({ headers: [['Origin', 'https://example.org']] })
      .listPets({ limit: 1 })
      .requireResponse();
    observe(classifyOrigins(findHeader(exchange.response, 'access-control-allow-origin')), [exchange]);
  });
});

/** Returns an identifier far from counters and from the ends of int64: another one in each run. */
function makeUnknownId(runId: string): bigint {
  // The mark of the run has letters alone, so it is a number in base 36. The prime spreads these numbers.
  return 2n ** 62n + BigInt(Number.parseInt(runId, 36)) * 1_000_003n;
}

/** Returns the word for the origins in Access-Control-Allow-Origin. */
function classifyOrigins(allowed: string | undefined): string {
  if (allowed === undefined) return 'none';
  return allowed === '*' ? 'any-origin' : 'some-origins';
}

/** Returns the code of an Error, cut for reports; `none` if the body has no code. */
function readCode({ response }: Exchange): string {
  const { code } = readMembers(response === null ? undefined : parseBody(response));
  return typeof code === 'string' ? code.slice(0, 40) : 'none';
}
