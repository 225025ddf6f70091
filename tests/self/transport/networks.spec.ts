import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { expect, test } from '@playwright/test';
import { findLeaks } from '../../../bin/prove/hostile/leaks.ts';
import type { Call } from '../../../fixtures/reference/call.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import { against, command } from '../samples/command.ts';
import { selfSigned } from '../samples/self-signed.ts';

const GATEWAY = 'gateway-secret-of-some-length';
const PASSWORD = 'proxy-password-of-some-length';
const PASSPHRASE = 'passphrase-of-some-length';
const ONE = ['--only', 'list-pets.limit'];

const sockets = new Set<Socket>();
const servers = new Set<Server>();
test.afterEach(() => {
  for (const each of sockets) each.destroy();
  for (const each of servers) each.close();
});

async function listening(server: Server): Promise<number> {
  servers.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Joins two sockets until either ends. */
function joined(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    sockets.add(from.on('error', () => to.destroy()).on('close', () => to.destroy()));
    from.pipe(to);
  }
}

const behindGateway: Vary = (Base) =>
  class extends Base {
    override async handle(call: Call): Promise<void> {
      if (call.headers['x-gateway'] === GATEWAY) await super.handle(call);
      else call.outgoing.writeHead(511).end();
    }
  };

test(
  'a run reaches its target over a proxy, TLS with its own authority, a client certificate and a gateway, and keeps their secrets',
  { tag: '@long' },
  async () => {
    const [server, client] = [selfSigned(), selfSigned()];
    await against(behindGateway, async ({ BASE_URL, API_KEY }) => {
      let tunnels = 0;
      const secure = createTls(
        {
          cert: server.certificate,
          key: server.key,
          ca: client.certificate,
          requestCert: true,
          rejectUnauthorized: true,
        },
        (socket) => joined(socket, connect(Number(new URL(BASE_URL).port), '127.0.0.1')),
      );
      const port = await listening(secure.on('tlsClientError', () => {}));
      const proxy = createProxy().on('connect', ({ headers, url }, socket: Socket) => {
        if (headers['proxy-authorization'] !== `Basic ${Buffer.from(`user:${PASSWORD}`).toString('base64')}`)
          return void socket.end('HTTP/1.1 407 No\r\n\r\n');
        tunnels += 1;
        const onward = connect(Number(new URL(`http://${url}`).port), '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          joined(socket, onward);
        });
      });
      const proxyPort = await listening(proxy);
      const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
      const elsewhere = mkdtempSync(join(tmpdir(), 'conformance-test-'));
      const file = (name: string, text: string) => {
        writeFileSync(join(elsewhere, name), text);
        return join(elsewhere, name);
      };
      const env = {
        BASE_URL: `https://localhost:${port}/v1`,
        API_KEY,
        CA_FILE: file('ca.pem', server.certificate),
        CLIENT_CERT_FILE: file('client.pem', client.certificate),
        CLIENT_KEY_FILE: file('client.key', client.encryptedKey(PASSPHRASE)),
        CLIENT_KEY_PASSPHRASE_FILE: file('passphrase', `${PASSPHRASE}\n`),
        HEADERS_FILE: file('headers.json', JSON.stringify({ 'X-Gateway': GATEWAY })),
        HTTPS_PROXY: `http://user:${PASSWORD}@127.0.0.1:${proxyPort}`,
      };
      const { err, out, report } = await command('conformance', ONE, env, folder);
      expect(err).toBe('');
      expect(report?.requirements.map(({ id, verdict }) => [id, verdict])).toEqual([
        ['list-pets.limit', 'pass'],
      ]);
      expect(tunnels).toBeGreaterThan(0);
      for (const secret of [API_KEY, GATEWAY, PASSWORD, PASSPHRASE])
        expect(findLeaks(secret, folder, { out, err })).toEqual([]);
    });
  },
);
