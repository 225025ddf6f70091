/**
 * The transport hands over each answer that HTTP allows, sends requests to the letter, and keeps connections. In conducts, `nth` counts the
 * requests of one connection; `idle` resolves when the server has no open connection.
 */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import type { WireRequest } from '../../../fixtures/session/transport/transport.ts';
import { GET, OK, encoded, receive, repeats, says, saysAndEnds, serveLoopback, sized } from './loopback.ts';
import { EMPTY_LIST, wireTo, type LoopbackConduct } from './loopback.ts';

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
      const { answer: received } = await receive(wireTo(await serveLoopback(says(answer))).send(GET));
      expect(received).toMatchObject({ status: 200, undecodable: null });
      expect(Buffer.from(received.body).toString()).toBe(body);
    });
  }

  test('a body that ends with the connection', async () => {
    const { answer } = await receive(
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
      const { answer } = await receive(wireTo(await serveLoopback(says(encoded(content, coding)))).send(GET));
      expect(answer.undecodable).toMatch(/cod|stream/);
      expect(Buffer.from(answer.body)).toEqual(Buffer.from(content));
    });
  }

  test('headers in their order and letter case, also repeated ones and 1,500 more', async () => {
    const many = Array.from({ length: 1_500 }, (_, at) => `X-${at}: a`).join('\r\n');
    const server = await serveLoopback(
      says(`HTTP/1.1 204 Nothing here\r\nsEt-cOOKie: a\r\nSet-Cookie: b\r\n${many}\r\n\r\n`),
    );
    const { answer } = await receive(wireTo(server).send(GET));
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
    expect(await receive(wireTo(server).send(GET))).toMatchObject({ answer: { status: 302 } });
    expect(server.arrivals).toHaveLength(1);
  });
});

test('closes the connection if the server switches to the offered protocol', async () => {
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

// HTTP clients hide content after HEAD, 204 or 304. With `raw` the transport reads the bytes of the connection itself.
test.describe('read below HTTP', () => {
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
    ['an ordinary answer', { ...GET, raw: true }, says(EMPTY_LIST), 200, 2],
  ] as [string, WireRequest, LoopbackConduct, number, number][]) {
    test(what, async () => {
      const server = await serveLoopback(conduct);
      const { answer } = await receive(wireTo(server).send(request));
      expect([answer.status, answer.rawContentLength]).toEqual([status, length]);
      expect(server.arrivals[0]).toMatch(/connection: close/i);
      await server.idle();
    });
  }

  test('a flood behind HEAD is bounded', async () => {
    const server = await serveLoopback(repeats(`${OK}\r\n`, 'a'));
    const { answer } = await receive(wireTo(server).send(HEAD));
    expect(answer.rawContentLength).toBeGreaterThan(0);
    await server.idle();
  });
});

test.describe('sends', () => {
  test('a body in chunks with the border within a letter', async () => {
    const server = await serveLoopback(says(EMPTY_LIST));
    const headers = [['Transfer-Encoding', 'chunked']] as const;
    await wireTo(server).send({ ...GET, method: 'POST', headers, body: Buffer.from('{"ä":1}') });
    expect(server.arrivals.join('')).toContain('\r\n\r\n3\r\n{"\ufffd\r\n5\r\n\ufffd":1}\r\n0\r\n');
  });

  test('the path as it is, Host, and Content-Length if there may be a body', async () => {
    const server = await serveLoopback(says(EMPTY_LIST));
    const wire = wireTo(server);
    await wire.send({
      ...GET,
      path: '/v1/pets/%61?limit=%31&limit=2',
      headers: [
        ['X-B', '1'],
        ['X-A', '2'],
        ['X-B', '3'],
      ],
    });
    await wire.send({ ...GET, method: 'POST', body: Buffer.from('{"ä":1}') });
    await wire.send({ ...GET, method: 'POST' });
    await wire.send({ ...GET, headers: [['host', 'gateway.example']] });
    await wire.send({ ...GET, httpVersion: '1.0' });
    const [get = '', post = '', empty = '', gateway = '', older = ''] = server.arrivals;
    expect(older).toMatch(/^GET \/v1\/pets HTTP\/1\.0\r\nHost: /);
    expect(get).toMatch(/^GET \/v1\/pets\/%61\?limit=%31&limit=2 HTTP\/1\.1\r\n/);
    expect(get).toContain(`\r\nHost: ${server.origin.host}\r\nX-B: 1\r\nX-A: 2\r\nX-B: 3\r\n`);
    expect(get).not.toMatch(/content-length|transfer-encoding|cookie/i);
    expect(post).toMatch(/Content-Length: 8\r\n[^]*\r\n\r\n\{"ä":1\}$/);
    expect(empty).toMatch(/Content-Length: 0\r\n/);
    expect(gateway.match(/^host:.*$/gim)).toEqual(['host: gateway.example']);
  });

  test('to IPv6 addresses', async () => {
    const server = await serveLoopback(says(EMPTY_LIST), '::1').catch(() => null);
    test.skip(server === null, 'this machine has no IPv6 loopback');
    if (server === null) return;
    await receive(wireTo(server).send(GET));
    expect(server.arrivals[0]).toContain(`Host: [::1]:${server.origin.port}\r\n`);
  });
});

test.describe('a kept connection', () => {
  const answer = EMPTY_LIST;

  // GET needs two connections, because the transport sends each third GET on a connection for POSTs.
  for (const [method, connections] of [
    ['GET', 2],
    ['POST', 1],
  ] as const)
    test(`serves one ${method} after the other`, async () => {
      const server = await serveLoopback(says(answer));
      const wire = wireTo(server);
      for (let each = 0; each < 5; each += 1) await receive(wire.send({ ...GET, method }));
      expect(server.connections()).toBe(connections);
    });

  test('serves no further HEAD', async () => {
    const server = await serveLoopback(says(answer));
    const wire = wireTo(server);
    for (let each = 0; each < 3; each += 1) await receive(wire.send({ ...GET, method: 'HEAD' }));
    expect(server.connections()).toBe(3);
  });

  for (const [answers, bytes] of [
    ['keep-alive', sized(Buffer.from('[]'), 'connection: keep-alive')],
    [
      'chunks without a word about the connection',
      `${OK}Transfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n1;a=b\r\n[\r\n1;c\r\n]\r\n0;d\r\nX-A: 1\r\n\r\n`,
    ],
  ] as const)
    test(`on which a request said close is not used again if the server answers ${answers}`, async () => {
      const server = await serveLoopback(says(bytes));
      const wire = wireTo(server);
      // POST, because each third GET uses another connection anyway. `a` is the label of a connection.
      const post = { ...GET, method: 'POST' };
      for (const ask of [post, { ...post, connection: 'a' }]) {
        await receive(wire.send(ask));
        await receive(wire.send({ ...ask, headers: [['connection', 'TE, Close']] }));
        await receive(wire.send(ask));
      }
      // The second request of each three closes its connection, so the third one opens another: two and two.
      expect(server.connections()).toBe(4);
      expect(server.arrivals).toHaveLength(6);
    });

  test('that closes under a GET is replaced, once', async () => {
    const server = await serveLoopback(
      (socket, { nth }) => void (nth === 1 ? socket.write(answer) : socket.destroy()),
    );
    const wire = wireTo(server);
    await receive(wire.send(GET));
    expect(await wire.send(GET)).toMatchObject({ answer: { status: 200 }, resent: true });
    expect(server.arrivals).toHaveLength(3);
  });

  test('that closes under a POST is not: nobody knows whether it was carried out', async () => {
    const server = await serveLoopback(
      (socket, { nth }) => void (nth === 1 ? socket.write(answer) : socket.destroy()),
    );
    const wire = wireTo(server);
    const post = { ...GET, method: 'POST', connection: 'a' };
    await receive(wire.send(post));
    // `arrived`: a byte of an answer came. The request itself reached the server.
    expect(await wire.send(post)).toMatchObject({ error: { kind: 'broken', arrived: false, wasKept: true } });
    expect(server.arrivals).toHaveLength(2);
    // From then on each POST opens a new connection, even if it has a label.
    await wire.send(post);
    await wire.send({ ...GET, method: 'POST' });
    expect(server.connections()).toBe(3);
  });

  test('on which the server speaks unasked is not used again', async () => {
    const server = await serveLoopback((socket, { connection }) => {
      socket.write(answer);
      if (connection === 1) setTimeout(() => socket.write(sized(Buffer.from('["stray"]'))), 20);
    });
    const wire = wireTo(server);
    await receive(wire.send(GET));
    await server.idle();
    expect(Buffer.from((await receive(wire.send(GET))).answer.body).toString()).toBe('[]');
  });

  test('of a label carries its requests one after the other', async () => {
    const server = await serveLoopback((socket) => void setTimeout(() => socket.write(answer), 20));
    const wire = wireTo(server);
    const methods = ['GET', 'POST', 'GET'];
    await Promise.all(
      methods.map((method, at) =>
        receive(wire.send({ ...GET, method, path: `/${at + 1}`, connection: 'a' })),
      ),
    );
    expect(server.arrivals.map((head) => head.slice(0, 7))).toEqual(['GET /1 ', 'POST /2', 'GET /3 ']);
    expect(server.connections()).toBe(1);
  });
});
