/** The preflight: an address at which nothing can be judged ends a run with 2 or 3, and a sentence says what to change. */
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { expect, test } from '@playwright/test';
import { checkTarget, type Obstacle } from '../../../bin/run/preflight/preflight.ts';
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import { Reference, type Vary } from '../../../fixtures/reference/reference-service.ts';
import { serve } from '../../../fixtures/reference/serve.ts';
import { Engine } from '../../../fixtures/session/engine.ts';
import { drawMark } from '../../../fixtures/judgement/store/run-mark.ts';
import { openWire } from '../../../fixtures/session/transport/transport.ts';
import { SETTINGS } from '../../../fixtures/implementations/judge-variant.ts';
import { answerInstead, changeReplies } from '../../../fixtures/implementations/operators.ts';
import { makePage, makeRedirect, replaceStep } from '../../../fixtures/implementations/operators.ts';
import { unvaried } from '../samples/varied-reference.ts';
import { selfSigned } from '../samples/self-signed.ts';

/** Serves a service. Returns what the preflight says of the address that `spell` makes of the right one; null: it may be judged. */
async function checkService(
  vary: Vary,
  spell: (baseUrl: string) => string = (baseUrl) => baseUrl,
): Promise<{ obstacle: Obstacle | null; served: string }> {
  const key = drawKey();
  const served = await serve({ key, Service: vary(Reference) });
  const obstacle = await checkAddress(spell(served.baseUrl), key);
  await served.close();
  return { obstacle, served: served.baseUrl };
}

/** Returns what the preflight says of this address; null: it may be judged. */
async function checkAddress(baseUrl: string, key = drawKey()): Promise<Obstacle | null> {
  const wire = openWire({ origin: new URL(baseUrl), timeout: 2_000, network: SETTINGS.network });
  const obstacle = await checkTarget(new Engine({ ...SETTINGS, baseUrl, key, seed: 1 }, wire, drawMark()));
  wire.close();
  return obstacle;
}

/** Answers every request in one way, whatever the key. */
const answerAll = (reply: (call: Call, service: Reference) => Reply) =>
  answerInstead('answer', () => true, reply);
/** Answers requests for which `when` holds with a server error. */
const failWhen = (status: number, when: (call: Call) => boolean) =>
  answerInstead('answer', when, (call, service) => service.error(status, 'failed', 'it failed', call));
const login = answerAll(() => makePage(200, '<form action="/login"></form>'));
const withoutVersion = (baseUrl: string) => baseUrl.replace(/\/v1$/, '');
/** A part of the message: it names the right address, which replaces SERVED. */
const RIGHT = 'SERVED answers like this interface';
const pages = answerInstead(
  'authenticate',
  ({ operation }) => operation === 'other',
  () => makePage(200, '<h1>Welcome</h1>'),
);
/** Refuses the right key, and serves everybody else. */
const inverted = replaceStep(
  'authenticate',
  (usual, service) => async (call) => ((await usual(call)) === null ? service.unauthorized(call) : null),
);
const redirecting = (to: string) =>
  answerAll(({ headers }) => makeRedirect(308, to.replace('HOST', headers.host ?? '')));
const largeList = changeReplies(
  ({ status }, { operation }) => status === 200 && operation === 'listPets',
  () => ({ body: `[${' '.repeat(2 * 1024 * 1024)}]` }),
);

/** Services, and how their preflight ends. Without an exit code the service is judged. `spell` changes its address. */
const CASES: readonly (readonly [
  title: string,
  vary: Vary,
  exitCode?: 2 | 3,
  says?: string | RegExp,
  spell?: (baseUrl: string) => string,
])[] = [
  ['a service that answers', unvaried],
  ['an address that ends in /pets', unvaried, 2, RIGHT, (baseUrl) => `${baseUrl}/pets`],
  ['an address that lacks /v1', unvaried, 2, RIGHT, withoutVersion],
  ['an address that has its version twice', unvaried, 2, RIGHT, (baseUrl) => `${baseUrl}/V1.0`],
  ['an address that has /pets for /v1', unvaried, 2, RIGHT, (baseUrl) => baseUrl.replace(/\/v1$/, '/pets')],
  ['an address without /v1 where unknown paths are pages for everybody', pages, 2, RIGHT, withoutVersion],
  // A redirect is judged if no other BASE_URL avoids it. Behind a proxy, a service often writes https for http when it adds a slash.
  ['a redirect to the path with a slash at its end', redirecting('/v1/pets/')],
  ['a redirect to the path with a slash at its end and another scheme', redirecting('https://HOST/v1/pets/')],
  ['a redirect to a login page of the same host', redirecting('/login')],
  ['a redirect to https', redirecting('https://HOST/v1/pets'), 2, 'GET /pets redirects to "http'],
  ['a redirect to another host', redirecting('http://127.0.0.1:1/login'), 2, 'GET /pets redirects to "http'],
  ['502 to everything', failWhen(502, () => true), 3, /^The target is down: [^\n]+$/],
  ['500 to lists alone', failWhen(500, ({ operation }) => operation === 'listPets')],
  ['a service that comes up within two seconds', failWhen(503, ({ count }) => count <= 3)],
  [
    'a login page in the place of the service',
    login,
    2,
    /^GET \/pets gets a page of HTML \(200 OK\), with the key and without: a login page or a proxy\?$/,
  ],
  [
    'a login page at an address without /v1',
    login,
    2,
    'Is the path prefix of BASE_URL right? It ends in /v1.',
    withoutVersion,
  ],
  [
    'a service that refuses the right key and serves everybody else',
    inverted,
    2,
    /^The target refuses the key \(401\)\. .*The same request without the key was served \(200 OK\)/,
  ],
  ['a first list that is too large to be read', largeList],
];
for (const [title, vary, exitCode, says = '', spell] of CASES)
  test(`${title}: ${exitCode === undefined ? 'judged' : `exit ${exitCode}`}`, async () => {
    const { obstacle, served } = await checkService(vary, spell);
    expect(obstacle?.exitCode).toBe(exitCode);
    if (exitCode !== undefined)
      expect(obstacle?.message).toEqual(
        typeof says === 'string'
          ? expect.stringContaining(says.replace('SERVED', served))
          : expect.stringMatching(says),
      );
  });

test('an address that redirects to the interface: exit 2, and the message has the right address', async () => {
  const key = drawKey();
  const elsewhere = answerInstead(
    'authenticate',
    ({ path }) => path === '/shop/pets',
    () => makeRedirect(302, '/api/pets'),
  );
  const served = await serve({ key, Service: elsewhere(Reference), basePath: '/api' });
  const { origin } = new URL(served.baseUrl);
  const obstacle = await checkAddress(`${origin}/shop`, key);
  await served.close();
  expect(obstacle).toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(`${origin}/api answers like this interface`),
  });
});

test('an address with https where the target speaks no TLS: exit 3, and the next command has http', async () => {
  const { obstacle, served } = await checkService(unvaried, (baseUrl) => baseUrl.replace('http:', 'https:'));
  expect(obstacle).toMatchObject({
    exitCode: 3,
    remedy: { told: 'The target does not speak TLS there.', variables: { BASE_URL: served } },
  });
});

/** Starts a server that speaks TLS. Returns what the preflight says of its address with this scheme, and its host and port. */
async function checkTlsServer(scheme: string, make: (own: { key: string; cert: string }) => Server) {
  const { key, certificate } = selfSigned();
  const server = make({ key, cert: certificate });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const obstacle = await checkAddress(`${scheme}://${authority}/v1`);
  server.close();
  return { obstacle, authority };
}

test('a target that speaks only HTTP/2: exit 3, and the message says that it offers no HTTP/1.1', async () => {
  const { obstacle } = await checkTlsServer('https', createSecureServer);
  expect(obstacle?.exitCode).toBe(3);
  expect(obstacle?.remedy?.told).toContain('offers no HTTP/1.1');
});

test('an address with http where the target speaks TLS: the message has the address with https', async () => {
  const { obstacle, authority } = await checkTlsServer('http', createServer);
  expect(obstacle?.remedy?.told).toContain(`BASE_URL=https://${authority}/v1`);

  // Servers such as nginx answer plain HTTP at their TLS port with this page.
  const plainHttp = makePage(400, '<h1>The plain HTTP request was sent to HTTPS port</h1>');
  const { obstacle: ofPage, served } = await checkService(answerAll(() => plainHttp));
  expect(ofPage).toMatchObject({
    exitCode: 2,
    message: `The target speaks TLS there: set BASE_URL to ${served.replace('http:', 'https:')}.`,
  });
});

test('an address where nobody listens: the message says so', async () => {
  const { served } = await checkService(unvaried);
  expect((await checkAddress(served))?.remedy?.told).toMatch(/^Nobody listens there/);
});
