import { expect, test } from '@playwright/test';
import { answered, GET, OK, says, serveLoopback, sized, wireTo } from './loopback.ts';

test.describe('sends', () => {
  test('a body in chunks with the border within a letter', async () => {
    const server = await serveLoopback(says(sized(Buffer.from('[]'))));
    const headers = [['Transfer-Encoding', 'chunked']] as const;
    await wireTo(server).send({ ...GET, method: 'POST', headers, body: Buffer.from('{"ä":1}') });
    expect(server.heads.join('')).toContain('\r\n\r\n3\r\n{"\ufffd\r\n5\r\n\ufffd":1}\r\n0\r\n');
  });

  test('the path as it is, Host, and Content-Length where there may be a body', async () => {
    const server = await serveLoopback(says(sized(Buffer.from('[]'))));
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
    const [get = '', post = '', empty = '', gateway = '', older = ''] = server.heads;
    expect(older).toMatch(/^GET \/v1\/pets HTTP\/1\.0\r\nHost: /);
    expect(get).toMatch(/^GET \/v1\/pets\/%61\?limit=%31&limit=2 HTTP\/1\.1\r\n/);
    expect(get).toContain(`\r\nHost: ${server.origin.host}\r\nX-B: 1\r\nX-A: 2\r\nX-B: 3\r\n`);
    expect(get).not.toMatch(/content-length|transfer-encoding|cookie/i);
    expect(post).toMatch(/Content-Length: 8\r\n[^]*\r\n\r\n\{"ä":1\}$/);
    expect(empty).toMatch(/Content-Length: 0\r\n/);
    expect(gateway.match(/^host:.*$/gim)).toEqual(['host: gateway.example']);
  });

  test('to IPv6 addresses', async () => {
    const server = await serveLoopback(says(sized(Buffer.from('[]'))), '::1').catch(() => null);
    test.skip(server === null, 'this machine has no IPv6 loopback');
    if (server === null) return;
    await answered(wireTo(server).send(GET));
    expect(server.heads[0]).toContain(`Host: [::1]:${server.origin.port}\r\n`);
  });
});

test.describe('a kept connection', () => {
  const answer = sized(Buffer.from('[]'));

  for (const method of ['GET', 'POST'])
    test(`serves one ${method} after the other`, async () => {
      const server = await serveLoopback(says(answer));
      const wire = wireTo(server);
      for (let each = 0; each < 5; each += 1) await answered(wire.send({ ...GET, method }));
      expect(server.connections()).toBe(1);
    });

  test('serves no further HEAD', async () => {
    const server = await serveLoopback(says(answer));
    const wire = wireTo(server);
    for (let each = 0; each < 3; each += 1) await answered(wire.send({ ...GET, method: 'HEAD' }));
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
      for (const connection of [undefined, 'a']) {
        const ask = connection === undefined ? GET : { ...GET, connection };
        await answered(wire.send(ask));
        await answered(wire.send({ ...ask, headers: [['connection', 'TE, Close']] }));
        await answered(wire.send(ask));
      }
      expect(server.connections()).toBe(4);
      expect(server.heads).toHaveLength(6);
    });

  test('that closes under a GET is replaced, once', async () => {
    const server = await serveLoopback(
      (socket, { nth }) => void (nth === 1 ? socket.write(answer) : socket.destroy()),
    );
    const wire = wireTo(server);
    await answered(wire.send(GET));
    expect(await wire.send(GET)).toMatchObject({ answer: { status: 200 }, resent: true });
    expect(server.heads).toHaveLength(3);
  });

  test('that closes under a POST is not: nobody knows whether it was carried out', async () => {
    const server = await serveLoopback(
      (socket, { nth }) => void (nth === 1 ? socket.write(answer) : socket.destroy()),
    );
    const wire = wireTo(server);
    const post = { ...GET, method: 'POST', connection: 'a' };
    await answered(wire.send(post));
    expect(await wire.send(post)).toMatchObject({ error: { kind: 'broken', arrived: false, wasKept: true } });
    expect(server.heads).toHaveLength(2);
    // From then on each POST has a connection of its own, whatever its label.
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
    await answered(wire.send(GET));
    await server.idle();
    expect(Buffer.from((await answered(wire.send(GET))).answer.body).toString()).toBe('[]');
  });

  test('of a label carries its requests one after the other', async () => {
    const server = await serveLoopback((socket) => void setTimeout(() => socket.write(answer), 20));
    const wire = wireTo(server);
    const methods = ['GET', 'POST', 'GET'];
    await Promise.all(
      methods.map((method, at) =>
        answered(wire.send({ ...GET, method, path: `/${at + 1}`, connection: 'a' })),
      ),
    );
    expect(server.heads.map((head) => head.slice(0, 7))).toEqual(['GET /1 ', 'POST /2', 'GET /3 ']);
    expect(server.connections()).toBe(1);
  });
});
