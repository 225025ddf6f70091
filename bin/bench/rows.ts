/** The rows of the table: each measures by itself, and holds what it measured against its limit. */
import { fileURLToPath } from 'node:url';
import { emptyPage, emptyTest } from './baseline.ts';
import { cpuOfExchanges } from './harness.ts';
import { against, judge, take } from './measure.ts';
import { replay, requestsIn } from './raw.ts';
import type { Report } from '../../reports/document/report.ts';
import type { Traits } from './target.ts';

/** One line of the table. */
export interface Row {
  what: string;
  measured: string;
  limit: string;
  /** What the two are to each other, and how much they may be; null where the figure itself is bounded. */
  ratio: number | null;
  must: string;
  isMet: boolean;
}

const IN_FLIGHT = 8;
const seconds = (value: number) => `${value.toFixed(1)} s`;

/** Rows by the name that `--only` takes. `isLong`: measured only when it is named. */
export const ROWS: Record<string, { isLong?: boolean; measure: () => Promise<Row[]> }> = {
  reference: { measure: reference },
  remote: { measure: async () => [await remote(50), await remote(150)] },
  stores: { measure: async () => [await store(0, 120), await store(5_000, 30)] },
  exchange: { measure: async () => [await exchange()] },
  properties: { measure: properties },
  broken: { measure: broken },
  twenty: { measure: async () => [await twenty()] },
  'npm-test': { isLong: true, measure: async () => [await npmTest()] },
};

async function reference(): Promise<Row[]> {
  const run = await judge(null);
  const raw = await against({}, async (stand) => replay(requestsIn(run.evidence, stand), stand, IN_FLIGHT));
  const [runner, page] = [await emptyTest(), await emptyPage()];
  const sum = raw.seconds + runner.seconds + page;
  const measured = `${seconds(run.seconds)}, ${seconds(run.cpu)} of CPU, ${run.memory} MiB`;
  const limit = `${seconds(sum)}: ${raw.seconds.toFixed(1)} raw + ${runner.seconds.toFixed(1)} runner + ${page.toFixed(1)} Allure`;
  return [
    {
      what: '`npm run conformance` on the reference, reports included',
      measured,
      limit,
      ratio: run.seconds / sum,
      must: '≤ 2, under 5 s and 6 s of CPU, 400 MiB',
      isMet: run.seconds <= 2 * sum && run.seconds < 5 && run.cpu < 6 && run.memory < 400,
    },
  ];
}

async function remote(delay: number): Promise<Row> {
  const run = await against({ delay }, (stand) => judge(stand));
  const wire = ((run.report?.run.requests ?? 0) * delay) / 1_000 / IN_FLIGHT;
  return {
    what: `a target ${delay} ms away`,
    measured: seconds(run.seconds),
    limit: `${seconds(wire)}: ${run.report?.run.requests} requests, ${IN_FLIGHT} in flight`,
    ratio: run.seconds / wire,
    must: '≤ 1.4 × + 3 s',
    isMet: run.seconds <= 1.4 * wire + 3,
  };
}

const NO_REPORT = { requests: Infinity, animalsCreated: Infinity, open: Infinity, inPart: 0 };

function figuresOf({ run, requirements, counts }: Report): typeof NO_REPORT {
  return {
    requests: run.requests,
    animalsCreated: run.animalsCreated,
    open: requirements.filter(({ verdict }) => verdict === 'inconclusive').length,
    inPart: counts.must.inPart + counts.should.inPart,
  };
}

async function store(others: number, animals: number): Promise<Row> {
  const { report } = await against({ others }, (stand) => judge(stand));
  const { requests, animalsCreated, open, inPart } = report === null ? NO_REPORT : figuresOf(report);
  return {
    what:
      others === 0
        ? 'requests, animals on an empty store'
        : `the same on a store with ${others.toLocaleString('en')} animals of others`,
    measured: `${requests} requests, ${animalsCreated} animals; ${open} undecided, ${inPart} in part`,
    limit: '',
    ratio: null,
    must: `≤ 1,400, ≤ ${animals}, everything judged in full`,
    isMet: requests <= 1_400 && animalsCreated <= animals && open === 0 && inPart === 0,
  };
}

async function exchange(): Promise<Row> {
  const { ours, raw } = await against({ others: 100 }, (stand) => cpuOfExchanges(stand, 4_000));
  return {
    what: 'CPU per exchange in the harness',
    measured: `${ours.toFixed(2)} ms`,
    limit: `${raw.toFixed(2)} ms raw`,
    ratio: ours / raw,
    must: '≤ 3',
    isMet: ours <= 3 * raw,
  };
}

async function properties(): Promise<Row[]> {
  const costs: { runs: number; seconds: number; cpu: number; requests: number; memory: number }[] = [];
  for (const runs of [100, 1_000, 10_000]) {
    const run = await against({}, (stand) =>
      judge(stand, { PROPERTY_RUNS: String(runs), MAX_REQUESTS: '1000000', RUN_TIMEOUT: '3600' }),
    );
    costs.push({
      runs,
      seconds: run.seconds,
      cpu: run.cpu,
      requests: run.report?.run.requests ?? 0,
      memory: run.memory,
    });
  }
  const [first, ...more] = costs;
  return more.map(({ runs, cpu, requests, memory, seconds: taken }) => {
    const [each, before] = [(1_000 * cpu) / requests, (1_000 * (first?.cpu ?? 0)) / (first?.requests ?? 1)];
    return {
      what: `PROPERTY_RUNS=${runs.toLocaleString('en')}`,
      measured: `${seconds(taken)}, ${requests} requests, ${each.toFixed(1)} ms of CPU each, ${memory} MiB`,
      limit: `${before.toFixed(1)} ms of CPU each with 100`,
      ratio: each / before,
      must: '≤ 1, below 400 MiB',
      isMet: each <= before && memory < 400,
    };
  });
}

async function broken(): Promise<Row[]> {
  const plain = await against({}, (stand) => judge(stand));
  const row = async (what: string, traits: Traits): Promise<Row> => {
    const run = await against(traits, (stand) => judge(stand));
    const flagged =
      run.report?.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').length ?? 0;
    return {
      what,
      measured: `${seconds(run.seconds)}, ${flagged} requirements flagged`,
      limit: `${seconds(plain.seconds)} on the reference`,
      ratio: run.seconds / plain.seconds,
      must: '≤ 2',
      isMet: run.seconds <= 2 * plain.seconds,
    };
  };
  return [
    await row('a target with many violations', { violations: 60 }),
    await row('one that is hopeless: every answer is 500', { isHopeless: true }),
  ];
}

/** Each run and each target has a process of its own; the machine is the same. */
async function twenty(): Promise<Row> {
  const all = <T>(body: (nth: number) => Promise<T>) => Array.from({ length: 20 }, (_, nth) => body(nth));
  const one = () => against({}, (stand) => judge(stand));
  const begun = performance.now();
  for (const next of all(() => Promise.resolve(one))) await (await next)();
  const row = (performance.now() - begun) / 1_000;
  const again = performance.now();
  await Promise.all(all(one));
  const together = (performance.now() - again) / 1_000;
  return {
    what: 'twenty targets at once on one machine',
    measured: seconds(together),
    limit: `${seconds(row)} in a row`,
    ratio: together / row,
    must: '≤ 0.6',
    isMet: together <= 0.6 * row,
  };
}

async function npmTest(): Promise<Row> {
  const { seconds: taken, exitCode } = await take('npm', ['test'], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
  });
  return {
    what: '`npm test`, the proof included',
    measured: `${seconds(taken)}, exit ${exitCode}`,
    limit: '',
    ratio: null,
    must: '≤ 150 s',
    isMet: taken <= 150 && exitCode === 0,
  };
}
