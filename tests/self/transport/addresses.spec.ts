/** A host with several addresses: the next one is asked if one takes no connection, and a message names them all. */
import { once } from 'node:events';
import { connect } from 'node:net';
import dns from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@playwright/test';
import { EMPTY_LIST, GET, closedAfterwards, receive, says, serveLoopback, wireTo } from './loopback.ts';
import type { Serving } from './loopback.ts';

/** The name that tests resolve, and its addresses: one takes no connection, two refuse. */
const HOST = 'store.test';
const [SILENT, REFUSING, ALSO_REFUSING] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
/** Milliseconds for a request. A listener that still has room takes a connection within CONNECTED_WITHIN. */
const TIMEOUT = 1_500;
const CONNECTED_WITHIN = 300;

/** Listens, and then takes no connection: its thread sleeps. */
const LISTENS_AND_SLEEPS = `
  const { workerData: { port, host }, parentPort } = require('node:worker_threads');
  const sleep = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  require('node:net').createServer().listen({ port, host, backlog: 1 }, () => {
    parentPort.postMessage('listens');
    setImmediate(sleep);
  });
`;

const { lookup } = dns;
test.afterEach(() => {
  dns.lookup = lookup;
});

/** Lets `dns.lookup` answer with these addresses for HOST. */
function resolveTo(...addresses: string[]): void {
  const all = addresses.map((address) => ({ address, family: 4 }));
  const resolved = (name: string, options: dns.LookupOptions, callback: (...results: unknown[]) => void) =>
    name === HOST
      ? process.nextTick(() => (options.all ? callback(null, all) : callback(null, addresses[0], 4)))
      : lookup(name, options, callback);
  dns.lookup = resolved as typeof lookup;
}

/** Starts the listener at SILENT, and opens connections until it has no room. Further connections then wait for ever. */
async function fallSilent(port: number): Promise<void> {
  const worker = new Worker(LISTENS_AND_SLEEPS, { eval: true, workerData: { port, host: SILENT } });
  closedAfterwards({ close: () => void worker.terminate() });
  await once(worker, 'message');
  for (let isTaken = true; isTaken;) {
    const socket = connect(port, SILENT).on('error', () => {});
    closedAfterwards({ close: () => socket.destroy() });
    isTaken = await Promise.race([
      once(socket, 'connect').then(() => true),
      sleep(CONNECTED_WITHIN).then(() => false),
    ]);
  }
}

/** Serves an empty list. `named`: the same server, whose address has the name HOST. */
async function store(): Promise<Serving & { named: Serving }> {
  const serving = await serveLoopback(says(EMPTY_LIST));
  return { ...serving, named: { ...serving, origin: new URL(`http://${HOST}:${serving.origin.port}`) } };
}

test('after an address that takes no connection, or refuses it, the next one is asked', async () => {
  const { named, origin } = await store();
  await fallSilent(Number(origin.port));
  for (const first of [SILENT, REFUSING]) {
    resolveTo(first, '127.0.0.1');
    for (const request of [GET, { ...GET, raw: true }, { ...GET, method: 'POST', body: Buffer.from('{}') }]) {
      const { answer } = await receive(wireTo(named, TIMEOUT).send(request));
      expect(answer.status, first).toBe(200);
    }
  }
});

test('if no address takes a connection, the message names them all', async () => {
  const { named, origin } = await store();
  const { port } = origin;
  await fallSilent(Number(port));
  resolveTo(REFUSING, ALSO_REFUSING);
  expect(await wireTo(named, TIMEOUT).send(GET)).toMatchObject({
    error: {
      kind: 'unreachable',
      cause: 'refused',
      message: `no connection (ECONNREFUSED); tried ${REFUSING}:${port} and ${ALSO_REFUSING}:${port}`,
    },
  });
  resolveTo(REFUSING, SILENT);
  expect(await wireTo(named, TIMEOUT).send(GET)).toMatchObject({
    error: {
      kind: 'timeout',
      message: `no whole answer within the time allowed; tried ${REFUSING}:${port} and ${SILENT}:${port}`,
    },
  });
  resolveTo(REFUSING);
  expect(await wireTo(named, TIMEOUT).send(GET)).toMatchObject({
    error: { message: 'no connection (ECONNREFUSED)' },
  });
});
