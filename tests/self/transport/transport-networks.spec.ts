/** The way to the target over networks: a proxy, TLS with its own authority, a client certificate, a gateway. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { expect, test } from '@playwright/test';
import { findLeaks } from '../../../bin/prove/hostile/leaks.ts';
import { replaceStep } from '../../../fixtures/implementations/operators.ts';
import type { Network } from '../../../fixtures/settings/settings.ts';
import { openWire } from '../../../fixtures/session/transport/transport.ts';
import { isExcepted } from '../../../fixtures/settings/proxy.ts';
import { withReference } from '../samples/varied-reference.ts';
import { runCommand, makeFolder } from '../samples/command.ts';
import { selfSigned } from '../samples/self-signed.ts';
import { DIRECT, GET, LATE, SOON, closedAfterwards, receive, says, serveLoopback } from './loopback.ts';
import { EMPTY_LIST, type Serving } from './loopback.ts';

const makePair = () => {
  const { key, certificate } = selfSigned();
  return { key, cert: certificate };
};
const UNREACHABLE = { kind: 'unreachable', arrived: false } as const;

test.describe('the proxy', () => {
  const [PLAIN, SECURE] = ['http://pets.example/v1', 'https://pets.example/v1'];
  /** Titles, and whether NO_PROXY with this text lets requests to the address bypass the proxy. */
  const EXCEPTED: Record<string, [baseUrl: string, text: string, isExcepted: boolean]> = {
    'for a target that no entry names': [PLAIN, '', false],
    'not for a named host': [SECURE, 'other, pets.example', true],
    'not for a subdomain': [SECURE, '.example', true],
    'for a host that only ends in a named host': ['https://mypets.example/v1', 'pets.example', false],
    'for another port': ['https://pets.example:8443/v1', 'pets.example:443', false],
    'not for an address range': ['http://10.1.2.3/v1', '10.0.0.0/8', true],
    'not for an IPv6 address': ['http://[::1]:80/v1', '[::1]:80', true],
    'not for any host, if the entry is *': ['http://localhost/v1', '*', true],
  };
  for (const [what, [baseUrl, text, expected]] of Object.entries(EXCEPTED))
    test(what, () => expect(isExcepted(baseUrl, text)).toBe(expected));

  const through = (proxy: Serving, origin: string) =>
    wireOver(new URL(origin), { proxy: `http://user:pass@${proxy.origin.host}` });

  test('is asked for the whole address, with its own credentials', async () => {
    const proxy = await serveLoopback(says(EMPTY_LIST));
    const wire = through(proxy, 'http://pets.example:8080');
    await receive(wire.send({ ...GET, raw: true }));
    expect(proxy.arrivals[0]).toMatch(
      /^GET http:\/\/pets\.example:8080\/v1\/pets HTTP\/1\.1\r\nHost: pets\.example:8080\r\n/,
    );
    expect(proxy.arrivals[0]).toContain(
      `Proxy-Authorization: Basic ${Buffer.from('user:pass').toString('base64')}`,
    );
  });

  test('that refuses a tunnel is named without its credentials', async () => {
    const proxy = await serveLoopback(
      says('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n'),
    );
    const wire = through(proxy, 'https://pets.example');
    expect(await wire.send(GET)).toEqual({
      error: { ...UNREACHABLE, message: 'the proxy answered 407 to CONNECT', cause: 'proxy' },
    });
  });
});

test.describe('over TLS', () => {
  test('trusts a named authority, and no other', async () => {
    const pair = makePair();
    const { origin } = await serveTls(pair);
    expect(await wireOver(origin).send(GET)).toEqual({
      connection: 1,
      error: { ...UNREACHABLE, message: 'no connection (DEPTH_ZERO_SELF_SIGNED_CERT)', cause: 'not-trusted' },
    });
    const wire = wireOver(origin, { ca: pair.cert });
    for (const method of ['GET', 'POST']) expect(await bodyOf(wire.send({ ...GET, method }))).toBe('false');
    expect(await receive(wire.send({ ...GET, raw: true }))).toMatchObject({
      answer: { status: 200, rawContentLength: 5 },
    });
  });

  test('the name is checked against the address, not against a Host header', async () => {
    const pair = makePair();
    const { origin } = await serveTls(pair);
    const gateway = { ...GET, headers: [['Host', 'gateway.example']] as const };
    expect(await bodyOf(wireOver(origin, { ca: pair.cert }).send(gateway))).toBe('false');
    const other = await serveTls(pair, '127.0.0.2');
    expect(await wireOver(other.origin, { ca: pair.cert }).send(GET)).toEqual({
      connection: 1,
      error: { ...UNREACHABLE, message: expect.stringContaining('ALTNAME'), cause: 'not-trusted' },
    });
  });

  test('a client certificate is sent if there is one', async () => {
    const pair = makePair();
    const { origin } = await serveTls({ ...pair, ca: pair.cert, requestCert: true });
    const client = { ca: pair.cert, clientCertificate: pair.cert, clientKey: pair.key };
    expect(await bodyOf(wireOver(origin, client).send(GET))).toBe('true');
    const strict = await serveTls({ ...pair, ca: pair.cert, requestCert: true, rejectUnauthorized: true });
    expect(await wireOver(strict.origin, { ca: pair.cert }).send(GET)).toMatchObject({ error: UNREACHABLE });
  });

  test('an endless handshake ends at the deadline', async () => {
    const server = await serveLoopback(says(Buffer.from('16030300', 'hex')));
    const wire = wireOver(new URL(`https://${server.origin.host}`), {}, SOON);
    expect(await wire.send(GET)).toMatchObject({ error: { kind: 'timeout', arrived: false } });
    await server.idle();
  });

  test('a port that speaks plain HTTP is unreachable', async () => {
    const server = await serveLoopback(says(EMPTY_LIST));
    expect(await wireOver(new URL(`https://${server.origin.host}`)).send(GET)).toMatchObject({
      error: UNREACHABLE,
    });
  });

  test('a proxy carries the tunnel and sees no header', async () => {
    const pair = makePair();
    const { origin } = await serveTls(pair);
    const seen: string[] = [];
    const { host } = await listening(makeProxy(Number(origin.port), seen));
    const wire = wireOver(origin, { ca: pair.cert, proxy: `http://${host}` });
    for (const method of ['GET', 'GET', 'POST']) {
      expect(await bodyOf(wire.send({ ...GET, method, headers: [['Authorization', 'Bearer secret']] }))).toBe(
        'false',
      );
    }
    // GETs share one connection, and the POST has another: two tunnels.
    expect(seen).toHaveLength(2);
    expect(seen.join()).toMatch(new RegExp(`^${origin.host} `));
    expect(seen.join()).not.toContain('secret');
  });

  test('a CA without a certificate, and a proxy of another scheme, are refused at once', () => {
    const origin = new URL('https://pets.example');
    expect(() => wireOver(origin, { ca: 'nonsense' })).toThrow('cannot be read');
    expect(() => wireOver(origin, { proxy: 'socks5://user:pass@proxy' })).toThrow(
      /^the proxy must be an http or https address$/,
    );
  });
});

function wireOver(origin: URL, network: Partial<Network> = {}, timeout = LATE) {
  return closedAfterwards(openWire({ origin, timeout, network: { ...DIRECT, ...network } }));
}

async function bodyOf(sent: Parameters<typeof receive>[0]) {
  return Buffer.from((await receive(sent)).answer.body).toString();
}

/** Starts a server that answers `true` if the client has shown a certificate that the server trusts, else `false`. */
async function serveTls(options: ServerOptions, address = '127.0.0.1'): Promise<{ origin: URL }> {
  const server = createServer({ rejectUnauthorized: false, ...options }, ({ socket }, response) => {
    response.end(String('authorized' in socket && socket.authorized));
  });
  const { host } = await listening(server, address);
  return { origin: new URL(`https://${host}`) };
}

async function listening(server: Server, address = '127.0.0.1'): Promise<{ host: string; port: number }> {
  closedAfterwards({ close: () => void server.close() });
  await once(server.listen(0, address), 'listening');
  const { port } = server.address() as AddressInfo;
  return { host: `${address}:${port}`, port };
}

/** Joins two sockets until either ends. */
const joinSockets = (one: Socket, other: Socket) => {
  closedAfterwards({ close: () => void one.destroy() });
  one
    .on('error', () => other.destroy())
    .pipe(other.on('error', () => one.destroy()))
    .pipe(one);
};

/** A proxy whose tunnels all lead to that port. `seen` gets the address and the headers of each CONNECT. */
const makeProxy = (port: number, seen: string[]) =>
  createProxy().on('connect', ({ url, rawHeaders }, socket: Socket) => {
    seen.push(`${url} ${rawHeaders.join(' ')}`);
    joinSockets(
      connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n')),
      socket,
    );
  });

const [GATEWAY, PASSWORD, PASSPHRASE] = ['gateway', 'proxy-password', 'passphrase'].map(
  (each) => `${each}-secret-of-some-length`,
) as [string, string, string];
/** The service behind a gateway, which answers 511 to a request without the header of HEADERS_FILE. */
const behindGateway = replaceStep('handle', (usual) => async (call) => {
  if (call.headers['x-gateway'] === GATEWAY) await usual(call);
  else call.outgoing.writeHead(511).end();
});

test('a run gets through a proxy, TLS with a client certificate, and a gateway, and shows no secret of them @long', async () => {
  const [server, client] = [selfSigned(), selfSigned()];
  const [folder, elsewhere] = [1, 2].map(() => makeFolder()) as [string, string];
  const writeFile = (name: string, text: string) => {
    writeFileSync(join(elsewhere, name), text);
    return join(elsewhere, name);
  };
  await withReference(behindGateway, async ({ BASE_URL, API_KEY }) => {
    const { key, certificate: cert } = server;
    const requiring = { ca: client.certificate, requestCert: true, rejectUnauthorized: true };
    const secure = createTls({ cert, key, ...requiring }, (socket) =>
      joinSockets(socket, connect(Number(new URL(BASE_URL).port), '127.0.0.1')),
    );
    const { port } = await listening(secure.on('tlsClientError', () => {}));
    const tunnels: string[] = [];
    const proxy = await listening(makeProxy(port, tunnels));
    const env = {
      BASE_URL: `https://localhost:${port}/v1`,
      API_KEY,
      CA_FILE: writeFile('ca.pem', cert),
      CLIENT_CERT_FILE: writeFile('client.pem', client.certificate),
      CLIENT_KEY_FILE: writeFile('client.key', client.encryptedKey(PASSPHRASE)),
      CLIENT_KEY_PASSPHRASE_FILE: writeFile('passphrase', `${PASSPHRASE}\n`),
      HEADERS_FILE: writeFile('headers.json', JSON.stringify({ 'X-Gateway': GATEWAY })),
      HTTPS_PROXY: `http://user:${PASSWORD}@${proxy.host}`,
    };
    const { err, out, report } = await runCommand('conformance', ['--only', 'list-pets.limit'], env, folder);
    expect(err).toBe('');
    expect(report?.requirements).toMatchObject([{ id: 'list-pets.limit', verdict: 'pass' }]);
    expect(tunnels[0]).toContain(`Basic ${Buffer.from(`user:${PASSWORD}`).toString('base64')}`);
    for (const secret of [API_KEY, GATEWAY, PASSWORD, PASSPHRASE])
      expect(findLeaks(secret, folder, { out, err })).toEqual([]);
  });
});
