import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { watchTimeLimit } from '../../../bin/run/time-limit.ts';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import type { Call, Reply } from '../../../fixtures/reference/call.ts';
import type { Reference, Vary } from '../../../fixtures/reference/reference-service.ts';
import { reportMistakes } from '../../../reports/document/report-schema.ts';
import { makeResults, judgeRun } from '../../../reports/document/verdicts.ts';
import { against, command, idsWith } from '../samples/command.ts';
import { counted } from '../samples/counted.ts';
import { findNeeds, type Stop } from '../../../fixtures/judgement/reason.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { SETTINGS } from '../../../fixtures/implementations/judge-variant.ts';
import { runOn, verifying } from '../samples/run-on.ts';

/** The request before which others add an animal: the run has added some by then. */
const OTHERS_COME_AT = 300;
/** Animals that may be under way when the run learns of it. */
const IN_FLIGHT = 8;
const QUICK = { CONSISTENCY_WINDOW: '1' };
const plainly: Vary = (Base) => Base;

test('MAX_ANIMALS and MAX_REQUESTS hold at the server, and what no longer fits says so', async () => {
  const { vary, seen } = counted(plainly);
  await against(vary, async (target) => {
    const { exitCode, report } = await command('conformance', [], {
      ...target,
      ...QUICK,
      MAX_ANIMALS: '12',
      MAX_REQUESTS: '600',
    });
    expect(exitCode).toBe(3);
    expect(reportMistakes(report)).toEqual([]);
    expect(seen.animals).toBeGreaterThan(3);
    expect(seen.animals).toBeLessThanOrEqual(12);
    // what node:http refuses for its form never reaches the service
    expect(seen.requests).toBeGreaterThan(590);
    expect(seen.requests).toBeLessThanOrEqual(600);
    expect(report?.run).toMatchObject({ requests: 600, limits: { animals: 12, requests: 600 } });
    const open =
      report?.requirements.filter(({ verdict }) => verdict === 'inconclusive').map(({ reason }) => reason) ??
      [];
    // the last reads were cut
    const kept = report?.requirements.find(({ id }) => id === 'create-pet.kept');
    expect(kept?.verdict !== 'pass' || kept.partial !== null).toBe(true);
    expect(open.join('\n')).toMatch(/MAX_(REQUESTS|ANIMALS) \(\d+\) is used up/);
  });
});

test(
  'they hold where everything is refused at first, and where answers to animals are lost',
  { tag: '@long' },
  async () => {
    let refused = 0;
    const { vary, seen } = counted(
      (Base) =>
        class extends Base {
          override async createPet(call: Call): Promise<Reply> {
            refused += 1;
            return refused <= 40 ? this.error(503, 'starting', 'not yet', call) : super.createPet(call);
          }

          override async deliver(reply: Reply, call: Call): Promise<void> {
            if (reply.status === 201 && seen.animals % 3 === 0) call.incoming.socket.resetAndDestroy();
            else await super.deliver(reply, call);
          }
        },
    );
    await against(vary, async (target) => {
      const { report } = await command('conformance', [], {
        ...target,
        ...QUICK,
        MAX_ANIMALS: '50',
        MAX_REQUESTS: '400',
      });
      expect(reportMistakes(report)).toEqual([]);
      expect(refused).toBeGreaterThan(20);
      expect(seen.animals).toBeLessThanOrEqual(50);
      expect(seen.requests).toBeLessThanOrEqual(400);
      expect(report?.run.requests).toBe(seen.requests);
    });
  },
);

const AMISS: readonly [title: string, answer: (reply: Reply, failed: Reply) => Reply, tag?: '@long'][] = [
  ['answered 500', (_, failed) => failed],
  ['answered 204', (reply) => ({ ...reply, status: 204, body: null }), '@long'],
];
for (const [title, answer, tag] of AMISS) {
  test(`an animal that is stored and ${title} is left, and counts`, { tag: tag ?? [] }, async () => {
    const amiss: Vary = (Base) =>
      class extends Base {
        override async createPet(call: Call): Promise<Reply> {
          const reply = await super.createPet(call);
          return answer(reply, this.error(500, 'internal', 'it failed after it had stored the animal', call));
        }

        get ids(): string[] {
          return [...this.animals.keys()].map(String);
        }
      };
    const { vary, seen } = counted(amiss);
    await against(vary, async (target, { service }) => {
      const { out, report } = await command(
        'conformance',
        ['--only', 'list-pets', '--only', 'create-pet.any-category-id'],
        {
          ...target,
          ...QUICK,
          MAX_ANIMALS: '12',
        },
      );
      const ids = (service as Reference & { ids: string[] }).ids.toSorted();
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
}

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

test('a store that keeps nothing is named, and its animals are waited for together', async () => {
  const vary: Vary = (Base) =>
    class extends Base {
      override async add(): Promise<void> {}
    };
  const { findings, requests, stopped } = await runOn(
    { vary, settings: { consistencyWindow: 1_000, propertyRuns: SETTINGS.propertyRuns } },
    await collectSuite(),
  );
  expect(stopped).toBeNull();
  expect(
    new Set(findings.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement)),
  ).toEqual(new Set(['create-pet.kept']));
  // where each test waits for its own animal, the requests run out
  expect(requests).toBeLessThan(2_700);
});

test('a getPet that shows no status the list shows is asked a few times, not until the requests are used up', async () => {
  const { vary } = FAULTS.find(({ id }) => id === 'representation.get-status-object') ?? { vary: plainly };
  const asked = (await collectSuite()).filter(verifying('representation.pet-status'));
  const { requests, findings } = await runOn(
    { vary, settings: { maxRequests: 700, propertyRuns: 10 } },
    asked,
  );
  expect(findings.flatMap(({ requirement, verdict }) => (verdict === 'fail' ? requirement : []))).toContain(
    'representation.pet-status',
  );
  expect(requests).toBeLessThan(500);
});

test('a list that is larger than the suite reads is told as that, and costs no verdict of others', async () => {
  const vary: Vary = (Base) =>
    class extends Base {
      override async listPets(call: Call): Promise<Reply> {
        const reply = await super.listPets(call);
        return call.rawQuery === ''
          ? { ...reply, body: `${' '.repeat(2 * 1024 * 1024)}${String(reply.body)}` }
          : reply;
      }
    };
  const asked = (await collectSuite()).filter(
    ({ declared: { verifies } }) =>
      verifies.includes('list-pets.default-limit') || verifies.includes('list-pets.limit'),
  );
  const { findings, stopped } = await runOn({ vary, settings: { maxAnimals: 30 } }, asked);
  expect(stopped).toBeNull();
  const reasons = findings.flatMap(({ requirement, reason }) =>
    requirement === 'list-pets.default-limit' ? [reason] : [],
  );
  expect(reasons).toContainEqual({
    kind: 'unreadable',
    error: 'the answer is larger than the suite reads (2 MiB)',
    isLarge: true,
  });
  expect(
    findings.filter(({ requirement, verdict }) => requirement === 'list-pets.limit' && verdict === 'pass'),
  ).not.toEqual([]);
});

test('where every NewPet is refused, the reason says to set CATEGORY_IDS', async () => {
  const vary: Vary = (Base) =>
    class extends Base {
      override async createPet(call: Call): Promise<Reply> {
        return this.error(400, 'bad-request', 'no', call);
      }
    };
  const asked = (await collectSuite()).filter(({ declared: { verifies } }) =>
    verifies.includes('create-pet.answers-201'),
  );
  const { findings } = await runOn({ vary }, asked);
  const results = makeResults(findings, ['create-pet.answers-201']);
  const { reason, exitCode } = judgeRun(results, {
    complete: true,
    stopped: null,
    strict: false,
    only: [],
  });
  expect(exitCode).toBe(3);
  expect(reason).toMatch(
    /the target refused each category that the run tried .*; to decide, set CATEGORY_IDS=<ids of categories that exist>/,
  );
});

test('a store to which others add on the way gets at most 60 more', async () => {
  // when a list first shows it, the run learns of it
  let before = 0;
  const vary: Vary = (Base) =>
    class extends Base {
      override async answer(call: Call): Promise<Reply> {
        if (call.count === OTHERS_COME_AT)
          await this.create({ name: 'foreign', categoryId: 1n, status: 'sold' });
        const reply = await super.answer(call);
        if (before === 0 && String(reply.body).includes('foreign')) before = this.animals.size;
        return reply;
      }
    };
  const asked = (await collectSuite()).filter(verifying('create-pet.', 'list-pets.'));
  const { animals, findings } = await runOn({ vary }, asked);
  expect(before).toBeGreaterThan(5);
  expect(animals).toBeGreaterThan(before);
  expect(animals).toBeLessThanOrEqual(before + IN_FLIGHT + 60);
  expect(findings.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
});

test('a store that shows a few animals of others gets at most 60', { tag: '@long' }, async () => {
  const { vary, seen } = counted(
    (Base) =>
      class extends Base {
        override async start(): Promise<void> {
          for (let count = 0; count < 12; count += 1)
            await this.create({ name: 'foreign', categoryId: 1n, status: 'sold' });
        }
      },
  );
  await against(vary, async (target) => {
    const { report } = await command('conformance', [], { ...target, ...QUICK });
    expect(seen.animals).toBeGreaterThan(5);
    expect(seen.animals).toBeLessThanOrEqual(60);
    expect(report?.run.limits.animals).toBe(60);
    expect(report?.footprint).toHaveLength(seen.animals);
    expect(idsWith(report, 'fail')).toEqual([]);
  });
});

test('the MAX_ANIMALS that is said to decide does decide', async () => {
  const shared: Vary = (Base) =>
    class extends Base {
      override async start(): Promise<void> {
        for (let count = 0; count < 12; count += 1)
          await this.create({ name: 'foreign', categoryId: 1n, status: 'sold' });
      }
    };
  const asked = (await collectSuite()).filter(verifying('create-pet.', 'list-pets.'));
  const leftOut = async (maxAnimals: number | null) => {
    const { findings } = await runOn({ vary: shared, settings: { maxAnimals } }, asked);
    return findings.filter(
      ({ verdict, reason }) =>
        reason?.kind === 'budget' || (verdict === 'left-out' && reason?.kind !== 'tact'),
    );
  };
  const told = (await leftOut(null)).flatMap(({ reason }) =>
    Number((reason && findNeeds(reason))?.value ?? []),
  );
  expect(told.length).toBeGreaterThan(0);
  expect(await leftOut(Math.max(...told))).toEqual([]);
});

test('a full list that hides the newest animals is no reason to add another one', async () => {
  const asked = (await collectSuite()).filter(({ declared: { verifies } }) =>
    verifies.includes('list-pets.default-limit'),
  );
  const { animals } = await runOn({ vary: plainly }, asked);
  // a list of a hundred, and what it cut off
  expect(animals).toBe(101);
});

test('MAX_WRONG_KEYS, MAX_IN_FLIGHT and MAX_RPS hold at the server', { tag: '@long' }, async () => {
  const { vary, seen } = counted(
    (Base) =>
      class extends Base {
        override async answer(call: Call): Promise<Reply> {
          await sleep(5);
          return super.answer(call);
        }
      },
  );
  await against(vary, async (target) => {
    const { out } = await command('conformance', ['--only', 'authentication', '--only', 'list-pets'], {
      ...target,
      ...QUICK,
      MAX_WRONG_KEYS: '6',
      MAX_IN_FLIGHT: '2',
      MAX_RPS: '100',
    });
    expect(seen.wrongKeys).toBeGreaterThan(3);
    expect(seen.wrongKeys).toBeLessThanOrEqual(6);
    expect(seen.together).toBeLessThanOrEqual(2);
    const lasted = ((seen.times.at(-1) ?? 0) - (seen.times[0] ?? 0)) / 1_000;
    expect(seen.requests).toBeGreaterThan(50);
    expect(seen.requests / lasted).toBeLessThan(110);
    expect(out).not.toContain('MAX_RPS');
  });
});

test(
  'a pace that makes the run long is said before it begins, by a run and by a dry run',
  { tag: '@long' },
  async () => {
    const { vary, seen } = counted(plainly);
    await against(vary, async (target) => {
      const slow = await command('conformance', [], { ...target, MAX_RPS: '1', RUN_TIMEOUT: '2' });
      expect(slow.out).toMatch(
        /MAX_RPS=1 makes a run of about [\d,]+ requests take \d+ minutes, which is longer than RUN_TIMEOUT/,
      );
      expect(slow.exitCode).toBe(3);
      expect(slow.report?.run.stopped).toContain('RUN_TIMEOUT');
      const { requests } = seen;
      const dry = await command('conformance', ['--dry-run'], { ...target, MAX_RPS: '1' });
      expect(dry).toMatchObject({ exitCode: 0, report: null });
      expect(dry.out).toMatch(/would send \d+ requests and add \d+ animals/);
      expect(dry.out).toMatch(/MAX_RPS=1 makes a run/);
      expect(dry.out).toMatch(/list-pets\.limit +\d+ +\d+/);
      expect(seen.requests).toBe(requests);
    });
  },
);
