import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from '@playwright/test';
import { against, command, idsWith } from '../samples/command.ts';

/** A way to the target that is gone, with all its connections, for a second each time that it hears the word. */
async function fragile(
  target: string,
  word: string,
): Promise<{ port: number; falls: () => number; close: () => void }> {
  const sockets = new Set<Socket>();
  let falls = 0;
  const server = createServer((client) => {
    const service = connect(Number(new URL(target).port), '127.0.0.1');
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => (sockets.delete(socket), client.destroy(), service.destroy()));
    }
    service.pipe(client);
    client.on('data', (chunk) => (chunk.includes(word) ? fall() : service.write(chunk)));
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const fall = () => {
    const { port } = server.address() as AddressInfo;
    falls += 1;
    server.close();
    for (const socket of sockets) socket.destroy();
    setTimeout(() => void listen(port), 1_000);
  };
  await listen(0);
  return {
    port: (server.address() as AddressInfo).port,
    falls: () => falls,
    close: () => (server.close(), sockets.forEach((socket) => socket.destroy())),
  };
}

test(
  'a target that falls over a request and comes back is judged on, and only what it fell over is undecided',
  { tag: '@long' },
  async () => {
    await against(
      (Base) => Base,
      async ({ BASE_URL, API_KEY }) => {
        const front = await fragile(BASE_URL, 'GET /v1/pets?status=unheard-of');
        const { exitCode, report } = await command(
          'conformance',
          ['--only', 'list-pets', '--only', 'errors.no-server-error'],
          { BASE_URL: BASE_URL.replace(/:\d+/, `:${front.port}`), API_KEY },
        );
        front.close();
        expect(front.falls()).toBeGreaterThan(0);
        expect(report?.run.stopped).toBeNull();
        expect(idsWith(report, 'fail')).toEqual([]);
        expect(idsWith(report, 'pass').length).toBeGreaterThan(15);
        expect(idsWith(report, 'inconclusive')).toEqual(['errors.no-server-error']);
        expect(exitCode).toBe(3);
      },
    );
  },
);
