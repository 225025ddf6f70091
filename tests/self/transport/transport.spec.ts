import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import type { TransportErrorKind } from '../../../fixtures/exchange/exchange.ts';
import { openWire } from '../../../fixtures/session/transport/transport.ts';
import {
  DIRECT,
  drips,
  encoded,
  GET,
  LATE,
  OK,
  repeats,
  says,
  saysAndEnds,
  serveLoopback,
  SOON,
  wireTo,
  type LoopbackConduct,
} from './loopback.ts';

const saysAndResets =
  (text: string): LoopbackConduct =>
  (socket) =>
    void socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 50));
/** Sends a bomb, which is packed when it is needed: every process reads this file, and one runs it. */
const bombs =
  (pack: (zeros: Buffer) => Buffer, encoding: string): LoopbackConduct =>
  (socket, request) =>
    says(encoded(pack(Buffer.alloc(16 * 1024 * 1024)), encoding))(socket, request);

test.describe('ends with an error where the server', () => {
  const conducts: [what: string, kind: TransportErrorKind, arrived: boolean, conduct: LoopbackConduct][] = [
    ['says nothing', 'timeout', false, () => {}],
    ['hangs in the status line', 'timeout', true, says('HTTP/1.1 2')],
    ['hangs in the headers', 'timeout', true, says(`${OK}Content-Le`)],
    ['hangs before the body', 'timeout', true, says(`${OK}Content-Length: 5\r\n\r\n`)],
    ['hangs between chunks', 'timeout', true, says(`${OK}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`)],
    ['drips headers', 'timeout', true, drips(OK, 'a')],
    ['drips the body', 'timeout', true, drips(`${OK}\r\n`, 'a')],
    ['drips informational answers', 'timeout', true, drips('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['closes at once', 'broken', false, (socket) => void socket.end()],
    ['resets at once', 'broken', false, (socket) => void socket.resetAndDestroy()],
    ['closes in the headers', 'broken', true, saysAndEnds(`${OK}Content-Le`)],
    ['closes in a body with a length', 'broken', true, saysAndEnds(`${OK}Content-Length: 5\r\n\r\n[]`)],
    ['closes in a chunk', 'broken', true, saysAndEnds(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\n[]`)],
    [
      'closes before the last chunk',
      'broken',
      true,
      saysAndEnds(`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n`),
    ],
    ['resets in the body', 'broken', true, saysAndResets(`${OK}Content-Length: 5\r\n\r\n[]`)],
    ['floods the body', 'too-large', true, repeats(`${OK}\r\n`, 'a')],
    [
      'announces and sends too much',
      'too-large',
      true,
      repeats(`${OK}Content-Length: 1000000000\r\n\r\n`, 'a'),
    ],
    [
      'floods chunks of one byte',
      'too-large',
      true,
      repeats(`${OK}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'),
    ],
    ['sends endless headers', 'too-large', true, repeats(OK, 'X-More: and more\r\n')],
    ['sends one endless header', 'too-large', true, repeats(`${OK}X-More: `, 'a')],
    ['floods cookies', 'too-large', true, repeats(OK, `Set-Cookie: a=${'b'.repeat(4_000)}\r\n`)],
    [
      'sends an endless chunk extension',
      'too-large',
      true,
      repeats(`${OK}Transfer-Encoding: chunked\r\n\r\n1;a=`, 'a'),
    ],
    [
      'sends endless informational answers',
      'garbage',
      true,
      repeats('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
    ],
    [
      'switches protocols',
      'garbage',
      true,
      says('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    ],
    ['speaks another protocol', 'garbage', true, says('220 mail.example ESMTP\r\n')],
    ['speaks HTTP/2', 'garbage', true, says(Buffer.from('00000604000000000000', 'hex'))],
    ['sends random bytes', 'garbage', true, says(Buffer.from('ff00fe01deadbeef', 'hex'))],
    ['has a header without a colon', 'garbage', true, says(`${OK}nonsense\r\n\r\n`)],
    ['has a line feed alone in a header', 'garbage', true, says(`${OK}X-A: a\0b\r\n\r\n`)],
    [
      'contradicts itself about the length',
      'garbage',
      true,
      says(`${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n[]`),
    ],
    [
      'sends no number as a chunk size',
      'garbage',
      true,
      says(`${OK}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`),
    ],
    ['sends a gzip bomb', 'too-large', true, bombs(gzipSync, 'gzip')],
    [
      'sends a gzip bomb in gzip',
      'too-large',
      true,
      bombs((zeros) => gzipSync(gzipSync(zeros)), 'gzip, gzip'),
    ],
    [
      'sends a gzip bomb in brotli in gzip',
      'too-large',
      true,
      bombs((zeros) => gzipSync(brotliCompressSync(gzipSync(zeros))), 'gzip, br, x-gzip'),
    ],
    ['sends a deflate bomb', 'too-large', true, bombs(deflateSync, 'deflate')],
    ['sends a bare deflate bomb', 'too-large', true, bombs(deflateRawSync, 'deflate')],
    ['sends a brotli bomb', 'too-large', true, bombs(brotliCompressSync, 'br')],
  ];
  for (const [what, kind, arrived, conduct] of conducts) {
    test(what, async () => {
      const server = await serveLoopback(conduct);
      const sent = await wireTo(server, kind === 'timeout' ? SOON : LATE).send(GET);
      expect('error' in sent && sent.error).toEqual({
        kind,
        arrived,
        message: expect.stringMatching(/^[\w ,():-]{5,100}$/),
      });
      await server.idle();
    });
  }

  test('refuses the connection', async () => {
    const server = await serveLoopback(() => {});
    const { origin } = server;
    server.close();
    const sent = await openWire({ origin, timeout: LATE, network: DIRECT }).send(GET);
    expect(sent).toMatchObject({ error: { kind: 'unreachable', arrived: false } });
  });

  test('never reads a large request', async () => {
    const server = await serveLoopback((socket, { nth }) => void (nth === 1 && socket.pause()));
    const body = new Uint8Array(32 * 1024 * 1024);
    expect(await wireTo(server, SOON).send({ ...GET, method: 'POST', body })).toMatchObject({
      error: { kind: 'timeout', arrived: false },
    });
    await server.idle();
  });

  test('reads no more of a flood than the bound and what is under way', async () => {
    let written = 0;
    const server = await serveLoopback((socket) => {
      repeats(`${OK}\r\n`, 'a')(socket, { nth: 1, connection: 1 });
      socket.on('close', () => (written = socket.bytesWritten));
    });
    await wireTo(server).send(GET);
    await server.idle();
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  test('cannot be asked, since the header is none', async () => {
    const server = await serveLoopback(() => {});
    const sent = await wireTo(server).send({ ...GET, headers: [['Authorization', 'Bearer se\ncret']] });
    expect(sent).toMatchObject({ error: { kind: 'unreachable', arrived: false } });
    expect(JSON.stringify(sent)).not.toMatch(/se\\ncret|authorization/i);
  });
});

test.describe('stops', () => {
  test('by signal', async () => {
    const stop = new AbortController();
    const server = await serveLoopback(() => stop.abort());
    expect(await wireTo(server).send(GET, stop.signal)).toMatchObject({
      error: { kind: 'stopped', arrived: false },
    });
    await server.idle();
  });

  test('by closing the wire', async () => {
    const server = await serveLoopback(() => wire.close());
    const wire = wireTo(server);
    expect(await wire.send(GET)).toMatchObject({ error: { kind: 'stopped' } });
    expect(await wire.send(GET)).toMatchObject({ error: { kind: 'stopped' } });
    expect(server.heads).toHaveLength(1);
  });
});
