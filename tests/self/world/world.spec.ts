import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import type { Impairments } from '../../../bin/prove/world/world.ts';
import type { WrittenLife } from './lives.ts';

/** A process that lives in one world after the other. */
async function lived<Seen = unknown>(...lives: readonly WrittenLife[]): Promise<Seen[]> {
  const script = fileURLToPath(new URL('./lives.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(lives)]);
  return JSON.parse(stdout) as Seen[];
}

test('a day passes in a moment, by every clock', async () => {
  expect(await lived({ what: 'sleep' })).toEqual([86_400_000]);
});

test('who waits for less than a millisecond, again and again, waits for one', async () => {
  expect(await lived({ what: 'impatience' })).toEqual([1]);
});

test('what is drawn follows the seed', async () => {
  const [[one], [again, other]] = await Promise.all([
    lived({ what: 'chance', seed: 1 }),
    lived({ what: 'chance', seed: 1 }, { what: 'chance', seed: 2 }),
  ]);
  expect(one).toBeDefined();
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

test('a connection takes a round trip, a request another one; the Date of an answer is that of the world', async () => {
  const date = '200 at Fri, 15 Jan 2027 08:00:00 GMT';
  expect(await lived({ what: 'requests' })).toEqual([{ times: [100, 50], seen: [date, date] }]);
});

test('where nobody listens a connection is refused, and a server can reset one', async () => {
  expect(await lived({ what: 'nobody' }, { what: 'reset' })).toEqual(['ECONNREFUSED', 'ECONNRESET']);
});

/** A process whose wire is impaired, with the seeds 1, 1 and 2. */
const impaired = <T>(what: string, impairments: Partial<Impairments>) =>
  lived<T>(...[1, 1, 2].map((seed) => ({ what, seed, impairments }))) as Promise<[T, T, T]>;

/** How often each of them is there. */
const tally = (values: readonly unknown[]) => {
  const counts: Record<string, number> = {};
  for (const each of values) counts[String(each)] = (counts[String(each)] ?? 0) + 1;
  return counts;
};

test('a wire that nothing is wrong with takes the same time for each request', async () => {
  expect(tally((await lived<number[]>({ what: 'often' }))[0] ?? [])).toEqual({ 50: 100 });
});

test('jitter delays each packet by up to so much, as the seed has it', async () => {
  const [times, again, other] = await impaired<number[]>('often', { jitter: 20 });
  expect(again).toEqual(times);
  expect(other).not.toEqual(times);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(50);
  expect(Math.max(...times)).toBeLessThanOrEqual(90);
  expect(new Set(times).size).toBeGreaterThan(15);
});

test('a stall keeps a connection silent for so long, now and then', async () => {
  const [times, again, other] = await impaired<number[]>('often', {
    stall: { probability: 0.05, milliseconds: 3_000 },
  });
  expect(again).toEqual(times);
  expect(other).not.toEqual(times);
  const { 50: usual = 0, 3050: silent = 0, 6050: twice = 0 } = tally(times);
  expect(usual + silent + twice).toBe(100);
  expect(silent).toBeGreaterThan(2);
  expect(silent).toBeLessThan(25);
});

test('a packet that is lost is sent again after 200 ms, and where that is lost too after 400 more', async () => {
  const [times, again, other] = await impaired<number[]>('often', { loss: 0.1 });
  expect(again).toEqual(times);
  expect(other).not.toEqual(times);
  const { 50: usual = 0, 250: once = 0 } = tally(times);
  expect(usual).toBeGreaterThan(60);
  expect(once).toBeGreaterThan(5);
  for (const time of times) expect((time - 50) % 200).toBe(0);
});

test('late or lost packets are not overtaken', async () => {
  const body = Array.from({ length: 20 }, (_, index) => `${index} `).join('');
  const seen = await impaired('packets', {
    jitter: 90,
    loss: 0.2,
    stall: { probability: 0.1, milliseconds: 900 },
  });
  expect(seen).toEqual([1, 2, 3].map(() => ({ body, error: null })));
});

test('a reset cuts a connection before the answer or in the middle of it, rarely', async () => {
  type Seen = { body: string | null; error: string | null }[];
  const [seen, again, other] = await impaired<Seen>('cut', { reset: 0.005 });
  expect(again).toEqual(seen);
  expect(other).not.toEqual(seen);
  const cut = seen.filter(({ error }) => error !== null);
  expect(new Set(cut.map(({ error }) => error))).toEqual(new Set(['ECONNRESET']));
  expect(cut.length).toBeLessThan(150);
  expect(cut.some(({ body }) => body === null)).toBe(true);
  expect(cut.some(({ body }) => body !== null && body.length > 10)).toBe(true);
});

test('of connections that a server has no room for, each waits until another is closed, or is refused', async () => {
  const what = 'together';
  const [waits, refuses, free] = await lived(
    { what, impairments: { mostConnections: 2 } },
    { what, impairments: { mostConnections: 2, furtherConnections: 'are refused' } },
    { what },
  );
  expect(waits).toEqual({ seen: [1, 1, 2, 2, 3].map((seconds) => [null, seconds]), most: 2 });
  const refused = ['ECONNREFUSED', 0];
  expect(refuses).toEqual({ seen: [[null, 1], [null, 1], refused, refused, refused], most: 2 });
  expect(free).toEqual({ seen: [1, 1, 1, 1, 1].map((seconds) => [null, seconds]), most: 5 });
});

/** Makes quick runs on services, whose wires have jitter. Each service is a part of an id, a round trip and a seed. */
const runQuick = (...runs: readonly (readonly [service: string, roundTrip: number, seed: number])[]) =>
  lived<{ exitCode: number; failed: string[] }>(
    ...runs.map(([service, roundTrip, seed]) => ({
      what: 'quick',
      service,
      roundTrip,
      seed,
      impairments: { jitter: 40 },
    })),
  );

test('a quick run waits for 45 round trips at most', async () => {
  const [{ exitCode, milliseconds } = { exitCode: -1, milliseconds: Infinity }] = await lived<{
    exitCode: number;
    milliseconds: number;
  }>({ what: 'quick', service: 'freedom errors.one-code' });
  expect(exitCode).toBe(0);
  expect(milliseconds / 50).toBeLessThanOrEqual(45);
});

test('a quick run never passes a service that hides animals, near or far', async () => {
  const outcomes = await runQuick(
    // Far away, a quick run may read a lost animal once: others may have deleted one or two.
    ['fault create-pet.every-sixth-lost', 0, 6],
    ...[
      'list-pets.filter-finds-sold-alone',
      'list-pets.filter-finds-pending-alone',
      'list-pets.available-empty',
      'list-pets.filter-empty',
      'get-pet.every-fourth-never-found',
    ].flatMap((fault, index) =>
      (index % 2 === 0 ? [0, 150] : [50, 400]).map(
        (roundTrip) => [`fault ${fault}`, roundTrip, index + 1] as const,
      ),
    ),
  );
  expect(outcomes.map(({ exitCode }) => exitCode)).not.toContain(0);
});

test('a quick run passes services whose reads lag 1, 3 or 8 s, near or far', async () => {
  const outcomes = await runQuick(
    ...['get-lags', 'reads-lag', 'lists-lag-longer'].flatMap((freedom) =>
      [0, 150].map((roundTrip, index) => [`freedom stores.${freedom}`, roundTrip, index + 1] as const),
    ),
  );
  expect(outcomes.map(({ exitCode }) => exitCode)).toEqual(outcomes.map(() => 0));
});

test('a world that waits for what no timer brings says so', async () => {
  expect(await lived({ what: 'stuck' })).toEqual([
    expect.stringMatching(/^the world is stuck: no timer is set/),
  ]);
});

/** The evidence of a store that lags, behind a wire with jitter. It is judged in a process of its own, as in a proof. @param share one of so many tests is made */
async function evidenceOf(seed: number, share: number, folder = ''): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'conformance-test-')), 'evidence.jsonl');
  expect(await lived({ what: 'judges', seed, impairments: { jitter: 20 }, file, share, folder })).toEqual([
    [],
  ]);
  return readFileSync(file, 'utf8');
}

for (const [title, share, tag] of [
  ['one of thirty tests', 30, []],
  ['all tests', 1, ['@long']],
] as const)
  test(
    `the same seed gives the same evidence byte for byte, beside two busy loops and in another folder too, of ${title}`,
    { tag: [...tag] },
    async () => {
      const alone = await evidenceOf(7, share);
      expect(alone.split('\n').length).toBeGreaterThan(share === 1 ? 1_000 : 200);
      const busy = [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);']));
      const beside = await evidenceOf(7, share, '/elsewhere');
      for (const each of busy) each.kill('SIGKILL');
      expect(beside === alone).toBe(true);
      if (share === 1) expect((await evidenceOf(8, share)) === alone).toBe(false);
    },
  );
