/** The simulated world of the proof: its clocks, its random values, its wire, and runs of the suite in it. */
import { spawn } from 'node:child_process';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { judgeTask } from '../../../bin/prove/judge-task.ts';
import type { Impairments } from '../../../bin/prove/world/world.ts';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { IS_FULL_TEST } from '../samples/run-on.ts';
import { liveIn } from '../samples/simulated.ts';

/** Runs the work in a simulated world with a round trip of 50 ms. Its wire has these impairments. */
const live = <T>(work: () => Promise<T>, impairments: Partial<Impairments> = {}, seed = 1) =>
  liveIn({ roundTrip: 50, impairments, seed }, work);
/** Runs the work in worlds with the seeds 1, 1 and 2. Expects equal results of equal seeds, and others of seed 2. Returns the first. */
async function liveAgain<T>(work: () => Promise<T[]>, impairments: Partial<Impairments> = {}): Promise<T[]> {
  const [one = [], again, other] = [
    await live(work, impairments),
    await live(work, impairments),
    await live(work, impairments, 2),
  ];
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
  return one;
}

/** Returns how many milliseconds the work takes on the clocks of the world. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const [begun, since] = [Date.now(), performance.now()];
  await work();
  // Both clocks agree, but for a part of a millisecond that each call of `performance.now` takes.
  expect(Math.abs(performance.now() - since - (Date.now() - begun))).toBeLessThan(2);
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

/** The part of an answer that arrived. `head`: status and Date; null: none came. `error`: the code of an error; null: none. */
interface Received {
  head: string | null;
  body: string;
  error: string | null;
}
function ask(port: number, agent = new http.Agent()): Promise<Received> {
  return new Promise((resolve) => {
    const heard: Received = { head: null, body: '', error: null };
    const failed = ({ code = '' }: NodeJS.ErrnoException) => resolve({ ...heard, error: code });
    http
      .get({ port, agent }, (answer) => {
        heard.head = `${answer.statusCode} at ${answer.headers.date}`;
        answer.setEncoding('utf8').on('data', (text: string) => (heard.body += text));
        answer.on('end', () => resolve(heard)).on('error', failed);
      })
      .on('error', failed);
  });
}

const plain: http.RequestListener = (_, answer) => void answer.end('{}');
/** A body in twenty packets. */
const inPackets: http.RequestListener = (_, answer) => {
  for (let each = 0; each < 20; each += 1) answer.write(`${each} `);
  answer.end();
};
/** Sends a hundred requests on one connection. Returns how many milliseconds each of them takes. */
const timeRequests = () =>
  withServer(plain, async (port) => {
    const agent = new http.Agent({ keepAlive: true });
    const times: number[] = [];
    await ask(port, agent);
    while (times.length < 100) times.push(await timeOf(() => ask(port, agent)));
    return times;
  });
const countValues = (values: readonly number[]) => {
  const counts: Record<number, number> = {};
  for (const each of values) counts[each] = (counts[each] ?? 0) + 1;
  return counts;
};

/** The members of a task that these tests have in common. `whole`: the run does not end when a fault is named. */
const RUN = { base: 'reference', seed: 1, propertiesOnly: false, whole: true, roundTrip: 50, evidence: null };

test.describe('a world', { tag: '@simulated' }, () => {
  test('a wait of a day ends at once, and every clock shows the day', async () => {
    expect(await live(() => timeOf(() => sleep(86_400_000)))).toBe(86_400_000);
  });

  test('waits of less than a millisecond, one after the other, end when the clock shows the next millisecond', async () => {
    const impatient = async () => {
      for (const begun = Date.now(); Date.now() < begun + 1;) await sleep(0.4);
    };
    expect(await live(() => timeOf(impatient))).toBe(1);
  });

  test('random values follow from the seed', () =>
    liveAgain(async () => [Math.random(), randomInt(1_000), randomBytes(4).toString('hex'), randomUUID()]));

  test('a connection takes a round trip, a request another one, and Date is the time of the world', async () => {
    const agent = () => new http.Agent({ keepAlive: true });
    // The milliseconds of two requests on one connection, then what each got
    const twice = async (port: number, own = agent()) => {
      const heads: unknown[] = [];
      const once = () => timeOf(async () => heads.push((await ask(port, own)).head));
      return [await once(), await once(), ...heads];
    };
    const date = '200 at Fri, 15 Jan 2027 08:00:00 GMT';
    expect(await live(() => withServer(plain, twice))).toEqual([100, 50, date, date]);
  });

  test('a connection is refused if nobody listens, and a server can reset one', async () => {
    expect(await live(() => ask(9))).toMatchObject({ head: null, error: 'ECONNREFUSED' });
    const resets: http.RequestListener = (_, answer) => void answer.socket?.destroy();
    expect(await live(() => withServer(resets, ask))).toMatchObject({ head: null, error: 'ECONNRESET' });
  });

  test('without impairments each request takes the same time', async () => {
    expect(countValues(await live(timeRequests))).toEqual({ 50: 100 });
  });

  test('jitter delays each packet by a time that is drawn, up to its milliseconds', async () => {
    const times = await liveAgain(timeRequests, { jitter: 20 });
    expect(Math.min(...times)).toBeGreaterThanOrEqual(50);
    expect(Math.max(...times)).toBeLessThanOrEqual(90);
    expect(new Set(times).size).toBeGreaterThan(15);
  });

  test('a stall keeps a connection silent for its milliseconds', async () => {
    const stalled = await liveAgain(timeRequests, { stall: { probability: 0.05, milliseconds: 3_000 } });
    const { 50: usual = 0, 3050: silent = 0, 6050: twice = 0 } = countValues(stalled);
    expect(usual + silent + twice).toBe(100);
    expect(silent).toBeGreaterThan(2);
    expect(silent).toBeLessThan(25);
  });

  test('a lost packet is sent again after 200 ms, and if it is lost again, after 400 ms more', async () => {
    const lost = await liveAgain(timeRequests, { loss: 0.1 });
    const { 50: atOnce = 0, 250: once = 0 } = countValues(lost);
    expect(atOnce).toBeGreaterThan(60);
    expect(once).toBeGreaterThan(5);
    for (const time of lost) expect((time - 50) % 200).toBe(0);
  });

  test('no packet overtakes one that is late or lost', async () => {
    const body = Array.from({ length: 20 }, (_, index) => `${index} `).join('');
    const bad = { jitter: 90, loss: 0.2, stall: { probability: 0.1, milliseconds: 900 } };
    for (const seed of [1, 2])
      expect(await live(() => withServer(inPackets, ask), bad, seed)).toMatchObject({ body, error: null });
  });

  test('a reset cuts a connection before the answer or in the middle of it, rarely', async () => {
    const many = async (port: number) => {
      const heard: Received[] = [];
      while (heard.length < 300) heard.push(await ask(port));
      return heard;
    };
    const heard = await liveAgain(() => withServer(inPackets, many), { reset: 0.005 });
    const cut = heard.filter(({ error }) => error !== null);
    expect(new Set(cut.map(({ error }) => error))).toEqual(new Set(['ECONNRESET']));
    expect(cut.length).toBeLessThan(150);
    expect(cut.some(({ head }) => head === null)).toBe(true);
    expect(cut.some(({ body }) => body.length > 10)).toBe(true);
  });

  test('a server with room for two connections lets further ones wait, or refuses them', async () => {
    /** Sends five requests at once. Returns the seconds that each takes, or its error, and the most that were under way at a time. */
    const together = async () => {
      let [underWay, most] = [0, 0];
      const slow: http.RequestListener = (_, answer) => {
        most = Math.max(most, (underWay += 1));
        setTimeout(() => {
          underWay -= 1;
          answer.end('{}');
        }, 1_000);
      };
      const timed = async (port: number) => {
        const begun = Date.now();
        const { error } = await ask(port);
        return error ?? Math.round((Date.now() - begun) / 1_000);
      };
      const five = (port: number) => Promise.all([1, 2, 3, 4, 5].map(() => timed(port)));
      return [await withServer(slow, five), most];
    };
    expect(await live(together, { mostConnections: 2 })).toEqual([[1, 1, 2, 2, 3], 2]);
    const refused = 'ECONNREFUSED';
    expect(await live(together, { mostConnections: 2, furtherConnections: 'are refused' })).toEqual([
      [1, 1, refused, refused, refused],
      2,
    ]);
    expect(await live(together)).toEqual([[1, 1, 1, 1, 1], 5]);
  });

  /** Services, the round trip and the seed of a quick run on each, and true if nothing fails in it. */
  const QUICK_RUNS: readonly (readonly [
    service: string,
    roundTrip: number,
    seed: number,
    passes: boolean,
  ])[] = [
    // With a long round trip, a quick run would read a lost animal once. Somebody else may have deleted it, so nothing would fail.
    ['fault create-pet.every-sixth-lost', 0, 5, false],
    ['fault list-pets.filter-finds-sold-alone', 150, 1, false],
    ['fault list-pets.scans-as-many-as-the-limit', 150, 1, false],
    ['fault get-pet.every-fourth-never-found', 400, 5, false],
    ['freedom stores.get-lags', 150, 2, true],
    ['freedom stores.lists-lag-longer', 150, 2, true],
  ];

  test('a quick run passes services that lag, and no service that hides animals', async () => {
    const tests = await collectSuite();
    for (const [id, roundTrip, seed, passes] of QUICK_RUNS) {
      const judge = () => judgeTask({ ...RUN, kind: 'quick', id }, tests);
      const { exitCode } = await liveIn({ roundTrip, seed, impairments: { jitter: 40 } }, judge);
      expect.soft(exitCode === 0, id).toBe(passes);
    }
  });

  test('a quick run takes 45 round trips at most', async () => {
    const tests = await collectSuite();
    const { exitCode, milliseconds } = await live(() =>
      judgeTask({ ...RUN, kind: 'quick', id: 'freedom errors.one-code' }, tests),
    );
    expect(exitCode).toBe(0);
    expect(milliseconds / 50).toBeLessThanOrEqual(45);
  });

  test('a quick run that knows of a broken must waits for nothing more', async () => {
    const tests = await collectSuite();
    // A run that went on to wait for animals, or for the end of the window, would take 22, 15 and 15 seconds.
    for (const id of ['create-pet.answers-204', 'get-pet.name-mojibake', 'representation.html-page']) {
      const { exitCode, milliseconds } = await live(() =>
        judgeTask({ ...RUN, kind: 'quick', id: `fault ${id}` }, tests),
      );
      expect([id, exitCode, milliseconds < 4_000]).toEqual([id, 1, true]);
    }
  });

  test('a world whose work waits without a timer ends with an error that says so', async () => {
    await expect(live(() => new Promise(() => undefined))).rejects.toThrow(
      /^the world is stuck: no timer is set/,
    );
  });

  /** Returns the evidence of a run on a store that lags, over a network with jitter. `folder` is put before the paths of test files. */
  async function evidenceOf(seed: number, folder = ''): Promise<string> {
    const evidence = join(mkdtempSync(join(tmpdir(), 'conformance-test-')), 'evidence.jsonl');
    const tests = (await collectSuite())
      .filter((_, index) => index % (IS_FULL_TEST ? 1 : 30) === 0)
      .map((each) => ({ ...each, place: { ...each.place, file: folder + each.place.file } }));
    const id = 'stores.replica-three-hundred-milliseconds-behind';
    const judge = () => judgeTask({ ...RUN, kind: 'freedom', id, seed, evidence }, tests);
    const { verdicts } = await live(judge, { jitter: 20 }, seed);
    expect(verdicts.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    return readFileSync(evidence, 'utf8');
  }

  test('the same seed gives the same evidence byte for byte, in another folder too', async () => {
    const quiet = await evidenceOf(7);
    expect(quiet.split('\n').length).toBeGreaterThan(IS_FULL_TEST ? 1_000 : 200);
    // In `npm run test:full`, two busy loops take time from the second run.
    const busy = (IS_FULL_TEST ? [1, 2] : []).map(() => spawn(process.execPath, ['-e', 'for (;;);']));
    const disturbed = await evidenceOf(7, '/elsewhere');
    for (const each of busy) each.kill('SIGKILL');
    expect(disturbed === quiet).toBe(true);
    expect((await evidenceOf(8)) === quiet).toBe(false);
  });
});
