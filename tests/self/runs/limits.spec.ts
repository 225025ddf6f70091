import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { watchTimeLimit } from '../../../bin/run/time-limit.ts';
import { reportMistakes } from '../../../reports/document/report-schema.ts';
import { findNeeds, type Stop } from '../../../fixtures/judgement/reason.ts';
import { answerInstead, changeReplies, combineVaries } from '../../../fixtures/implementations/operators.ts';
import { replaceStep, stockStore } from '../../../fixtures/implementations/operators.ts';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { chooseQuick, nameCase } from '../../../fixtures/asking/lanes/case-order.ts';
import { orderMiddle } from '../../../fixtures/asking/lanes/phase-order.ts';
import { REQUIREMENTS, TESTED } from '../../../fixtures/interface/requirements.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { QUICK } from '../../../fixtures/settings/profiles.ts';
import { VERDICT_REASONS } from '../../../reports/document/reasons/verdict-reasons.ts';
import { compare, renderComparison } from '../../../reports/shown/comparison/comparison.ts';
import { renderMatrixPage } from '../../../reports/shown/vendors/matrix-page.ts';
import { makeMatrix } from '../../../reports/shown/vendors/vendor-matrix.ts';
import { against, command, idsWith, plainly, runAgainst, counted } from '../samples/command.ts';
import { simulatedTest as test } from '../samples/simulated.ts';
import { judgeOn } from '../samples/run-on.ts';
import { report, vendors } from '../samples/sample-reports.ts';
import order from '../../../schemas/order.json' with { type: 'json' };

/** The request before which others add an animal: the run has added some by then. */
const OTHERS_COME_AT = 60;
/** Animals that may be under way when the run learns of it. */
const IN_FLIGHT = 8;
const BRIEF = { CONSISTENCY_WINDOW: '1' };
const FOREIGN = { name: 'foreign', categoryId: 1n, status: 'sold' } as const;
/** A store that shows animals of others from the start. */
const shared = stockStore(12, () => FOREIGN);

test('MAX_ANIMALS and MAX_REQUESTS hold at the server, also where createPet is put off or its answer is lost, and what no longer fits says so @simulated', async () => {
  let refused = 0;
  const starting = answerInstead(
    'createPet',
    () => (refused += 1) <= 10,
    (call, service) => service.error(503, 'starting', 'not yet', call),
  );
  const losing = replaceStep('deliver', (usual) => async (reply, call) => {
    if (reply.status === 201 && seen.animals % 3 === 0) call.incoming.socket.destroy();
    else await usual(reply, call);
  });
  const { vary, seen } = counted(combineVaries(starting, losing));
  const limits = { MAX_ANIMALS: '12', MAX_REQUESTS: '400' };
  const { exitCode, report } = await runAgainst(vary, [], { ...BRIEF, ...limits });
  expect(exitCode).toBe(3);
  expect(reportMistakes(report)).toEqual([]);
  expect(seen.animals).toBeGreaterThan(3);
  expect(seen.animals).toBeLessThanOrEqual(12);
  // what node:http refuses for its form never reaches the service
  expect(seen.requests).toBeGreaterThan(390);
  expect(seen.requests).toBeLessThanOrEqual(400);
  expect(report?.run).toMatchObject({ requests: 400, limits: { animals: 12, requests: 400 } });
  const open = report?.requirements.flatMap(({ verdict, reason }) =>
    verdict === 'inconclusive' ? [reason] : [],
  );
  // the last reads were cut
  const kept = report?.requirements.find(({ id }) => id === 'create-pet.kept');
  expect(kept?.verdict !== 'pass' || kept.partial !== null).toBe(true);
  expect(open?.join('\n')).toMatch(/MAX_(REQUESTS|ANIMALS) \(\d+\) is used up/);
});

test('an animal that is stored and answered 500 is left, and counts', async () => {
  const amiss = replaceStep('createPet', (usual, service) => async (call) => {
    await usual(call);
    return service.error(500, 'internal', 'it failed after it had stored the animal', call);
  });
  const { vary, seen } = counted(amiss);
  await against(vary, async (target, { service }) => {
    const only = ['--only', 'list-pets.limit', '--only', 'create-pet.any-category-id'];
    const { out, report } = await command('conformance', only, { ...target, ...BRIEF, MAX_ANIMALS: '12' });
    const ids = [...service.animals.keys()].map(String).toSorted();
    expect(seen.animals).toBeGreaterThan(3);
    expect(seen.animals).toBeLessThanOrEqual(12);
    expect(report?.footprint.map(({ id }) => id).toSorted()).toEqual(ids);
    expect(report?.footprint[0]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: expect.stringMatching(/^[A-Za-z]cs/),
      categoryId: '1',
      status: expect.any(String),
    });
    expect(report?.run.animalsCreated).toBe(ids.length);
    expect(out).toContain(`left      ${ids.length} animals`);
  });
});

test('a run that has come nowhere goes on until RUN_TIMEOUT', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const stops: Stop[] = [];
    watchTimeLimit({ stop: (stop) => stops.push(stop) }, { runTimeout: 600_000 });
    mock.timers.tick(599_000);
    expect(stops).toEqual([]);
    mock.timers.tick(1_000);
    expect(stops).toEqual([{ kind: 'time', seconds: 600 }]);
  } finally {
    mock.timers.reset();
  }
});

test('a list that is larger than the suite reads is told as that, and costs no verdict of others', async () => {
  const vary = changeReplies(
    (_, { operation, rawQuery }) => operation === 'listPets' && rawQuery === '',
    (reply) => ({ body: `${' '.repeat(2 * 1024 * 1024)}${String(reply.body)}` }),
  );
  const asked = ['list-pets.default-limit', 'list-pets.limit'];
  const judged = await judgeOn({ vary, settings: { maxAnimals: 30 } }, ...asked);
  expect(judged.stopped).toBeNull();
  expect(judged.findings).toContainEqual(
    expect.objectContaining({
      requirement: 'list-pets.default-limit',
      reason: {
        kind: 'unreadable',
        error: 'the answer is larger than the suite reads (2 MiB)',
        isLarge: true,
      },
    }),
  );
  expect(judged.with('pass')).toContain('list-pets.limit');
});

test('where every NewPet is refused, the reason says to set CATEGORY_IDS', async () => {
  const vary = answerInstead(
    'createPet',
    () => true,
    (call, service) => service.error(400, 'bad-request', 'no', call),
  );
  const { reason, exitCode } = await judgeOn({ vary }, 'create-pet.answers-201');
  expect(exitCode).toBe(3);
  expect(reason).toMatch(
    /the target refused each category that the run tried .*; to decide, set CATEGORY_IDS=<ids of categories that exist>/,
  );
});

test('a store to which others add on the way gets at most 60 more', async () => {
  // when a list first shows it, the run learns of it
  let before = 0;
  const vary = replaceStep('answer', (usual, service) => async (call) => {
    if (call.count === OTHERS_COME_AT) await service.create(FOREIGN);
    const reply = await usual(call);
    if (before === 0 && String(reply.body).includes('foreign')) before = service.animals.size;
    return reply;
  });
  const judged = await judgeOn({ vary }, 'list-pets.');
  expect(before).toBeGreaterThan(5);
  expect(judged.animals).toBeGreaterThan(before);
  expect(judged.animals).toBeLessThanOrEqual(before + IN_FLIGHT + 60);
  expect(judged.with('inconclusive')).toEqual([]);
});

test('the MAX_ANIMALS that is said to decide does decide', async () => {
  const leftOut = async (maxAnimals: number | null) => {
    const { findings } = await judgeOn(
      { vary: shared, settings: { maxAnimals } },
      'list-pets.limit',
      'list-pets.default',
    );
    return findings.filter(
      ({ verdict, reason }) =>
        reason?.kind === 'budget' || (verdict === 'left-out' && reason?.kind !== 'tact'),
    );
  };
  const told = (await leftOut(null)).map(({ reason }) => Number((reason && findNeeds(reason)?.value) ?? 0));
  expect(told.length).toBeGreaterThan(0);
  expect(await leftOut(Math.max(...told))).toEqual([]);
});

test('a full list that hides the newest animals is no reason to add another one', async () => {
  // a list of a hundred, and what it cut off
  expect((await judgeOn({ vary: plainly }, 'list-pets.default-limit')).animals).toBe(101);
});

test('MAX_WRONG_KEYS, MAX_IN_FLIGHT and MAX_RPS hold at the server @long @simulated', async () => {
  const { vary, seen } = counted(
    replaceStep('answer', (usual) => async (call) => {
      await sleep(5);
      return usual(call);
    }),
  );
  const limits = { MAX_WRONG_KEYS: '6', MAX_IN_FLIGHT: '2', MAX_RPS: '100' };
  const only = ['--only', 'authentication', '--only', 'list-pets'];
  const { out } = await runAgainst(vary, only, { ...BRIEF, ...limits });
  expect(seen.wrongKeys).toBeGreaterThan(3);
  expect(seen.wrongKeys).toBeLessThanOrEqual(6);
  expect(seen.together).toBeLessThanOrEqual(2);
  const lasted = ((seen.times.at(-1) ?? 0) - (seen.times[0] ?? 0)) / 1_000;
  expect(seen.requests).toBeGreaterThan(50);
  expect(seen.requests / lasted).toBeLessThan(110);
  expect(out).not.toContain('MAX_RPS');
});

test('a pace that makes the run long is said before it begins, by a run and by a dry run @long @simulated', async () => {
  const { vary, seen } = counted(plainly);
  await against(vary, async (target) => {
    const slow = await command('conformance', [], { ...target, MAX_RPS: '1', RUN_TIMEOUT: '2' });
    expect(slow.out).toMatch(
      /MAX_RPS=1 makes a run of about [\d,]+ requests take \d+ minutes, which is longer than RUN_TIMEOUT/,
    );
    expect(slow.exitCode).toBe(3);
    expect(slow.report?.run.stopped).toContain('RUN_TIMEOUT');
    expect(idsWith(slow.report, 'fail')).toEqual([]);
    const { requests } = seen;
    const dry = await command('conformance', ['--dry-run'], { ...target, MAX_RPS: '1' });
    expect(dry).toMatchObject({ exitCode: 0, report: null });
    expect(dry.out).toMatch(/would send [\d,]+ requests and add \d+ animals/);
    expect(dry.out).toMatch(/MAX_RPS=1 makes a run/);
    expect(dry.out).toMatch(/list-pets\.limit +\d+ +\d+/);
    expect(seen.requests).toBe(requests);
  });
});

// Runs that ask little. A quick run asks what finds most first, and nobody reads "conforming". With --fail-fast a run ends early.

const escaping = FAULTS.find(({ id }) => id === 'list-pets.name-escaped')!;

test('the reference: no failure found, within every bound, and never conforming', async () => {
  const { exitCode, out, report, folder } = await command('conformance', ['--quick']);
  expect(reportMistakes(report)).toEqual([]);
  expect(report).toMatchObject({
    verdict: 'no-failure-found',
    exitCode: 0,
    run: { complete: true, profile: { name: 'quick', version: 1 }, power: order.power },
  });
  expect(exitCode).toBe(0);
  expect(report?.run.requests).toBeLessThanOrEqual(QUICK.requests);
  expect(report?.run.animalsCreated).toBeLessThanOrEqual(25);
  expect(idsWith(report, 'inconclusive')).toEqual([]);
  const left = report?.requirements.filter(
    ({ level, verdict }) => level === 'must' && verdict === 'not-applicable',
  );
  expect(left?.map(({ id }) => id)).toEqual([]);
  expect(out).toContain('No failure found (quick)');
  const words = out.replaceAll(/\s+/g, ' ');
  expect(words).toContain(`finds about ${Math.floor(order.power.share * 10)} of 10 of the kinds of faults`);
  expect(words).toContain('A whole run decides: node ');
  for (const name of ['summary.md', 'junit.xml', 'conformance.html'])
    expect(readFileSync(join(folder, 'out', name), 'utf8')).not.toContain('Conforming');
  const junit = readFileSync(join(folder, 'out', 'junit.xml'), 'utf8');
  expect(junit).toContain('(quick)');
  expect(junit).toMatch(/file="tests\/\S+\.spec\.ts"/);
});

test('a second run on the same store adds five animals at most', async () => {
  await against(plainly, async (target) => {
    const runs = [
      await command('conformance', ['--quick'], target),
      await command('conformance', [], { ...target, PROFILE: 'quick' }),
    ];
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(runs[1]?.report?.run.animalsCreated).toBeLessThanOrEqual(5);
  });
});

test('read-only: at most 60 requests, and nothing is added', async () => {
  const { exitCode, report } = await runAgainst((Base) => Base, ['--quick', '--mode', 'read-only']);
  expect(exitCode).toBe(0);
  expect(report?.verdict).toBe('no-failure-found');
  expect(report?.run.requests).toBeLessThanOrEqual(QUICK.readOnlyRequests);
  expect(report?.footprint).toEqual([]);
  expect(report?.run.power).toBeNull();
});

test('--fail-fast ends with the first wrong answer that nothing later explains, before a test asks about it, and leaves the report of a part', async () => {
  // Lists are the first to show names with escapes. The test about names in lists comes after 1,000 requests.
  const { exitCode, report, folder } = await runAgainst(escaping.vary, ['--fail-fast']);
  expect(exitCode).toBe(1);
  expect(report?.run).toMatchObject({ complete: false, stoppedBy: 'failed' });
  expect(report?.run.requests).toBeLessThan(200);
  expect(reportMistakes(report)).toEqual([]);
  expect(readFileSync(join(folder, 'out', 'partial', 'report.json'), 'utf8')).toContain('"failed"');
});

test('what does not go with it is told, and nothing is sent', async () => {
  for (const more of [
    ['--only', 'list-pets'],
    ['--profile', 'certification'],
    ['--seeds', '3'],
  ]) {
    const { exitCode, err } = await command('conformance', ['--quick', ...more]);
    expect(exitCode, more.join(' ')).toBe(2);
    expect(err).toMatch(/quick/);
  }
});

test('the order names cases that there are, and a whole run begins with those that find most', async () => {
  const keys = new Set((await collectSuite()).map(nameCase));
  for (const named of [order.cases, order.quick.flatMap(Object.keys)]) {
    expect(named.filter((each) => !keys.has(each))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  }
  const [early] = orderMiddle((await collectSuite()).filter(({ declared }) => declared.phase === 'any'));
  expect(early.length).toBeGreaterThan(50);
  const begun = early.map(nameCase);
  expect(begun).toEqual(order.cases.filter((each) => begun.includes(each)));
});

test('a quick run asks each must', async () => {
  const quick = chooseQuick(await collectSuite()).flat();
  const asked = new Set(quick.flatMap(({ declared }) => declared.verifies));
  expect(TESTED.filter((id) => REQUIREMENTS[id]?.level === 'must' && !asked.has(id))).toEqual([]);
});

test('matrix and comparison never show a quick run as conforming', () => {
  const quick = report({}, { verdict: 'no-failure-found', run: { profile: { name: 'quick', version: 1 } } });
  const matrix = makeMatrix(
    vendors(1).map((each) => ({ ...each, report: quick })),
    '2026-11-22T12:00:00.000Z',
  );
  expect(renderMatrixPage(matrix)).toContain('>no failure found (quick)<');
  expect(renderMatrixPage(matrix)).toContain('1 vendor, 0 conforming');
  const compared = compare(quick, quick);
  for (const text of [renderComparison(compared, 'text'), renderComparison(compared, 'markdown')]) {
    expect(text).toContain(': no-failure-found');
    expect(text).not.toMatch(/conforming/i);
  }
});

test('a run that was short of requests says once what a whole one takes', () => {
  const short = {
    reason: 'MAX_REQUESTS (300) is used up; to decide, raise it',
    cause: { kind: 'budget', needs: { variable: 'MAX_REQUESTS', value: null } },
  } as const;
  const reason = VERDICT_REASONS.open(['list-pets.limit', 'get-pet.same-id'].map((id) => ({ id, ...short })));
  expect(reason.match(/--quick/g)).toHaveLength(1);
  expect(reason).toContain('--quick, which takes 150 requests');
});
