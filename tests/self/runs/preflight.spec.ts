import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
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
import { makeRedirect } from '../../../fixtures/implementations/operators.ts';
import { selfSigned } from '../samples/self-signed.ts';

const plainly: Vary = (Base) => Base;

/** Returns the preflight's finding on a service whose address is spelled by `spell`. */
async function looked(
  vary: Vary,
  spell: (baseUrl: string) => string = (baseUrl) => baseUrl,
): Promise<{ obstacle: Obstacle | null; served: string }> {
  const key = drawKey();
  const served = await serve({ key, Service: vary(Reference) });
  const obstacle = await lookedAt(spell(served.baseUrl), key);
  await served.close();
  return { obstacle, served: served.baseUrl };
}

/** Returns the preflight's finding on the service at that address. */
async function lookedAt(baseUrl: string, key = drawKey()): Promise<Obstacle | null> {
  const wire = openWire({ origin: new URL(baseUrl), timeout: 2_000, network: SETTINGS.network });
  const obstacle = await checkTarget(new Engine({ ...SETTINGS, baseUrl, key, seed: 1 }, wire, drawMark()));
  wire.close();
  return obstacle;
}

const LOGIN: Reply = {
  status: 200,
  headers: [['Content-Type', 'text/html']],
  body: '<form action="/login"></form>',
};

/** Answers everything so, whatever the key. */
function always(reply: (service: Reference, call: Call) => Reply): Vary {
  return (Base) =>
    class extends Base {
      override async answer(call: Call): Promise<Reply> {
        return reply(this, call);
      }
    };
}

/** Answers with server errors, or what the reference says, as long as `when` holds. */
function failing(status: number, when: (call: Call) => boolean, retryAfter?: string): Vary {
  return (Base) =>
    class extends Base {
      override async answer(call: Call): Promise<Reply> {
        if (!when(call)) return super.answer(call);
        const reply = this.error(status, 'failed', 'the service failed', call);
        return retryAfter === undefined
          ? reply
          : { ...reply, headers: [...reply.headers, ['Retry-After', retryAfter]] };
      }
    };
}

test('a service that answers is judged', async () => {
  expect((await looked(plainly)).obstacle).toBeNull();
});

for (const [title, spell] of [
  ['ends in /pets', (baseUrl: string) => `${baseUrl}/pets`],
  ['lacks /v1', (baseUrl: string) => baseUrl.replace(/\/v1$/, '')],
  ['has another version', (baseUrl: string) => baseUrl.replace(/\/v1$/, '/v2')],
  ['has its version twice', (baseUrl: string) => `${baseUrl}/V1.0`],
  ['has /pets in the place of /v1', (baseUrl: string) => baseUrl.replace(/\/v1$/, '/pets')],
] as const) {
  test(`an address that ${title} is exit 2, and the right one is named in full`, async () => {
    const { obstacle, served } = await looked(plainly, spell);
    expect(obstacle?.exitCode).toBe(2);
    expect(obstacle?.message).toContain(`${served} answers like this interface`);
  });
}

test('the right address is named also where unknown paths are pages of HTML for everybody', async () => {
  const pages: Vary = (Base) =>
    class extends Base {
      override async authenticate(call: Call): Promise<Reply | null> {
        if (call.operation !== 'other') return super.authenticate(call);
        return { status: 200, headers: [['Content-Type', 'text/html']], body: '<h1>Welcome</h1>' };
      }
    };
  const { obstacle, served } = await looked(pages, (baseUrl) => baseUrl.replace(/\/v1$/, ''));
  expect(obstacle?.exitCode).toBe(2);
  expect(obstacle?.message).toContain(`${served} answers like this interface`);
});

for (const [to, exitCode] of [
  ['/v1/pets/', null],
  ['https://HOST/v1/pets/', null], // a service behind a proxy often writes the wrong scheme
  ['/login', null],
  ['', null],
  ['https://HOST/v1/pets', 2],
  ['http://127.0.0.1:1/login', 2],
] as const)
  test(`a service that redirects everybody to "${to}" is ${exitCode === null ? 'judged' : 'at another address'}`, async () => {
    const { obstacle } = await looked(
      always((_, { headers }) => makeRedirect(308, to.replace('HOST', headers.host ?? ''))),
    );
    expect(obstacle?.exitCode ?? null).toBe(exitCode);
    if (exitCode !== null) expect(obstacle?.message).toContain('GET /pets redirects to "http');
  });

test('an address that redirects to the interface is exit 2, and the right one is named', async () => {
  const key = drawKey();
  const elsewhere: Vary = (Base) =>
    class extends Base {
      override async authenticate(call: Call): Promise<Reply | null> {
        return call.path === '/shop/pets' ? makeRedirect(302, '/api/pets') : super.authenticate(call);
      }
    };
  const served = await serve({ key, Service: elsewhere(Reference), basePath: '/api' });
  const { origin } = new URL(served.baseUrl);
  const obstacle = await lookedAt(`${origin}/shop`, key);
  await served.close();
  expect(obstacle).toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(`${origin}/api answers like this interface`),
  });
});

for (const [title, vary] of [
  ['without a time', failing(502, () => true)],
  ['with Retry-After', failing(500, () => true, '5')],
] as const) {
  test(`server errors to everything, ${title}, are no verdict: the target is down`, async () => {
    const { obstacle } = await looked(vary);
    expect(obstacle?.exitCode).toBe(3);
    expect(obstacle?.message).toMatch(/^The target is down: [^\n]+$/);
  });
}

test('a service that fails at lists alone is judged', async () => {
  expect((await looked(failing(500, ({ operation }) => operation === 'listPets'))).obstacle).toBeNull();
});

test('a service that comes up within two seconds is judged', async () => {
  expect((await looked(failing(503, ({ count }) => count <= 3))).obstacle).toBeNull();
});

test('a login page in the place of the service is told as one, and only an address without /v1 may lack it', async () => {
  const { obstacle } = await looked(always(() => LOGIN));
  expect(obstacle).toMatchObject({
    exitCode: 2,
    message: 'GET /pets gets a page of HTML (200 OK), with the key and without: a login page or a proxy?',
  });
  const short = await looked(
    always(() => LOGIN),
    (baseUrl) => baseUrl.replace(/\/v1$/, ''),
  );
  expect(short.obstacle?.message).toContain('Is the path prefix of BASE_URL right? It ends in /v1.');
});

test('a service that refuses the right key and serves everybody else is told as that', async () => {
  const inverted: Vary = (Base) =>
    class extends Base {
      override async authenticate(call: Call): Promise<Reply | null> {
        return (await super.authenticate(call)) === null ? this.unauthorized(call) : null;
      }
    };
  const { obstacle } = await looked(inverted);
  expect(obstacle?.exitCode).toBe(2);
  expect(obstacle?.message).toMatch(
    /^The target refuses the key \(401\)\. .*The same request without the key was served \(200 OK\)/,
  );
});

test('https where no TLS is spoken: the command that follows has the other scheme', async () => {
  const { obstacle, served } = await looked(plainly, (baseUrl) => baseUrl.replace('http:', 'https:'));
  expect(obstacle).toMatchObject({
    exitCode: 3,
    remedy: { told: 'The target does not speak TLS there.', variables: { BASE_URL: served } },
  });
});

test('a target that speaks HTTP/2 alone is told to offer no HTTP/1.1', async () => {
  const { key, certificate } = selfSigned();
  const server = createSecureServer({ key, cert: certificate });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const obstacle = await lookedAt(`https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  server.close();
  expect(obstacle?.exitCode).toBe(3);
  expect(obstacle?.remedy?.told).toContain('offers no HTTP/1.1');
});

test('http where TLS is spoken: the address with the other scheme is named', async () => {
  const { key, certificate } = selfSigned();
  const server = createServer({ key, cert: certificate });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const obstacle = await lookedAt(`http://${authority}/v1`);
  server.close();
  expect(obstacle?.remedy?.told).toContain(`BASE_URL=https://${authority}/v1`);

  const telling = always(() => ({
    status: 400,
    headers: [['Content-Type', 'text/html']],
    body: '<h1>The plain HTTP request was sent to HTTPS port</h1>',
  }));
  const { obstacle: told, served } = await looked(telling);
  expect(told).toMatchObject({
    exitCode: 2,
    message: `The target speaks TLS there: set BASE_URL to ${served.replace('http:', 'https:')}.`,
  });
});

test('nobody listens at an address: the advice comes from what went wrong, not from the words of it', async () => {
  const { served } = await looked(plainly);
  expect((await lookedAt(served))?.remedy?.told).toMatch(/^Nobody listens there/);
});

test('a first list that is too large to be read is an answer', async () => {
  const { obstacle } = await looked(
    (Base) =>
      class extends Base {
        override async listPets(call: Call): Promise<Reply> {
          return { ...(await super.listPets(call)), body: `[${' '.repeat(2 * 1024 * 1024)}]` };
        }
      },
  );
  expect(obstacle).toBeNull();
});
