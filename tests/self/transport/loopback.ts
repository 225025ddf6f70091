/** Servers on 127.0.0.1 that answer with exact bytes, e.g. `says('HTTP/1.1 200 OK...')`, and wires to them. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from '@playwright/test';
import { writeForEver, writeNowAndThen } from '../../../fixtures/implementations/hostile/hostile-target.ts';
import { SETTINGS } from '../../../fixtures/implementations/judge-variant.ts';
import type { Network } from '../../../fixtures/settings/settings.ts';
import { openWire, type Wire, type WireRequest } from '../../../fixtures/session/transport/transport.ts';

/** Deadlines in milliseconds: SOON for an exchange that only its deadline ends, LATE for one that must end without it. */
export const SOON = 300;
export const LATE = 20_000;

const MAX_BODY = 64 * 1024;
/** A network without a proxy, headers and certificates. */
export const DIRECT: Network = SETTINGS.network;
export const GET: WireRequest = { method: 'GET', path: '/v1/pets', headers: [], body: null };
export const OK = 'HTTP/1.1 200 OK\r\n';

/** A server does this when data arrives. `nth`: counts arrivals on the connection; `connection`: counts connections; both from 1. */
export type LoopbackConduct = (socket: Socket, arrival: { nth: number; connection: number }) => void;

/** Writes this text each time when data arrives. `saysAndEnds` then closes the connection. */
export function says(text: string | Uint8Array): LoopbackConduct {
  return (socket) => void socket.write(text);
}
export function saysAndEnds(text: string | Uint8Array): LoopbackConduct {
  return (socket) => void socket.end(text);
}

/** Sends `first`, and then `text` again and again, as fast as it is taken. */
export const repeats =
  (first: string, text: string): LoopbackConduct =>
  (socket) =>
    writeForEver(socket, first, text);

/** Sends `first`, and then `text` twenty times a second. */
export const drips =
  (first: string, text: string): LoopbackConduct =>
  (socket) =>
    writeNowAndThen(socket, first, text, 50);

/** A 200 with this body, its length and further headers. */
export function sized(body: Uint8Array, ...headers: string[]): Uint8Array {
  const head = [`${OK}Content-Length: ${body.length}`, ...headers, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), body]);
}

export const EMPTY_LIST = sized(Buffer.from('[]'));

/** A 200 with this body, which is in a content coding, such as gzip. */
export const encoded = (body: Uint8Array, coding: string) => sized(body, `Content-Encoding: ${coding}`);

/** A server, and what it got. */
export interface Serving {
  origin: URL;
  /** The texts that arrived, one for each arrival: the head of a request, its body, or both. */
  arrivals: string[];
  connections(): number;
  /** Resolves when all connections to the server are closed. */
  idle(): Promise<void>;
  close(): void;
}

/** Starts a server; it is closed after the test. */
export async function serveLoopback(conduct: LoopbackConduct, host = '127.0.0.1'): Promise<Serving> {
  const arrivals: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    const connection = (connections += 1);
    let nth = 0;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      server.emit('left');
    });
    socket.on('data', (chunk) => {
      arrivals.push(chunk.toString());
      conduct(socket, { nth: (nth += 1), connection });
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  closedAfterwards({ close });
  const { port } = server.address() as AddressInfo;
  const idle = async () => {
    for (const socket of sockets) socket.resume(); // a paused socket does not notice that it is closed
    while (sockets.size > 0) await once(server, 'left');
  };
  const origin = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
  return { origin, arrivals, connections: () => connections, idle, close };
}

/** A wire to the server; it is closed after the test. */
export function wireTo({ origin }: Serving, timeout = LATE): Wire {
  const wire = openWire({ origin, timeout, maxBody: MAX_BODY, network: DIRECT });
  return closedAfterwards(wire);
}

/** Returns the outcome of a request that gets an answer. @throws Error if none came */
export async function receive(sent: ReturnType<Wire['send']>) {
  const outcome = await sent;
  if ('error' in outcome) throw new Error(outcome.error.message);
  return outcome;
}

const toBeClosed: { close(): void }[] = [];

/** Closes it when the test is over. */
export function closedAfterwards<Closable extends { close(): void }>(closable: Closable): Closable {
  toBeClosed.push(closable);
  return closable;
}

test.afterEach(() => {
  for (const each of toBeClosed.splice(0)) each.close();
});
