import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import type { Impairments } from '../../../bin/prove/world/world.ts';
import { ASKS_ALL } from '../samples/run-on.ts';
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

test('a stall keeps a connection silent for so long; a lost packet is sent again after 200 ms, then after 400 more', async () => {
  const stall = { probability: 0.05, milliseconds: 3_000 };
  const [stalled, stalledAgain, otherStalls] = await impaired<number[]>('often', { stall });
  expect(stalledAgain).toEqual(stalled);
  expect(otherStalls).not.toEqual(stalled);
  const { 50: usual = 0, 3050: silent = 0, 6050: twice = 0 } = tally(stalled);
  expect(usual + silent + twice).toBe(100);
  expect(silent).toBeGreaterThan(2);
  expect(silent).toBeLessThan(25);
  const [lost, lostAgain, otherLosses] = await impaired<number[]>('often', { loss: 0.1 });
  expect(lostAgain).toEqual(lost);
  expect(otherLosses).not.toEqual(lost);
  const { 50: atOnce = 0, 250: once = 0 } = tally(lost);
  expect(atOnce).toBeGreaterThan(60);
  expect(once).toBeGreaterThan(5);
  for (const time of lost) expect((time - 50) % 200).toBe(0);
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

/** Services with the round trip and the seed of a quick run, and whether it passes. The wire has jitter. */
const QUICK_RUNS: readonly (readonly [service: string, roundTrip: number, seed: number, passes: boolean])[] =
  [
    // Far away, a quick run may read a lost animal once: others may have deleted one or two.
    ['fault create-pet.every-sixth-lost', 0, 6, false],
    ['fault list-pets.filter-finds-sold-alone', 150, 1, false],
    ['fault list-pets.available-empty', 50, 3, false],
    ['fault get-pet.every-fourth-never-found', 400, 5, false],
    ['freedom stores.get-lags', 150, 2, true],
    ['freedom stores.reads-lag', 0, 1, true],
    ['freedom stores.lists-lag-longer', 150, 2, true],
    ['freedom errors.one-code', 50, 1, true],
  ];

test('a quick run passes services that lag, no service that hides animals, and waits for 45 round trips at most', async () => {
  const seen = await lived<{ exitCode: number; milliseconds: number }>(
    ...QUICK_RUNS.map(([service, roundTrip, seed]) => {
      const impairments = { jitter: service === 'freedom errors.one-code' ? 0 : 40 };
      return { what: 'quick', service, roundTrip, seed, impairments };
    }),
  );
  for (const [index, { exitCode }] of seen.entries())
    expect.soft(exitCode === 0, QUICK_RUNS[index]?.[0]).toBe(QUICK_RUNS[index]?.[3]);
  expect((seen.at(-1)?.milliseconds ?? Infinity) / 50).toBeLessThanOrEqual(45);
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

test('the same seed gives the same evidence byte for byte, in another folder too', async () => {
  const share = ASKS_ALL ? 1 : 30;
  const alone = await evidenceOf(7, share);
  expect(alone.split('\n').length).toBeGreaterThan(ASKS_ALL ? 1_000 : 200);
  // at night it has two busy loops beside it
  const busy = (ASKS_ALL ? [1, 2] : []).map(() => spawn(process.execPath, ['-e', 'for (;;);']));
  const beside = await evidenceOf(7, share, '/elsewhere');
  for (const each of busy) each.kill('SIGKILL');
  expect(beside === alone).toBe(true);
  if (ASKS_ALL) expect((await evidenceOf(8, share)) === alone).toBe(false);
});
