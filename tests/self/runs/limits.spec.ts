/** The limits of a run, such as MAX_ANIMALS, hold at the server, and a report says which limit left what undecided. */
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { watchTimeLimit } from '../../../bin/run/time-limit.ts';
import { checkReport } from '../../../reports/document/report-schema.ts';
import { findNeeds, type Stop } from '../../../fixtures/judgement/reason.ts';
import { answerInstead, changeReplies, combineVaries } from '../../../fixtures/implementations/operators.ts';
import { replaceStep, stockStore } from '../../../fixtures/implementations/operators.ts';
import { withReference, unvaried, runOnReference, countAtService } from '../samples/varied-reference.ts';
import { runCommand, idsWith } from '../samples/command.ts';
import { simulatedTest as test } from '../samples/simulated.ts';
import { judgeOn } from '../samples/run-on.ts';
import {
  Budget,
  DEFAULT_ANIMALS,
  FOR_LAST_PHASE,
  KEPT_FOR_MUSTS,
} from '../../../fixtures/session/dispatch/budget.ts';
import type { Ask } from '../../../fixtures/exchange/exchange.ts';

/** The request before which others add an animal: the run has added some by then. */
const OTHERS_COME_AT = 60;
/** The most createPets that are under way when a list first shows an animal of others: MAX_IN_FLIGHT. */
const IN_FLIGHT = 8;
const BRIEF = { CONSISTENCY_WINDOW: '1' };
const FOREIGN = { name: 'foreign', categoryId: 1n, status: 'sold' } as const;
/** A store that shows animals of others from the start. */
const shared = stockStore(12, () => FOREIGN);

test('MAX_ANIMALS and MAX_REQUESTS hold at the server, even if createPets are put off or lose their answers @simulated', async () => {
  // The first ten createPets get 503
  let asked = 0;
  const starting = answerInstead(
    'createPet',
    () => (asked += 1) <= 10,
    (call, service) => service.error(503, 'starting', 'not yet', call),
  );
  // Each third animal is stored, but its answer is lost with the connection
  const losing = replaceStep('deliver', (usual) => async (reply, call) => {
    if (reply.status === 201 && seen.animals % 3 === 0) call.incoming.socket.destroy();
    else await usual(reply, call);
  });
  const { vary, seen } = countAtService(combineVaries(starting, losing));
  const limits = { MAX_ANIMALS: '12', MAX_REQUESTS: '400' };
  const { exitCode, report } = await runOnReference(vary, [], { ...BRIEF, ...limits });
  expect(exitCode).toBe(3);
  expect(checkReport(report)).toEqual([]);
  expect(seen.animals).toBeGreaterThan(3);
  expect(seen.animals).toBeLessThanOrEqual(12);
  // Requests that node:http refuses for their form never reach the service.
  expect(seen.requests).toBeGreaterThan(390);
  expect(seen.requests).toBeLessThanOrEqual(400);
  expect(report?.run).toMatchObject({ requests: 400, limits: { animals: 12, requests: 400 } });
  const open = report?.requirements.flatMap(({ verdict, reason }) =>
    verdict === 'inconclusive' ? [reason] : [],
  );
  // MAX_REQUESTS leaves out reads at the end, so `create-pet.kept` is not fully decided
  const kept = report?.requirements.find(({ id }) => id === 'create-pet.kept');
  expect(kept?.verdict !== 'pass' || kept.partial !== null).toBe(true);
  expect(open?.join('\n')).toMatch(/MAX_(REQUESTS|ANIMALS) \(\d+\) is used up/);
});

test('an animal whose createPet got 500, but was stored, counts and is in the footprint', async () => {
  const storesAndFails = replaceStep('createPet', (usual, service) => async (call) => {
    await usual(call);
    return service.error(500, 'internal', 'it failed after it had stored the animal', call);
  });
  const { vary, seen } = countAtService(storesAndFails);
  await withReference(vary, async (target, { service }) => {
    const only = ['--only', 'list-pets.limit', '--only', 'create-pet.any-category-id'];
    const { out, report } = await runCommand('conformance', only, { ...target, ...BRIEF, MAX_ANIMALS: '12' });
    const ids = [...service.animals.keys()].map(String).toSorted();
    expect(seen.animals).toBeGreaterThan(3);
    expect(seen.animals).toBeLessThanOrEqual(12);
    expect(report?.footprint.map(({ id }) => id).toSorted()).toEqual(ids);
    expect(report?.footprint[0]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: expect.stringMatching(/^[A-Za-z]cs/), // It begins with a letter and the mark, e.g. `Acsbcdfg`.
      categoryId: '1',
      status: expect.any(String),
    });
    expect(report?.run.animalsCreated).toBe(ids.length);
    expect(out).toContain(`left      ${ids.length} animals`);
  });
});

test('RUN_TIMEOUT stops a run, and not a second before', () => {
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

test('a list that is larger than the suite reads leaves only its own promise undecided', async () => {
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

test('if every NewPet is refused, the reason says to set CATEGORY_IDS', async () => {
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
  // The animals in the store when a list first shows the animal of others
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
  expect(judged.animals).toBeLessThanOrEqual(before + IN_FLIGHT + DEFAULT_ANIMALS.besideFew);
  expect(judged.with('inconclusive')).toEqual([]);
});

test('the MAX_ANIMALS that is said to decide does decide', async () => {
  /** Returns the findings that more animals would decide. Cases that are left out to spare animals of others (tact) are none of these. */
  const listLacking = async (maxAnimals: number | null) => {
    const variant = { vary: shared, settings: { maxAnimals } };
    const { findings } = await judgeOn(variant, 'list-pets.limit', 'list-pets.default');
    return findings.filter(({ verdict, reason }) => {
      if (reason?.kind === 'tact') return false;
      return reason?.kind === 'budget' || verdict === 'left-out';
    });
  };
  // Each reason says which MAX_ANIMALS would decide
  const needed = (await listLacking(null)).map(({ reason }) => (reason && findNeeds(reason)?.value) ?? 0);
  expect(needed.length).toBeGreaterThan(0);
  expect(await listLacking(Math.max(...needed.map(Number)))).toEqual([]);
});

test('a full list that hides the newest animals is no reason to add another one', async () => {
  // A full list of a hundred animals, and one animal that does not fit into it
  expect((await judgeOn({ vary: unvaried }, 'list-pets.default-limit')).animals).toBe(101);
});

test('MAX_WRONG_KEYS, MAX_IN_FLIGHT and MAX_RPS hold at the server @long @simulated', async () => {
  const { vary, seen } = countAtService(
    replaceStep('answer', (usual) => async (call) => {
      await sleep(5);
      return usual(call);
    }),
  );
  const limits = { MAX_WRONG_KEYS: '6', MAX_IN_FLIGHT: '2', MAX_RPS: '100' };
  const only = ['--only', 'authentication', '--only', 'list-pets'];
  const { out } = await runOnReference(vary, only, { ...BRIEF, ...limits });
  expect(seen.wrongKeys).toBeGreaterThan(3);
  expect(seen.wrongKeys).toBeLessThanOrEqual(6);
  expect(seen.together).toBeLessThanOrEqual(2);
  const lasted = ((seen.times.at(-1) ?? 0) - (seen.times[0] ?? 0)) / 1_000;
  expect(seen.requests).toBeGreaterThan(50);
  expect(seen.requests / lasted).toBeLessThan(110);
  expect(out).not.toContain('MAX_RPS');
});

test('a pace that makes the run long is said before it begins, by a run and by a dry run @long @simulated', async () => {
  const { vary, seen } = countAtService(unvaried);
  await withReference(vary, async (target) => {
    const slow = await runCommand('conformance', [], { ...target, MAX_RPS: '1', RUN_TIMEOUT: '2' });
    expect(slow.out).toMatch(
      /MAX_RPS=1 makes a run of about [\d,]+ requests take \d+ minutes, which is longer than RUN_TIMEOUT/,
    );
    expect(slow.exitCode).toBe(3);
    expect(slow.report?.run.stopped).toContain('RUN_TIMEOUT');
    expect(idsWith(slow.report, 'fail')).toEqual([]);
    const { requests } = seen;
    const dry = await runCommand('conformance', ['--dry-run'], { ...target, MAX_RPS: '1' });
    expect(dry).toMatchObject({ exitCode: 0, report: null });
    expect(dry.out).toMatch(/would send [\d,]+ requests and add \d+ animals/);
    expect(dry.out).toMatch(/MAX_RPS=1 makes a run/);
    expect(dry.out).toMatch(/list-pets\.limit +\d+ +\d+/);
    expect(seen.requests).toBe(requests);
  });
});

const WRONG: Ask['credential'] = { scheme: 'Bearer', edits: [{ edit: 'word', word: 'wrong' }] };
const takeWrongKey = async (budget: Budget, onlyShould: boolean) =>
  budget.spendWrongKey({ credential: WRONG, onlyShould });

/** The budgets of a certified run with this value of MAX_WRONG_KEYS. */
const budgetOf = (maxWrongKeys: number, run = { isLastPhase: true }) =>
  new Budget({ maxWrongKeys, profile: 'certification' } as never, run as never);

test('a should leaves wrong keys for the musts, and MAX_WRONG_KEYS=0 permits no wrong key', async () => {
  await expect(takeWrongKey(budgetOf(0), false)).rejects.toMatchObject({ reason: { limit: 0 } });
  // Tests of a should may take one key: the others are kept for tests of a must
  const budget = budgetOf(KEPT_FOR_MUSTS + 1);
  await takeWrongKey(budget, true);
  await expect(takeWrongKey(budget, true)).rejects.toMatchObject({
    reason: { variable: 'MAX_WRONG_KEYS', onlyShould: true },
  });
  for (let taken = 0; taken < KEPT_FOR_MUSTS; taken += 1) await takeWrongKey(budget, false);
  await expect(takeWrongKey(budget, false)).rejects.toMatchObject({
    reason: { variable: 'MAX_WRONG_KEYS', onlyShould: false },
  });
});

test('some wrong keys are reserved for the last phase', async () => {
  const [run, reserved] = [{ isLastPhase: false }, FOR_LAST_PHASE.certification.wrongKeys];
  const budget = budgetOf(60, run);
  for (let taken = 0; taken < 60 - reserved; taken += 1) await takeWrongKey(budget, false);
  await expect(takeWrongKey(budget, false)).rejects.toMatchObject({ reason: { variable: 'MAX_WRONG_KEYS' } });
  // The budget reads this member of the run at each key
  run.isLastPhase = true;
  for (let taken = 0; taken < reserved; taken += 1) await takeWrongKey(budget, false);
  await expect(takeWrongKey(budget, false)).rejects.toMatchObject({ reason: { variable: 'MAX_WRONG_KEYS' } });
});
