import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import type { WireRequest } from '../../../fixtures/session/transport/transport.ts';
import {
  answered,
  encoded,
  GET,
  OK,
  repeats,
  says,
  saysAndEnds,
  serveLoopback,
  sized,
  wireTo,
  type LoopbackConduct,
} from './loopback.ts';

const EARLY = 'HTTP/1.1 103 Early Hints\r\n\r\n';

test.describe('hands over', () => {
  const body = '[{"id":1}]';
  const bytes = Buffer.from(body);
  for (const [what, answer] of [
    ['a plain body', sized(bytes)],
    [
      'chunks',
      `${OK}Transfer-Encoding: chunked\r\n\r\n4;x=y\r\n[{"i\r\n6\r\nd":1}]\r\n0\r\nX-Trailer: a\r\n\r\n`,
    ],
    ['gzip', encoded(gzipSync(bytes), 'gzip')],
    ['x-gzip in capitals', encoded(gzipSync(bytes), 'X-GZIP')],
    ['deflate', encoded(deflateSync(bytes), 'deflate')],
    ['bare deflate', encoded(deflateRawSync(bytes), 'deflate')],
    ['brotli', encoded(brotliCompressSync(bytes), 'br')],
    ['identity', encoded(bytes, 'identity')],
    ['a chain', encoded(brotliCompressSync(gzipSync(bytes)), 'gzip, identity, br')],
    [
      'a chain over two headers',
      sized(brotliCompressSync(gzipSync(bytes)), 'Content-Encoding: gzip', 'Content-Encoding: br'),
    ],
    [
      'an answer behind informational ones',
      Buffer.concat([Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${EARLY}`), sized(bytes)]),
    ],
    ['a body that goes on behind its length', Buffer.concat([sized(bytes), Buffer.from('more')])],
  ] as const) {
    test(what, async () => {
      const { answer: received } = await answered(wireTo(await serveLoopback(says(answer))).send(GET));
      expect(received).toMatchObject({ status: 200, undecodable: null });
      expect(Buffer.from(received.body).toString()).toBe(body);
    });
  }

  test('a body that ends with the connection', async () => {
    const { answer } = await answered(
      wireTo(await serveLoopback(saysAndEnds(`HTTP/1.0 200 OK\r\n\r\n${body}`))).send(GET),
    );
    expect(Buffer.from(answer.body).toString()).toBe(body);
  });

  for (const [what, coding, content] of [
    ['an unknown coding', 'zstd', bytes],
    ['no gzip', 'gzip', bytes],
    ['half of a gzip stream', 'gzip', gzipSync(bytes).subarray(0, 15)],
    ['half of a brotli stream', 'br', brotliCompressSync(bytes).subarray(0, 5)],
    ['four codings', 'gzip, gzip, gzip, gzip', bytes],
    ['a coding named like a member of every object', 'constructor', bytes],
  ] as const) {
    test(`${what} as it came`, async () => {
      const { answer } = await answered(
        wireTo(await serveLoopback(says(encoded(content, coding)))).send(GET),
      );
      expect(answer.undecodable).toMatch(/cod|stream/);
      expect(Buffer.from(answer.body)).toEqual(Buffer.from(content));
    });
  }

  test('headers as they stood, repeated ones too, however many', async () => {
    const many = Array.from({ length: 1_500 }, (_, at) => `X-${at}: a`).join('\r\n');
    const server = await serveLoopback(
      says(`HTTP/1.1 204 Nothing here\r\nsEt-cOOKie: a\r\nSet-Cookie: b\r\n${many}\r\n\r\n`),
    );
    const { answer } = await answered(wireTo(server).send(GET));
    expect([answer.statusText, ...answer.headers.slice(0, 2)]).toEqual([
      'Nothing here',
      ['sEt-cOOKie', 'a'],
      ['Set-Cookie', 'b'],
    ]);
    expect(answer.headers).toHaveLength(1_502);
  });

  test('a redirect, and follows it nowhere', async () => {
    const server = await serveLoopback(
      says('HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n'),
    );
    expect(await answered(wireTo(server).send(GET))).toMatchObject({ answer: { status: 302 } });
    expect(server.heads).toHaveLength(1);
  });
});

test('closes a connection whose server takes an offered protocol, and waits for nothing', async () => {
  const server = await serveLoopback(
    says('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'),
  );
  const headers = [
    ['Connection', 'Upgrade, HTTP2-Settings'],
    ['Upgrade', 'h2c'],
  ] as const;
  expect(await wireTo(server).send({ ...GET, headers })).toMatchObject({ error: { kind: 'cut' } });
  await server.idle();
});

test.describe('looked at below HTTP', () => {
  const late: LoopbackConduct = (socket) =>
    void socket.write(`${OK}\r\n`, () => setTimeout(() => socket.end('12345'), 50));
  const HEAD: WireRequest = { ...GET, method: 'HEAD', raw: true };
  for (const [what, request, conduct, status, length] of [
    ['HEAD without content', HEAD, says(`${OK}Content-Length: 5\r\n\r\n`), 200, 0],
    ['HEAD with content', HEAD, says(`${OK}Content-Length: 5\r\n\r\n12345`), 200, 5],
    ['HEAD with content that comes late', HEAD, late, 200, 5],
    [
      '204 with content behind an informational answer',
      { ...GET, raw: true },
      saysAndEnds(`${EARLY}HTTP/1.1 204 None\r\n\r\n123`),
      204,
      3,
    ],
    [
      '304 without content',
      { ...GET, raw: true },
      saysAndEnds('HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n'),
      304,
      0,
    ],
    ['an ordinary answer', { ...GET, raw: true }, says(sized(Buffer.from('[]'))), 200, 2],
  ] as [string, WireRequest, LoopbackConduct, number, number][]) {
    test(what, async () => {
      const server = await serveLoopback(conduct);
      const { answer } = await answered(wireTo(server).send(request));
      expect([answer.status, answer.rawContentLength]).toEqual([status, length]);
      expect(server.heads[0]).toMatch(/connection: close/i);
      await server.idle();
    });
  }

  test('a flood behind HEAD is bounded', async () => {
    const server = await serveLoopback(repeats(`${OK}\r\n`, 'a'));
    const { answer } = await answered(wireTo(server).send(HEAD));
    expect(answer.rawContentLength).toBeGreaterThan(0);
    await server.idle();
  });
});
