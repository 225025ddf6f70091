/** An exchange always ends: with an error if the server hangs, breaks, floods or talks nonsense, and on a signal. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import type { TransportErrorKind } from '../../../fixtures/exchange/exchange.ts';
import { openWire } from '../../../fixtures/session/transport/transport.ts';
import { requireUniqueNames } from '../../../fixtures/implementations/freedoms/create-pet.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { delayReads } from '../../../fixtures/implementations/freedoms/stores-moving.ts';
import { combineVaries } from '../../../fixtures/implementations/operators.ts';
import type { JudgedVariant } from '../../../fixtures/implementations/judge-variant.ts';
import { findFreedom } from '../samples/named-variants.ts';
import { judgeOn } from '../samples/run-on.ts';
import { DIRECT, GET, LATE, OK, SOON, drips, encoded, repeats, says, saysAndEnds } from './loopback.ts';
import { serveLoopback, wireTo, type LoopbackConduct } from './loopback.ts';

const saysAndResets =
  (text: string): LoopbackConduct =>
  (socket) =>
    void socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 50));
/** Sends 16 MiB of zeros, compressed. They are compressed only in the test: every worker loads this file, and one runs it. */
const bombs =
  (pack: (zeros: Buffer) => Buffer, encoding: string): LoopbackConduct =>
  (socket, request) =>
    says(encoded(pack(Buffer.alloc(16 * 1024 * 1024)), encoding))(socket, request);

test.describe('ends with an error if the server', () => {
  const CONDUCTS: Partial<Record<TransportErrorKind, Record<string, LoopbackConduct>>> = {
    timeout: {
      'says nothing': () => {},
      'hangs in the headers': says(`${OK}Content-Le`),
      'hangs before the body': says(`${OK}Content-Length: 5\r\n\r\n`),
      'drips headers': drips(OK, 'a'),
      'drips the body': drips(`${OK}\r\n`, 'a'),
      'drips informational answers': drips('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    },
    broken: {
      'closes at once': (socket) => void socket.end(),
      'resets at once': (socket) => void socket.resetAndDestroy(),
      'closes in the headers': saysAndEnds(`${OK}Content-Le`),
      'closes in a body with a length': saysAndEnds(`${OK}Content-Length: 5\r\n\r\n[]`),
      'closes before the last chunk': saysAndEnds(`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n`),
      'resets in the body': saysAndResets(`${OK}Content-Length: 5\r\n\r\n[]`),
    },
    'too-large': {
      'floods the body': repeats(`${OK}\r\n`, 'a'),
      'floods chunks of one byte': repeats(`${OK}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'),
      'sends endless headers': repeats(OK, 'X-More: and more\r\n'),
      'sends one endless header': repeats(`${OK}X-More: `, 'a'),
      'sends an endless chunk extension': repeats(`${OK}Transfer-Encoding: chunked\r\n\r\n1;a=`, 'a'),
      'sends a gzip bomb': bombs(gzipSync, 'gzip'),
      'sends a gzip bomb in brotli in gzip': bombs(
        (zeros) => gzipSync(brotliCompressSync(gzipSync(zeros))),
        'gzip, br, x-gzip',
      ),
      'sends a deflate bomb': bombs(deflateSync, 'deflate'),
      'sends a brotli bomb': bombs(brotliCompressSync, 'br'),
    },
    garbage: {
      'sends endless informational answers': repeats('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
      'switches protocols': says(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      ),
      'speaks HTTP/2': says(Buffer.from('00000604000000000000', 'hex')),
      'has a header without a colon': says(`${OK}nonsense\r\n\r\n`),
      'has a NUL in a header': says(`${OK}X-A: a\0b\r\n\r\n`),
      'contradicts itself about the length': says(
        `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n[]`,
      ),
    },
  };
  const SAYS_NOTHING = ['says nothing', 'closes at once', 'resets at once'];
  for (const [kind, conducts] of Object.entries(CONDUCTS))
    for (const [what, conduct] of Object.entries(conducts))
      test(what, async () => {
        const server = await serveLoopback(conduct);
        // A deadline of 0.3 s (SOON) must end the exchange. The other kinds end before their deadline of 20 s (LATE).
        const sent = await wireTo(server, kind === 'timeout' ? SOON : LATE).send(GET);
        expect('error' in sent && sent.error).toEqual({
          kind,
          arrived: !SAYS_NOTHING.includes(what),
          message: expect.stringMatching(/^[\w ,():-]{5,100}$/),
        });
        await server.idle();
      });

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

  test('floods the body: less than 32 MiB are written to the client', async () => {
    let written = 0;
    const server = await serveLoopback((socket) => {
      repeats(`${OK}\r\n`, 'a')(socket, { nth: 1, connection: 1 });
      socket.on('close', () => (written = socket.bytesWritten));
    });
    await wireTo(server).send(GET);
    await server.idle();
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  test('is not asked, because a header of the request is invalid', async () => {
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
    expect(server.arrivals).toHaveLength(1);
  });
});

// A service may close a connection when it wants. Over real sockets, the close can cross the next request of the run.

const findBad = ({ findings }: JudgedVariant) =>
  findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive');

for (const { id, vary } of FREEDOMS.filter((each) =>
  /^http\.(clos|connection-close|chunks-of)/.test(each.id),
))
  test(`${id}: nothing fails, and nothing stays undecided`, async () => {
    expect(findBad(await judgeOn({ vary }, 'authentication.get', 'create-pet.answers-201'))).toEqual([]);
    // Of these freedoms, only those whose ids end in `idle` or `close` are judged in a quick run too. It has few requests to repeat lost ones.
    if (/idle$|close$/.test(id))
      expect(
        findBad(await judgeOn({ vary, settings: { profile: 'quick' } }, 'get-pet.', 'create-pet.name')),
      ).toEqual([]);
  });

test('an animal whose answer was lost with a kept connection is added again under another name', async () => {
  // The connection closes in place of the answer to a createPet, lists lag 60 ms, and a name in use gets 409
  const closing = findFreedom('http.closes-under-added');
  const vary = combineVaries(
    closing.vary,
    delayReads(() => 60, ['list']),
    requireUniqueNames(409),
  );
  expect(findBad(await judgeOn({ vary }, 'create-pet.answers-201'))).toEqual([]);
});
