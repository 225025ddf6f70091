/** The rows of `npm run bench`. Each function measures one thing and compares its figure with the goal of the row. */
import type { ExchangeRecord } from '../../fixtures/evidence/record.ts';
import { measureEmptyPage } from './measure-baseline.ts';
import { FAILURES, measureFirstPaint } from './first-paint.ts';
import { measureCpuOfExchanges } from './harness.ts';
import { serveTraits, CLONE, measureJudging, measureProgram } from './measure.ts';
import { replayRequests, readRequests } from './raw-client.ts';
import type { Report } from '../../reports/document/report-document.ts';
import type { Traits } from './bench-target.ts';

/** One row of the printed table. The texts are cells; `isMet` is the last column. */
export interface BenchRow {
  what: string;
  measured: string;
  /** A figure measured in the same run, with which this one is compared, e.g. of a raw client. Empty if there is none. */
  limit: string;
  /** The measured figure divided by the figure in `limit`; null if `limit` is empty. */
  ratio: number | null;
  /** The goal, e.g. `≤ 1.3 × + 2 s`. `×` means: times the figure in `limit`. */
  goal: string;
  isMet: boolean;
}

/** Requests in flight, as MAX_IN_FLIGHT has it by default. */
const IN_FLIGHT = 8;
/** The goal for the CPU of a default run, in seconds. */
const CPU_OF_A_RUN = 4;
/** The default consistency window, in seconds. */
const USUAL_WINDOW = 15;
const seconds = (value: number) => `${value.toFixed(1)} s`;

/** Rows by the name that `--only` takes. A row with `isLong` is measured only if it is named. */
export const BENCH_ROWS: Record<string, { isLong?: boolean; measure: () => Promise<BenchRow[]> }> = {
  reference: { measure: measureReference },
  remote: { measure: async () => [await measureRemote(50), await measureRemote(150)] },
  stores: {
    measure: async () => [
      await measureStore(0, { requests: 1_600, animals: 130 }),
      await measureStore(5_000, { requests: 1_400, animals: 30 }),
    ],
  },
  rows: { measure: async () => [await measureLongNames()] },
  part: { measure: async () => [await measureOneRequirement()] },
  exchange: { measure: async () => [await measureExchange()] },
  properties: { measure: measureProperties },
  broken: { measure: measureBadTargets },
  paint: { measure: async () => [await measurePaint()] },
  'npm-test': { isLong: true, measure: async () => [await measureNpmTest()] },
};

/** Compares a default run with the least possible time: its bare requests, and an empty page of Allure. */
async function measureReference(): Promise<BenchRow[]> {
  const [first, second] = [await measureJudging(null), await measureJudging(null, { times: 2 })];
  const raw = await serveTraits({}, async (target) =>
    replayRequests(readRequests(first.evidence, target), target, IN_FLIGHT),
  );
  const page = await measureEmptyPage();
  const sum = raw.seconds + page;
  const row = (what: string, run: typeof first): BenchRow => ({
    what,
    measured: `${seconds(run.seconds)}, ${seconds(run.cpu)} of CPU, ${run.memory} MiB`,
    limit: `${seconds(sum)}: ${raw.seconds.toFixed(1)} raw + ${page.toFixed(1)} Allure`,
    ratio: run.seconds / sum,
    goal: `≤ 3.2 s, ≤ ${CPU_OF_A_RUN} s of CPU, ≤ 180 MiB`,
    isMet: run.seconds <= 3.2 && run.cpu <= CPU_OF_A_RUN && run.memory <= 180,
  });
  return [
    row('`npm run conformance` on the reference, reports included', first),
    row('the same once more into the same folder', second),
  ];
}

/** Judges one requirement (`--only`), and measures also the time until the first request. */
async function measureOneRequirement(): Promise<BenchRow> {
  const run = await measureJudging(null, { options: ['--only', 'list-pets.limit'] });
  const begun = Math.round(Math.min(...readExchanges(run.evidence).map(({ at }) => at)) - run.at);
  return {
    what: '`--only` of one requirement; its first request',
    measured: `${seconds(run.seconds)}; after ${begun} ms`,
    limit: '',
    ratio: null,
    goal: '≤ 2 s; within 700 ms',
    isMet: run.seconds <= 2 && begun <= 700,
  };
}

/** Judges a target whose answers take `delay` milliseconds longer. */
async function measureRemote(delay: number): Promise<BenchRow> {
  const run = await serveTraits({ delay }, (target) => measureJudging(target));
  const wire = ((run.report?.run.requests ?? 0) * delay) / 1_000 / IN_FLIGHT;
  return {
    what: `a target ${delay} ms away`,
    measured: `${seconds(run.seconds)}: ${writeInFlight(readExchanges(run.evidence))}`,
    limit: `${seconds(wire)}: ${run.report?.run.requests} requests, ${IN_FLIGHT} in flight`,
    ratio: run.seconds / wire,
    goal: '≤ 1.15 × + 1.5 s',
    isMet: run.seconds <= 1.15 * wire + 1.5,
  };
}

/**
 * Writes how many requests were in flight for how long. `1 or 0` is the chain of requests that each wait for the one
 * before.
 */
function writeInFlight(exchanges: readonly ExchangeRecord[]): string {
  const steps = exchanges.flatMap(({ begin, end }) => [
    { at: begin, step: 1 },
    { at: end, step: -1 },
  ]);
  steps.sort((one, other) => one.at - other.at);
  const spent = { most: 0, some: 0, chain: 0 };
  let [inFlight, last] = [0, steps[0]?.at ?? 0];
  for (const { at, step } of steps) {
    if (inFlight < 2) spent.chain += at - last;
    else if (inFlight < IN_FLIGHT) spent.some += at - last;
    else spent.most += at - last;
    inFlight += step;
    last = at;
  }
  return `${IN_FLIGHT} in flight for ${seconds(spent.most / 1_000)}, fewer for ${seconds(spent.some / 1_000)}, 1 or 0 for ${seconds(spent.chain / 1_000)}`;
}

/** The figures of a run that has left no report: worse than any goal. */
const NO_REPORT = { requests: Infinity, animalsCreated: Infinity, open: Infinity, inPart: 0 };

function readFigures({ run, requirements, counts }: Report): typeof NO_REPORT {
  return {
    requests: run.requests,
    animalsCreated: run.animalsCreated,
    open: requirements.filter(({ verdict }) => verdict === 'inconclusive').length,
    inPart: counts.must.inPart + counts.should.inPart,
  };
}

/** Counts requests and animals of a run on a store with this many animals of others. */
async function measureStore(others: number, most: { requests: number; animals: number }): Promise<BenchRow> {
  const { report } = await serveTraits({ others }, (target) => measureJudging(target));
  const { requests, animalsCreated, open, inPart } = report === null ? NO_REPORT : readFigures(report);
  return {
    what:
      others === 0
        ? 'requests, animals on an empty store'
        : `the same on a store with ${others.toLocaleString('en')} animals of others`,
    measured: `${requests} requests, ${animalsCreated} animals; ${open} undecided, ${inPart} in part`,
    limit: '',
    ratio: null,
    goal: `≤ ${most.requests.toLocaleString('en')}, ≤ ${most.animals}, everything judged`,
    isMet: requests <= most.requests && animalsCreated <= most.animals && open === 0,
  };
}

/**
 * Compares a run on a store with 20,000 long names with a run on a store with 100 of them. The CPU for each MiB of answers must
 * not grow.
 */
async function measureLongNames(): Promise<BenchRow> {
  const judge = async (others: number) => {
    const run = await serveTraits({ others, letters: 256 }, (target) => measureJudging(target));
    return { ...run, mebibytes: countBytes(run.evidence) / 2 ** 20 };
  };
  const [few, many] = [await judge(100), await judge(20_000)];
  const ratio = many.cpu / many.mebibytes / (few.cpu / few.mebibytes);
  return {
    what: 'a store with 20,000 animals of others, whose names have 256 letters',
    measured: `${seconds(many.seconds)}, ${seconds(many.cpu)} of CPU, ${many.memory} MiB for ${many.mebibytes.toFixed(1)} MiB of answers`,
    limit: `100 of them: ${seconds(few.cpu)} of CPU, ${few.memory} MiB for ${few.mebibytes.toFixed(1)} MiB of answers`,
    ratio,
    goal: '≤ 1 by CPU for each MiB of answers',
    isMet: ratio <= 1,
  };
}

/** Returns the exchanges in the lines of evidence.jsonl. */
function readExchanges(evidence: readonly string[]): ExchangeRecord[] {
  return evidence.flatMap((line) => {
    const record = JSON.parse(line) as ExchangeRecord | { kind: 'head' | 'judgement' };
    return record.kind === 'exchange' ? [record] : [];
  });
}

/** Counts the bytes of all bodies that a run received. */
function countBytes(evidence: readonly string[]): number {
  const bodies = readExchanges(evidence).map(({ response }) => response?.body);
  return bodies.reduce<number>((sum, body) => sum + (body?.bytes ?? JSON.stringify(body ?? '').length), 0);
}

/** Compares the CPU that the suite and a raw client need for one exchange, e.g. 0.34 ms and 0.10 ms. */
async function measureExchange(): Promise<BenchRow> {
  const { ours, raw } = await serveTraits({ others: 100 }, (target) => measureCpuOfExchanges(target, 4_000));
  return {
    what: 'CPU per exchange in the harness',
    measured: `${ours.toFixed(2)} ms`,
    limit: `${raw.toFixed(2)} ms raw`,
    ratio: ours / raw,
    goal: '≤ 3.5',
    isMet: ours <= 3.5 * raw,
  };
}

/** Compares the CPU of a request in runs with more generated input with a run of 100 generated inputs per property. */
async function measureProperties(): Promise<BenchRow[]> {
  const costs: { runs: number; seconds: number; cpu: number; requests: number; memory: number }[] = [];
  for (const runs of [100, 1_000, 10_000]) {
    const run = await serveTraits({}, (target) =>
      measureJudging(target, {
        env: { PROPERTY_RUNS: String(runs), MAX_REQUESTS: '1000000', RUN_TIMEOUT: '3600' },
      }),
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
      goal: '≤ 1, below 400 MiB',
      isMet: each <= before && memory < 400,
    };
  });
}

/** Compares runs on bad targets with a run on the reference. */
async function measureBadTargets(): Promise<BenchRow[]> {
  const plain = await serveTraits({}, (target) => measureJudging(target));
  const row = async (what: string, traits: Traits): Promise<BenchRow> => {
    const run = await serveTraits(traits, (target) => measureJudging(target));
    const flagged =
      run.report?.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').length ?? 0;
    return {
      what,
      measured: `${seconds(run.seconds)}, ${flagged} requirements flagged`,
      limit: `${seconds(plain.seconds)} on the reference`,
      ratio: run.seconds / plain.seconds,
      goal: '≤ 2 × + one window',
      isMet: run.seconds <= 2 * plain.seconds + USUAL_WINDOW && (traits.isHopeless === true || flagged > 0),
    };
  };
  return [
    await row('a target with many violations', { violations: 60 }),
    await row('one that is hopeless: every answer is 500', { isHopeless: true }),
  ];
}

/** Measures how soon a browser shows the page of a run with many failures. */
async function measurePaint(): Promise<BenchRow> {
  const { report } = await measureJudging(null);
  if (report === null) throw new Error('the run on the reference left no report');
  const { milliseconds, kibibytes } = await measureFirstPaint(report);
  return {
    what: `the first paint of a page with ${FAILURES} failures`,
    measured: `${Math.round(milliseconds)} ms, ${kibibytes.toLocaleString('en')} KiB`,
    limit: '',
    ratio: null,
    goal: '≤ 1 s',
    isMet: milliseconds <= 1_000,
  };
}

async function measureNpmTest(): Promise<BenchRow> {
  const { seconds: taken, cpu, exitCode } = await measureProgram('npm', ['test'], { cwd: CLONE });
  return {
    what: '`npm test`, the proof included',
    measured: `${seconds(taken)}, ${seconds(cpu)} of CPU, exit ${exitCode}`,
    limit: '',
    ratio: null,
    goal: '≤ 150 s, ≤ 290 s of CPU',
    isMet: taken <= 150 && cpu <= 290 && exitCode === 0,
  };
}
