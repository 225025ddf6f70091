/** A process of its own that lives in simulated worlds, one after the other: prints what it saw in each as JSON. */
import { runInWorld, type Impairments } from '../../../bin/prove/world/world.ts';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Task } from '../../../bin/prove/judge-task.ts';

/** One life in a world of its own. `judges` is alone in its process; it takes `file`, and one of so many tests. `folder`: where the suite is said to be installed. `quick` is alone in its process too; it takes `service`, e.g. `fault list-pets.filter-empty`. */
export interface WrittenLife {
  what: string;
  seed?: number;
  impairments?: Partial<Impairments>;
  file?: string;
  share?: number;
  folder?: string;
  service?: string;
  /** Milliseconds; by default 50. */
  roundTrip?: number;
}

const lives = JSON.parse(process.argv[2] ?? '') as WrittenLife[];

/** The judged service: a run on it waits and polls. */
const LAGGING = 'stores.replica-three-hundred-milliseconds-behind';
// files are read outside of the world; who judges nothing loads nothing of it
const [{ what: first, seed = 1, file = '', share = 1, folder = '' } = { what: '' }] = lives;
/** A task about the judged service. */
const TASK: Task = {
  kind: 'freedom',
  id: LAGGING,
  base: 'reference',
  seed,
  propertiesOnly: false,
  whole: true,
  roundTrip: 50,
  evidence: null,
};

const PREPARED: Record<string, () => Promise<(life: WrittenLife) => Promise<unknown>>> = { judges, quick };
const prepared = await PREPARED[first]?.();

/** Milliseconds of the world that the work takes. */
async function taken(work: () => Promise<unknown>): Promise<number> {
  const [begun, since] = [Date.now(), performance.now()];
  await work();
  // each look at the one takes a part of a millisecond
  if (Math.abs(performance.now() - since - (Date.now() - begun)) > 2) throw new Error('two clocks disagree');
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

/** As much of the body as came, null where not even its head did; and the code of the error. */
function read(port: number, agent: http.Agent): Promise<{ body: string | null; error: string | null }> {
  return new Promise((resolve) => {
    let body: string | null = null;
    const failed = ({ code = '' }: NodeJS.ErrnoException) => resolve({ body, error: code });
    http
      .get({ port, agent }, (answer) => {
        body = '';
        answer.setEncoding('utf8').on('data', (text: string) => (body += text));
        answer.on('end', () => resolve({ body, error: null })).on('error', failed);
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

/** Makes a quick run on the service; gives its milliseconds, and how it ended. */
async function quick(): Promise<(life: WrittenLife) => Promise<unknown>> {
  const { judgeTask: outcomeOf } = await import('../../../bin/prove/judge-task.ts');
  const { collectSuite } = await import('../../../bin/run/selection/collect-suite.ts');
  const tests = await collectSuite();
  return async ({ service = '' }) => {
    const begun = Date.now();
    const { exitCode } = await outcomeOf({ ...TASK, kind: 'quick', id: service }, tests);
    return { exitCode, milliseconds: Date.now() - begun };
  };
}

/** Judges a store whose reads lag, with every so many-th test; gives what fails. */
async function judges(): Promise<() => Promise<unknown>> {
  const { judgeTask: outcomeOf } = await import('../../../bin/prove/judge-task.ts');
  const { collectSuite } = await import('../../../bin/run/selection/collect-suite.ts');
  const tests = (await collectSuite())
    .filter((_, index) => index % share === 0)
    .map((each) => ({ ...each, place: { ...each.place, file: folder + each.place.file } }));
  return async () =>
    (await outcomeOf({ ...TASK, evidence: file }, tests)).verdicts.filter(
      ({ verdict }) => verdict === 'fail',
    );
}

const LIVES: Record<string, (life: WrittenLife) => Promise<unknown>> = {
  sleep: () => taken(() => sleep(86_400_000)),
  impatience: () =>
    taken(async () => {
      for (const begun = Date.now(); Date.now() < begun + 1;) await sleep(0.4);
    }),
  chance: async () => [Math.random(), randomInt(1_000), randomBytes(4).toString('hex'), randomUUID()],
  stuck: () => new Promise(() => undefined),
  requests: () =>
    withServer(plain, async (port) => {
      const agent = new http.Agent({ keepAlive: true });
      const seen: string[] = [];
      const ask = () => taken(async () => seen.push(await get(port, agent)));
      return { times: [await ask(), await ask()], seen };
    }),
  often: () =>
    withServer(plain, async (port) => {
      const agent = new http.Agent({ keepAlive: true });
      const times: number[] = [];
      await get(port, agent);
      while (times.length < 100) times.push(await taken(() => get(port, agent)));
      return times;
    }),
  packets: () => withServer(inPackets, (port) => read(port, new http.Agent())),
  cut: () =>
    withServer(inPackets, async (port) => {
      const seen = [];
      while (seen.length < 300) seen.push(await read(port, new http.Agent()));
      return seen;
    }),
  together: async () => {
    let [underWay, most] = [0, 0];
    const slow: http.RequestListener = (_, answer) => {
      most = Math.max(most, (underWay += 1));
      setTimeout(() => {
        underWay -= 1;
        answer.end('{}');
      }, 1_000);
    };
    return withServer(slow, async (port) => {
      const asked = Array.from({ length: 5 }, async () => {
        const begun = Date.now();
        const { error } = await read(port, new http.Agent());
        return [error, Math.round((Date.now() - begun) / 1_000)];
      });
      return { seen: await Promise.all(asked), most };
    });
  },
  judges: async (life) => prepared?.(life),
  quick: async (life) => prepared?.(life),
  nobody: () => get(9, new http.Agent()),
  reset: () =>
    withServer(
      (_, answer) => void answer.socket?.destroy(),
      (port) => get(port, new http.Agent()),
    ),
};

const seen: unknown[] = [];
for (const life of lives) {
  const { what, seed: own = 1, impairments = {}, roundTrip = 50 } = life;
  const work = LIVES[what];
  if (work === undefined) throw new Error(`nobody lives ${what}`);
  seen.push(
    await runInWorld({ seed: own, roundTrip, impairments }, () => work(life)).catch(
      (error: Error) => error.message,
    ),
  );
}
process.stdout.write(JSON.stringify(seen));
