/** One run on several machines: what each leaves, and the one report that is made of it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { findLeaks } from '../../../bin/prove/hostile/leaks.ts';
import { nameTest } from '../../../fixtures/asking/lanes/added-tests.ts';
import type { Finding } from '../../../fixtures/judgement/finding.ts';
import { REQUIREMENTS, TESTED, type RequirementId } from '../../../fixtures/interface/requirements.ts';
import { RULES } from '../../../fixtures/judgement/rules/judge-exchanges.ts';
import { digestCatalogue } from '../../../reports/certificate/suite-digests.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { mergeShards, findMismatches, type ShardRecord } from '../../../reports/document/shards.ts';
import { reportMistakes } from '../../../reports/document/report-schema.ts';
import {
  drawMark,
  makeShardMark,
  isShowingOthers,
  UNMARKED,
} from '../../../fixtures/judgement/store/run-mark.ts';
import { against, command, idsWith, type Ended } from '../samples/command.ts';
import { PROJECT, run } from '../samples/installed.ts';
import { CONFORMING, exchange } from '../samples/sample-reports.ts';
import { runHere } from '../samples/run-here.ts';

const COUNT = 3;
const pass = (requirement: RequirementId): Finding => ({
  requirement,
  verdict: 'pass',
  reason: null,
  flaw: null,
  evidence: ['x1'],
  test: { title: 't', file: 'tests/t.spec.ts', line: 1 },
  replay: null,
});
/** Three machines of which all tests and rules pass; each has an exchange x1 of its own. */
async function records(): Promise<ShardRecord[]> {
  const suite = await collectSuite();
  return [1, 2, 3].map((index): ShardRecord => {
    const tests = suite.filter((_, at) => at % COUNT === index - 1);
    const { suite: by, target, run: circumstances } = CONFORMING;
    const own = exchange('x1', { durationMs: index });
    return {
      version: 2,
      index,
      count: COUNT,
      suite: by,
      catalogue: digestCatalogue(),
      target,
      run: {
        ...circumstances,
        id: `csabcd${'efg'[index - 1]}`,
        complete: true,
        stopped: null,
        only: [],
        requests: 100,
        animalsCreated: 10,
        limits: { animals: 50, requests: 1_000, inFlight: 8, rps: 5, wrongKeys: 20 },
      },
      tests: tests.map(({ place }) => nameTest(place)),
      findings: [
        ...tests.flatMap(({ declared }) => declared.verifies.map(pass)),
        ...RULES.flatMap(({ verifies }) => verifies.map(pass)),
      ],
      sightings: [],
      durations: { listPets: [index] },
      footprint: [{ id: String(index), name: `csabcd${index}` }],
      exchanges: [own],
    };
  });
}
const merged = async (shards: readonly ShardRecord[]) => mergeShards(shards, await collectSuite());
const resultOf = (report: Report, id: string) => report.requirements.find((each) => each.id === id);

test('all shards make one report that accounts for every requirement once', async () => {
  const report = await merged((await records()).toReversed());
  expect(reportMistakes(report)).toEqual([]);
  expect(report).toMatchObject({
    verdict: 'conforming',
    exitCode: 0,
    run: {
      only: [],
      complete: true,
      stopped: null,
      requests: 300,
      animalsCreated: 30,
      limits: { animals: 150, requests: 3_000, wrongKeys: 60, rps: 15 },
    },
  });
  expect(report.requirements.map(({ id }) => id)).toEqual(Object.keys(REQUIREMENTS));
  expect(idsWith(report, 'pass').toSorted()).toEqual([...TESTED].toSorted());
  expect(report.run.shards).toEqual(
    [1, 2, 3].map((index) => ({
      index,
      id: `csabcd${'efg'[index - 1]}`,
      requests: 100,
      animalsCreated: 10,
      complete: true,
    })),
  );
  expect(report.footprint.map(({ id }) => id)).toEqual(['1', '2', '3']);
  expect(report.timings.listPets).toMatchObject({ count: 3 });
});

test('what only one session could tell passes in part, and the rest in full', async () => {
  const report = await merged(await records());
  for (const id of ['create-pet.unique-id', 'create-pet.kept', 'list-pets.shows-added'])
    expect(resultOf(report, id)?.partial).toMatchObject({
      needs: null,
      reason: expect.stringContaining('run on one machine'),
    });
  for (const id of ['list-pets.limit', 'representation.json', 'authentication.valid-key'])
    expect(resultOf(report, id)?.partial).toBeNull();
  expect(report.counts.must.inPart).toBeGreaterThan(5);
});

test('a lost shard is never green: what it would have asked is undecided', async () => {
  const all = await records();
  for (const lost of [1, 2, 3]) {
    const report = await merged(all.filter(({ index }) => index !== lost));
    expect(report).toMatchObject({
      verdict: 'inconclusive',
      exitCode: 3,
      run: { complete: false, stopped: `shard ${lost}/3 is lost` },
    });
    const asked = new Set(
      (await collectSuite())
        .filter((_, at) => at % COUNT === lost - 1)
        .flatMap(({ declared }) => declared.verifies),
    );
    expect(idsWith(report, 'inconclusive').filter((id) => !asked.has(id as RequirementId))).toEqual([]);
    expect(idsWith(report, 'inconclusive').length).toBeGreaterThan(10);
    expect(report.run.shards?.[lost - 1]).toEqual({
      index: lost,
      id: null,
      requests: 0,
      animalsCreated: 0,
      complete: false,
    });
  }
});

test('a shard that was cut short, or that left out a test, is not green', async () => {
  const [first, second, third] = (await records()) as [ShardRecord, ShardRecord, ShardRecord];
  const stopped = await merged([
    first,
    { ...second, run: { ...second.run, complete: false, stopped: 'the run was interrupted (SIGTERM)' } },
    third,
  ]);
  expect(stopped).toMatchObject({
    exitCode: 3,
    run: { complete: false, stopped: 'shard 2/3: the run was interrupted (SIGTERM)' },
  });
  expect((await merged([first, { ...second, tests: second.tests.slice(1) }, third])).exitCode).toBe(3);
});

test('one failure in one shard fails, with the exchange that shows it', async () => {
  const [first, second, third] = (await records()) as [ShardRecord, ShardRecord, ShardRecord];
  const flaw = {
    requirement: 'list-pets.limit',
    expected: 'at most 5',
    received: '6',
    pointer: null,
    evidence: ['x1'],
  } as const;
  const report = await merged([
    first,
    { ...second, findings: [...second.findings, { ...pass('list-pets.limit'), verdict: 'fail', flaw }] },
    third,
  ]);
  expect(report).toMatchObject({ verdict: 'nonconforming', exitCode: 1 });
  const [shown] = resultOf(report, 'list-pets.limit')?.evidence ?? [];
  expect(report.exchanges.find(({ id }) => id === shown)?.durationMs).toBe(2);
  expect(new Set(report.exchanges.map(({ id }) => id)).size).toBe(report.exchanges.length);
});

test('records of different runs are refused, each for its reason', async () => {
  const [first, second, third] = (await records()) as [ShardRecord, ShardRecord, ShardRecord];
  const refused = (...shards: ShardRecord[]) => findMismatches(shards, digestCatalogue());
  expect(refused(first, second, third)).toEqual([]);
  expect(refused(first, second, second)).toEqual(['shard 2/3 is there twice']);
  expect(refused(first, { ...second, count: 4 })).toEqual(['the shards have different numbers of shards']);
  expect(refused(first, { ...second, target: { ...second.target, baseUrl: 'http://elsewhere/v1' } })).toEqual(
    ['the shards have different targets'],
  );
  expect(refused(first, { ...second, run: { ...second.run, seed: 9 } })).toEqual([
    'the shards have different settings',
  ]);
  expect(refused(first, { ...second, suite: { ...second.suite, version: '9.0.0' } })).toEqual([
    'the shards have different versions of the suite',
  ]);
  expect(findMismatches([first], 'f'.repeat(64))).toEqual([
    'the shards were judged by another version of the suite than this one',
  ]);
});

test('what is no shard ends with 2 and one line', { tag: '@long' }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
  mkdirSync(join(folder, 'empty'));
  mkdirSync(join(folder, 'broken'));
  writeFileSync(join(folder, 'broken', 'shard.json'), '{"version":1}');
  for (const [args, words] of [
    [['missing'], 'is not a folder'],
    [['empty'], 'shard.json is missing'],
    [['broken'], 'lacks'],
  ] as const) {
    const { exitCode, err } = await command('merge', args, {}, folder);
    expect(exitCode).toBe(2);
    expect(err).toContain(words);
  }
  for (const share of ['0/3', '4/3', 'x', '1/0'])
    expect(await command('conformance', ['--shard', share], {}, folder)).toMatchObject({
      exitCode: 2,
      err: '--shard takes i/n with i from 1 to n, such as 2/3.\n',
    });
  expect(await command('conformance', ['--shard', '1/2', '--only', 'list-pets'], {}, folder)).toMatchObject({
    exitCode: 2,
  });
  expect(
    (
      await command(
        'conformance',
        ['--shard', '1/2', '--profile', 'certification', '--property-runs', '200'],
        {},
        folder,
      )
    ).err,
  ).toContain('made by one machine');
  rmSync(folder, { recursive: true });
});

/** Serves the reference with an animal of this name. */
async function holding<T>(
  name: string,
  body: (target: { BASE_URL: string; API_KEY: string }) => Promise<T>,
): Promise<T> {
  return against(
    (Base) => Base,
    async (target, { service }) => {
      await service.create({ name, categoryId: 1n });
      return body(target);
    },
  );
}

test('without RUN_ID a shard that sees animals of another ends with 2 before it adds any; a run of a part does not mind them', async () => {
  const sibling = makeShardMark(1, null);
  await holding(`${sibling}ab`, async (target) => {
    const { exitCode, err, report } = await command('conformance', ['--shard', '2/2'], target);
    expect([exitCode, report]).toEqual([2, null]);
    expect(err).toBe(
      `Lists show animals of another shard (marked ${sibling}), and this shard cannot know them from animals of others. Set RUN_ID: one text for all shards of a run, another one for each run.\n`,
    );
    expect((await runHere(['--only', 'list-pets.bare-array'], target)).exitCode).toBe(3);
  });
});

test("what an earlier whole run has left is no shard's", { tag: '@long' }, async () => {
  await holding(`${drawMark()}ab`, async (target) =>
    expect((await command('conformance', ['--shard', '9/19'], target)).err).not.toContain('RUN_ID'),
  );
});

test('a RUN_ID that was used before, is no word, or is for too many machines ends with 2', async () => {
  await holding(`${makeShardMark(2, 'job-7')}ab`, async (target) => {
    const ends = async (share: string, RUN_ID: string) =>
      (await command('conformance', ['--shard', share], { ...target, RUN_ID })).err;
    expect(await ends('2/2', 'job-7')).toContain(
      'RUN_ID has been used here before. Set RUN_ID to another text for each run.',
    );
    expect(await ends('1/2', 'job 7')).toBe(
      'RUN_ID must be one word of at most 200 letters, digits, - and _.\n',
    );
    expect(await ends('1/20', 'job-7')).toContain('at most 19 machines');
  });
});

test('machines of one run have marks that differ in the last letter, and are no others to each other', () => {
  const marks = Array.from({ length: 19 }, (_, index) => makeShardMark(index + 1, 'job-7'));
  expect(new Set(marks).size).toBe(19);
  expect(new Set(marks.map((each) => each.slice(0, 6))).size).toBe(1);
  expect(makeShardMark(1, 'job-8')).not.toBe(makeShardMark(1, 'job-7'));
  const [own = '', other = ''] = marks;
  for (const name of [`${other}ab`, `${own}ab`, `${drawMark()} x`, ...Object.values(UNMARKED)])
    expect(isShowingOthers(name, own), name).toBe(false);
  expect(isShowingOthers('Rex', own)).toBe(true);
  expect(isShowingOthers(UNMARKED.digits, drawMark())).toBe(true);
});

test('two shards one after the other come to a conforming run, with each name without a mark once @long', async () => {
  await against(
    (Base) => Base,
    async (target) => {
      const shards: Ended[] = [];
      for (const index of [1, 2])
        shards.push(
          await command('conformance', ['--shard', `${index}/2`], { ...target, RUN_ID: 'in-turn' }),
        );
      expect(shards.map(({ exitCode, err }) => [exitCode, err])).toEqual([
        [0, ''],
        [0, ''],
      ]);
      const { exitCode, report } = await command(
        'merge',
        shards.map(({ folder }) => join(folder, 'out')),
      );
      expect(idsWith(report, 'fail', 'warn', 'inconclusive')).toEqual([]);
      expect([exitCode, report?.verdict]).toEqual([0, 'conforming']);
      const names = report?.footprint.map(({ name }) => name) ?? [];
      for (const name of Object.values(UNMARKED))
        expect(
          names.filter((each) => each === name),
          name,
        ).toHaveLength(1);
    },
  );
});

type Verdicts = Readonly<Record<string, string>>;
const verdictsOf = ({ report }: Pick<Ended, 'report'>): Verdicts =>
  Object.fromEntries((report?.requirements ?? []).map(({ id, verdict }) => [id, verdict]));
const unsentIn = (report: Report | null) =>
  (report?.requirements ?? [])
    .filter(({ verdict, cause }) => verdict === 'not-applicable' && cause?.kind === 'share')
    .map(({ id }) => id);

/** Each machine looks for what its own refusals had added. */
function expectOwnRefusalsLookedFor(shard: string): void {
  const record = readFileSync(join(shard, 'partial', 'shard.json'), 'utf8');
  const { findings, tests } = JSON.parse(record) as ShardRecord;
  const isAsked = findings.some(
    ({ requirement, test: { title } }) =>
      requirement === 'create-pet.refusal-adds-nothing' && title.includes('adds nothing for a body'),
  );
  expect(isAsked).toBe(true);
  expect(new Set(tests).size).toBe(tests.length);
}

test('three machines at one target at once come to the verdicts of one, within the budgets of one @long', async () => {
  await against(
    (Base) => Base,
    async (target) => {
      // what an empty store answers can be told once: the three find it with animals of all kinds, as one machine does after them
      const first = await command('conformance', [], { ...target, MAX_ANIMALS: '150' });
      const shards = await Promise.all(
        [1, 2, 3].map((index) =>
          command('conformance', ['--shard', `${index}/3`], {
            ...target,
            MAX_ANIMALS: '150',
            RUN_ID: 'at-once',
          }),
        ),
      );
      expect(shards.map(({ exitCode, err }) => [exitCode, err])).toEqual([
        [0, ''],
        [0, ''],
        [0, ''],
      ]);
      const folders = shards.map(({ folder }) => join(folder, 'out'));
      const { exitCode, report, folder } = await command('merge', folders);
      expect(exitCode).toBe(0);
      expect(reportMistakes(report)).toEqual([]);
      const one = await command('conformance', [], { ...target, MAX_ANIMALS: '150' });
      // a situation that one of the runs on one machine has met may be met by the three
      const [before, together, after] = [first, { report }, one].map(verdictsOf) as [
        Verdicts,
        Verdicts,
        Verdicts,
      ];
      // for the sake of the animals of the other machines some things are asked by none
      const differing = Object.keys(together).filter(
        (id) => together[id] !== after[id] && together[id] !== before[id],
      );
      expect(unsentIn(report)).toEqual(
        expect.arrayContaining(['create-pet.broken-characters', ...differing]),
      );
      expect(idsWith(report, 'fail', 'warn', 'inconclusive')).toEqual([]);
      expect(report?.run.animalsCreated).toBeLessThanOrEqual(150);
      expect(report?.run.limits.wrongKeys).toBeLessThanOrEqual(60);
      expect(report?.run.limits.requests).toBeLessThanOrEqual(3_000);
      for (const shard of folders) expectOwnRefusalsLookedFor(shard);
      for (const each of [...shards.map((shard) => shard.folder), folder])
        expect(findLeaks(target.API_KEY, each, {})).toEqual([]);
      const lost = await command('merge', folders.slice(1));
      expect(lost).toMatchObject({
        exitCode: 3,
        report: { verdict: 'inconclusive', run: { complete: false, stopped: 'shard 1/3 is lost' } },
      });
    },
  );
});

test('machines at a store that others fill end with 0 each, and blame nobody for what is missing @long', async () => {
  await against(
    (Base) => Base,
    async (target, { service }) => {
      const add = (nth: number) => service.create({ name: `Rex ${nth}`, categoryId: 1n, status: 'sold' });
      for (let nth = 0; nth < 40; nth += 1) await add(nth);
      let next = 40;
      const others = setInterval(() => void add((next += 1)), 150);
      const shards = await Promise.all(
        [1, 2, 3].map((index) =>
          command('conformance', ['--shard', `${index}/3`], { ...target, RUN_ID: 'beside-others' }),
        ),
      ).finally(() => clearInterval(others));
      const all = await command(
        'merge',
        shards.map(({ folder }) => join(folder, 'out')),
      );
      for (const { exitCode, report, out, err } of [...shards, all]) {
        expect([exitCode, err, idsWith(report, 'fail', 'warn', 'inconclusive')]).toEqual([0, '', []]);
        expect(out).not.toContain('needs an empty store');
        expect(JSON.stringify(report?.requirements)).not.toMatch(/(deleted|archived|changed) by others/);
      }
      expect(all.report?.reason).toContain('not asked for the sake of animals of the other machines');
    },
  );
});

test('a shard that fails tells it, and so does the report of all @long', async () => {
  await against(
    (Base: Parameters<Parameters<typeof against>[0]>[0]) =>
      class extends Base {
        override page(...[pets, limit]: Parameters<InstanceType<typeof Base>['page']>) {
          return super.page(pets, limit + 1);
        }
      },
    async (target) => {
      const shards = await Promise.all(
        [1, 2].map((index) =>
          command('conformance', ['--shard', `${index}/2`], { ...target, RUN_ID: 'failing' }),
        ),
      );
      expect(shards.map(({ exitCode }) => exitCode)).toContain(1);
      const { exitCode, report } = await command(
        'merge',
        shards.map(({ folder }) => join(folder, 'out')),
      );
      expect(exitCode).toBe(1);
      expect(idsWith(report, 'fail')).toContain('list-pets.default-limit');
    },
  );
});

test('merge prints one JSON line for machines', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
  for (const each of await records()) {
    mkdirSync(join(folder, `shard-${each.index}`));
    writeFileSync(join(folder, `shard-${each.index}`, 'shard.json'), JSON.stringify(each));
  }
  const { exitCode, out } = await run(
    process.execPath,
    [join(PROJECT, 'dist', 'bin', 'animal-store-conformance.js'), 'merge', '.', '--json', '--out', 'all'],
    { cwd: folder, env: { PATH: process.env.PATH } },
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    verdict: 'conforming',
    exitCode: 0,
    report: join(folder, 'all', 'report.json'),
  });
  rmSync(join(folder, 'shard-2'), { recursive: true });
  const lacking = await run(
    process.execPath,
    [join(PROJECT, 'dist', 'bin', 'animal-store-conformance.js'), 'merge', '.', '--out', 'all'],
    { cwd: folder, env: { PATH: process.env.PATH } },
  );
  expect(lacking.exitCode).toBe(3);
  expect(lacking.err).toMatch(/^Shard 2\/3 is missing\. .*\n {2}.*npm run conformance -- --shard 2\/3$/m);
  rmSync(folder, { recursive: true });
});
