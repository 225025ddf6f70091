/** A process of its own that lives in a simulated world, because a process has no other time afterwards: prints what it saw as JSON. */
import { inWorld } from '../../../fixtures/world/world.ts';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const [what = '', seed = '1'] = process.argv.slice(2);

/** Milliseconds of the world that the work takes. */
async function taken(work: () => Promise<unknown>): Promise<number> {
  const [begun, since] = [Date.now(), performance.now()];
  await work();
  if (Math.round(performance.now() - since) !== Date.now() - begun) throw new Error('two clocks disagree');
  return Date.now() - begun;
}

async function withServer<T>(answer: http.RequestListener, work: (port: number) => Promise<T>): Promise<T> {
  const server = http.createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work((server.address() as AddressInfo).port);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** The status and Date of an answer, or the code of the error. */
function get(port: number, agent: http.Agent): Promise<string> {
  return new Promise((resolve) =>
    http
      .get({ port, agent }, (answer) => {
        answer.resume().on('end', () => resolve(`${answer.statusCode} at ${answer.headers.date}`));
        answer.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? '')),
  );
}

const LIVES: Record<string, () => Promise<unknown>> = {
  sleep: () => taken(() => sleep(86_400_000)),
  impatience: () =>
    taken(async () => {
      for (const begun = performance.now(); performance.now() < begun + 0.5;) await sleep(0.4);
    }),
  chance: async () => [Math.random(), randomInt(1_000), randomBytes(4).toString('hex'), randomUUID()],
  stuck: () => new Promise(() => undefined),
  requests: () =>
    withServer(
      (_, answer) => answer.end('{}'),
      async (port) => {
        const agent = new http.Agent({ keepAlive: true });
        const seen: string[] = [];
        const times = [
          await taken(async () => seen.push(await get(port, agent))),
          await taken(async () => seen.push(await get(port, agent))),
        ];
        return { times, seen };
      },
    ),
  nobody: () => get(9, new http.Agent()),
  reset: () =>
    withServer(
      (_, answer) => void answer.socket?.destroy(),
      (port) => get(port, new http.Agent()),
    ),
};

const work = LIVES[what];
if (work === undefined) throw new Error(`nobody lives ${what}`);
await inWorld({ seed: Number(seed), roundTrip: 50 }, work).then(
  (seen) => process.stdout.write(JSON.stringify(seen)),
  (error: Error) => process.stdout.write(JSON.stringify(error.message)),
);
