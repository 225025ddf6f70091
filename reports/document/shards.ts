/** Merges the records of all machines of a shared run into one report. A shard is the share of one machine. Pure. */
import { nameTest } from '../../fixtures/asking/lanes/added-tests.ts';
import type { Evidence, Operation } from '../../fixtures/exchange/exchange.ts';
import type { Finding, Sighting } from '../../fixtures/judgement/finding.ts';
import { dropNeeds, type Reason } from '../../fixtures/judgement/reason.ts';
import { TESTED, type RequirementId } from '../../fixtures/interface/requirements.ts';
import { ACROSS_ANIMALS } from '../../fixtures/judgement/rules/judge-exchanges.ts';
import { describeLost } from './reasons/reason-words.ts';
import { assemble } from './assemble.ts';
import type { Report } from './report-document.ts';

/** One machine of a shared run writes this record for the common report. */
export interface ShardRecord {
  version: 2;
  /** A number from 1 to `count`. */
  index: number;
  count: number;
  suite: Report['suite'];
  /** Digest of the catalogue of requirements that the machine used. */
  catalogue: string;
  target: Report['target'];
  run: Report['run'];
  /** Keys of the tests that have ended on this machine. */
  tests: string[];
  findings: Finding[];
  sightings: Sighting[];
  durations: Partial<Record<Operation, number[]>>;
  footprint: Report['footprint'];
  exchanges: Evidence[];
}

/** A test of the suite, with the facts that the report needs if no machine ran it. */
interface PlannedTest {
  place: { title: string; file: string; line: number };
  declared: { verifies: readonly RequirementId[] };
}

/**
 * Returns one line for each sign that the records do not belong to one run; empty if they do.
 * @param catalogue the digest of the requirements of this suite, which makes the report
 */
export function findMismatches(records: readonly ShardRecord[], catalogue: string): string[] {
  const [first, ...others] = records;
  if (first === undefined) return ['there is nothing to merge'];
  const repeated = records
    .filter(({ index }, at) => records.findIndex((each) => each.index === index) < at)
    .map(({ index, count }) => `shard ${index}/${count} is there twice`);
  const findDifference = (what: string, of: (record: ShardRecord) => unknown) =>
    others.every((each) => JSON.stringify(of(each)) === JSON.stringify(of(first)))
      ? []
      : [`the shards have different ${what}`];
  return [
    ...repeated,
    ...findDifference('numbers of shards', ({ count }) => count),
    ...findDifference('versions of the suite', ({ suite, catalogue: own }) => [suite.version, own]),
    ...(first.catalogue === catalogue
      ? []
      : ['the shards were judged by another version of the suite than this one']),
    ...findDifference('targets', ({ target }) =>
      target.embedded
        ? 'the embedded reference'
        : [target.baseUrl, target.environment, target.subject ?? null],
    ),
    ...findDifference('settings', ({ run: { mode, strict, seed, propertyRuns, clock, variables } }) => [
      mode,
      strict,
      seed,
      propertyRuns,
      clock,
      variables,
    ]),
  ];
}

/** Returns the numbers of the shards that have no record. */
export function findMissingShards(records: readonly Pick<ShardRecord, 'index' | 'count'>[]): number[] {
  const present = new Set(records.map(({ index }) => index));
  return Array.from({ length: records[0]?.count ?? 0 }, (_, index) => index + 1).filter(
    (index) => !present.has(index),
  );
}

/**
 * Makes one report of all shards.
 * @param suite every test that exists; the promises of a test that no shard ran are undecided
 */
export function mergeShards(shards: readonly ShardRecord[], suite: readonly PlannedTest[]): Report {
  // Each machine counts its exchanges from 1: the numbers of all machines before are added to each number.
  const records = shards
    .toSorted((left, right) => left.index - right.index)
    .map((each, at, all) =>
      renumberRecord(
        each,
        all
          .slice(0, at)
          .reduce((sum, { exchanges, findings }) => sum + findHighestNumber(exchanges, findings), 0),
      ),
    );
  const [first] = records;
  if (first === undefined) throw new Error('there is nothing to merge');
  const lost = findMissingShards(records);
  const exchanges = new Map(records.flatMap((each) => each.exchanges).map((each) => [each.id, each]));
  const findings = [...records.flatMap((each) => each.findings), ...findNotRun(records, suite, lost)];
  const run = joinRuns(records, first, lost);
  return assemble({
    suite: first.suite,
    target: first.target,
    run,
    only: [],
    findings: [...findings, ...findUncompared(findings, first.count)].map((each) =>
      keepHeldEvidence(each, exchanges),
    ),
    sightings: records
      .flatMap((each) => each.sightings)
      .map((each) => ({ ...each, evidence: each.evidence.filter((id) => exchanges.has(id)) })),
    durations: joinDurations(records.map((each) => each.durations)),
    footprint: records.flatMap((each) => each.footprint),
    redact: (text) => text,
    evidence: (ids) => ids.flatMap((id) => exchanges.get(id) ?? []),
  });
}

/** Returns findings for tests that no machine ended: their promises are undecided, whatever other tests say of them. */
function findNotRun(
  records: readonly ShardRecord[],
  suite: readonly PlannedTest[],
  lost: readonly number[],
): Finding[] {
  const ended = new Set(records.flatMap(({ tests }) => tests));
  const reason: Reason =
    lost.length === 0
      ? { kind: 'share', of: 'tests' }
      : { kind: 'share', of: 'lost', shards: nameShards(lost, records[0]?.count ?? 0) };
  return suite
    .filter(({ place }) => !ended.has(nameTest(place)))
    .flatMap(({ place, declared }) =>
      declared.verifies.map((requirement): Finding => ({
        requirement,
        verdict: 'inconclusive',
        reason,
        flaw: null,
        evidence: [],
        test: place,
        replay: null,
      })),
    );
}

/**
 * Returns findings for promises that compare animals with each other, such as unique identifiers. Each shard compared only its
 * own animals, so these promises pass in part.
 */
function findUncompared(findings: readonly Finding[], count: number): Finding[] {
  if (count < 2) return [];
  const ids = new Set(ACROSS_ANIMALS.flatMap(({ verifies }) => verifies));
  const passed = (id: string) => {
    const verdicts = findings.filter(({ requirement }) => requirement === id).map(({ verdict }) => verdict);
    return verdicts.includes('pass') && !verdicts.includes('fail') && !verdicts.includes('inconclusive');
  };
  const test = { title: 'answers of several machines', file: 'reports/document/shards.ts', line: 1 };
  return TESTED.filter((id) => ids.has(id) && passed(id)).map((requirement) => ({
    requirement,
    verdict: 'left-out',
    reason: { kind: 'share', of: 'animals' },
    flaw: null,
    evidence: [],
    test,
    replay: null,
  }));
}

function joinRuns(
  records: readonly ShardRecord[],
  first: ShardRecord,
  lost: readonly number[],
): Report['run'] {
  const runs = records.map(({ run }) => run);
  const sum = (of: (run: Report['run']) => number) => runs.reduce((total, run) => total + of(run), 0);
  const begun = Math.min(...runs.map(({ startedAt }) => Date.parse(startedAt)));
  const rps = runs.map(({ limits }) => limits.rps);
  // Left out: members that hold for one machine only, such as options with paths, or that nobody knows for all machines.
  const { profile: _, seeds: __, options: ___, remedy: ____, stoppedBy: _____, ...common } = first.run;
  return {
    ...common,
    startedAt: new Date(begun).toISOString(),
    durationMs:
      Math.max(...runs.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs)) - begun,
    only: [],
    complete: lost.length === 0 && runs.every(({ complete }) => complete),
    ...joinEnds(records, nameShards(lost, first.count)),
    requests: sum(({ requests }) => requests),
    animalsCreated: sum(({ animalsCreated }) => animalsCreated),
    limits: {
      animals: sum(({ limits }) => limits.animals),
      requests: sum(({ limits }) => limits.requests),
      wrongKeys: sum(({ limits }) => limits.wrongKeys),
      inFlight: sum(({ limits }) => limits.inFlight),
      rps: rps.includes(null) ? null : sum(({ limits }) => limits.rps ?? 0),
    },
    lagMs: runs.reduce(
      (most: number | null, { lagMs }) => (lagMs === null ? most : Math.max(lagMs, most ?? 0)),
      null,
    ),
    putOff: {
      answers: sum(({ putOff }) => putOff?.answers ?? 0),
      waitedMs: sum(({ putOff }) => putOff?.waitedMs ?? 0),
      limited: sum(({ putOff }) => putOff?.limited ?? 0),
    },
    progress: {
      ended: sum(({ progress }) => progress?.ended ?? 0),
      all: sum(({ progress }) => progress?.all ?? 0),
    },
    shards: Array.from({ length: first.count }, (_each, at) => {
      const run = records.find(({ index }) => index === at + 1)?.run;
      return {
        index: at + 1,
        id: run?.id ?? null,
        requests: run?.requests ?? 0,
        animalsCreated: run?.animalsCreated ?? 0,
        complete: run?.complete ?? false,
      };
    }),
  };
}

/** Returns the reasons why shards stopped early, and a remedy. */
function joinEnds(
  records: readonly ShardRecord[],
  lost: readonly string[],
): Pick<Report['run'], 'stopped' | 'stoppedBy' | 'remedy'> {
  const stopped = [
    ...(lost.length === 0 ? [] : [describeLost(lost)]),
    ...records.flatMap(({ index, count, run }) =>
      run.stopped === null ? [] : [`shard ${index}/${count}: ${run.stopped}`],
    ),
  ];
  const kinds = records.flatMap(({ run }) => run.stoppedBy ?? []);
  // If somebody interrupted one shard, the whole run counts as interrupted.
  const stoppedBy = kinds.find((kind) => kind === 'interrupted') ?? kinds[0];
  const [remedy] = records.flatMap(({ run }) => run.remedy ?? []);
  return {
    stopped: stopped.length === 0 ? null : stopped.join('; '),
    ...(remedy && { remedy }),
    ...(stoppedBy && { stoppedBy }),
  };
}

function nameShards(lost: readonly number[], count: number): string[] {
  return lost.map((index) => `${index}/${count}`);
}

/** Returns the highest number of an exchange in the record. */
function findHighestNumber(exchanges: readonly Evidence[], findings: readonly Finding[]): number {
  const ids = [
    ...exchanges.map(({ id }) => id),
    ...findings.flatMap(({ evidence, flaw }) => [...evidence, ...(flaw?.evidence ?? [])]),
  ];
  return ids.reduce((most, id) => Math.max(most, Number(id.slice(1))), 0);
}

/** Adds `from` to the number in each id, e.g. `x5` becomes `x105`, so that no two shards share an id. */
function renumberRecord(record: ShardRecord, from: number): ShardRecord {
  const renumber = (id: string) => `x${Number(id.slice(1)) + from}`;
  return {
    ...record,
    exchanges: record.exchanges.map((each) => ({ ...each, id: renumber(each.id) })),
    sightings: record.sightings.map((each) => ({ ...each, evidence: each.evidence.map(renumber) })),
    findings: record.findings.map((each) => ({
      ...each,
      evidence: each.evidence.map(renumber),
      flaw: each.flaw && { ...each.flaw, evidence: each.flaw.evidence.map(renumber) },
    })),
  };
}

/**
 * Removes ids of exchanges that no record holds, and the MAX_ANIMALS that one machine would need: it says nothing about all
 * machines together.
 */
function keepHeldEvidence(finding: Finding, exchanges: ReadonlyMap<string, Evidence>): Finding {
  const keepHeld = (ids: readonly string[]) => ids.filter((id) => exchanges.has(id));
  const { reason } = finding;
  return {
    ...finding,
    reason: reason && dropNeeds(reason),
    evidence: keepHeld(finding.evidence),
    flaw: finding.flaw && { ...finding.flaw, evidence: keepHeld(finding.flaw.evidence) },
  };
}

function joinDurations(all: readonly ShardRecord['durations'][]): ShardRecord['durations'] {
  const operations = [...new Set(all.flatMap((each) => Object.keys(each)))] as Operation[];
  return Object.fromEntries(
    operations.map((operation) => [operation, all.flatMap((each) => each[operation] ?? [])]),
  );
}
