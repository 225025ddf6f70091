import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { reportMistakes } from '../../../reports/document/report-schema.ts';
import { answerInstead, appendHeaders, combineVaries } from '../../../fixtures/implementations/operators.ts';
import { newestFirst, stockStore } from '../../../fixtures/implementations/operators.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import type { Report } from '../../../reports/document/report-document.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { SILENCES } from '../../../fixtures/interface/requirements.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { against, command, idsWith, makeFolder, runAgainst, startCommand } from '../samples/command.ts';
import { counted } from '../samples/command.ts';
import { FEW_INPUTS } from '../samples/run-on.ts';

test('0: the embedded reference conforms, with nothing undecided', async () => {
  const { exitCode, out, report, folder } = await command('conformance', []);
  expect(out).toContain('Conforming');
  expect(exitCode).toBe(0);
  expect(reportMistakes(report)).toEqual([]);
  expect(report).toMatchObject({
    verdict: 'conforming',
    exitCode: 0,
    target: { embedded: true },
    run: { complete: true, stopped: null },
  });
  expect(report?.counts.must).toMatchObject({ fail: 0, inconclusive: 0, 'not-applicable': 0 });
  expect(
    report?.observations.filter(({ observed }) => observed === 'not-observed').map(({ id }) => id),
  ).toEqual([]);
  // `explain` lists the possible answers of a question.
  const isListed = ({ id, observed }: Report['observations'][number]) =>
    (SILENCES[id]?.answers ?? ['<status>']).some((each) =>
      new RegExp(
        `^${each.replace(/^<status>$/, '(\\w+-\\d{3}|no-answer).*').replaceAll(/<\w+>/g, '.+')}$`,
      ).test(observed),
    );
  expect(report?.observations.filter((each) => !isListed(each))).toEqual([]);
  const codes = report?.observations.find(({ id }) => id === 'errors.codes')?.observed;
  expect(codes).toBe('401=unauthorized 400=invalid-status 400=invalid-json 404=pet-not-found');
  expect(report?.run.requests).toBeLessThan(1_600);
  expect(statSync(join(folder, 'out', 'conformance.html')).size).toBeLessThan(300 * 1_024);
});

const sixAnimals = stockStore(6);

for (const [what, vary, env, tag] of [
  ['a store with animals', sixAnimals, { MODE: 'read-only' }, '@long'],
  ['an empty store', (Base) => Base, { MODE: 'read-only' }, '@long'],
  ['production, where it is the default', sixAnimals, { TARGET_ENV: 'production' }, []],
] as [string, Vary, NodeJS.ProcessEnv, '@long' | []][]) {
  test(`read-only mode sends no POST to ${what}, and conforms as far as it asks`, { tag }, async () => {
    const watched = counted(vary);
    const { exitCode, out, report } = await runAgainst(watched.vary, [], env);
    expect([...watched.seen.methods]).not.toContain('POST');
    expect(watched.seen.requests).toBeGreaterThan(10);
    expect(out.toLowerCase()).toContain('conforming as far as read-only asks');
    expect(idsWith(report, 'fail', 'inconclusive')).toEqual([]);
    expect(report).toMatchObject({
      verdict: 'conforming',
      exitCode: 0,
      footprint: [],
      run: { mode: 'read-only', animalsCreated: 0 },
    });
    expect(report?.requirements.find(({ id }) => id === 'create-pet.answers-201')?.verdict).toBe(
      'not-applicable',
    );
    expect(reportMistakes(report)).toEqual([]);
    expect(exitCode).toBe(0);
  });
}

const overLimit = FAULTS.find(({ id }) => id === 'list-pets.limit-one-more');

test('the evidence of a run says again what the run said, and what another report next to it does not say', async () => {
  await against(overLimit?.vary ?? ((Base) => Base), async (target) => {
    const { folder, report } = await command('conformance', ['--only', 'list-pets'], target);
    const out = join(folder, 'out', 'partial');
    const again = await command('judge', [out, '--json'], {}, folder);
    expect(again.exitCode).toBe(1);
    const { evidence, verdict, comparison } = JSON.parse(again.out) as Record<string, unknown>;
    expect({ evidence, verdict }).toEqual({
      evidence: join(out, 'evidence.jsonl'),
      verdict: 'nonconforming',
    });
    expect(comparison).toMatchObject({ verdicts: [] });
    expect((await command('judge', [out], {}, folder)).out).toContain(
      'Every verdict is as in the report next to the evidence.',
    );

    // as if an older version had let it pass
    const [id = ''] = idsWith(report, 'fail');
    writeFileSync(join(out, 'report.json'), JSON.stringify(withPass(report, id)));
    const stricter = await command('judge', [out], {}, folder);
    expect(stricter.exitCode).toBe(1);
    expect(stricter.out).toMatch(/Worse than before/);
    expect(stricter.out).toContain(`${id} pass → fail`);

    // without a report the evidence alone is judged
    rmSync(join(out, 'report.json'));
    const alone = await command('judge', [join(out, 'evidence.jsonl')], {}, folder);
    expect(alone.exitCode).toBe(1);
    expect(alone.out).not.toContain('report next to');

    const text = readFileSync(join(out, 'evidence.jsonl'), 'utf8');
    writeFileSync(join(out, 'evidence.jsonl'), text.slice(0, -100));
    const { exitCode, out: printed, err } = await command('judge', [out], {}, folder);
    expect({ exitCode, printed }).toEqual({ exitCode: 2, printed: '' });
    expect(err).toMatch(/^[^\n]*its last line has no end[^\n]*\n$/);
  });
});

function withPass(report: Report | null, id: string): unknown {
  const requirements = report?.requirements.map((each) =>
    each.id === id ? { ...each, verdict: 'pass', expected: null, received: null } : each,
  );
  return { ...report, requirements };
}

const FEW = { PROPERTY_RUNS: String(FEW_INPUTS) };
const POISONED = 'create-pet.broken-characters';
const halfCharacter = FAULTS.find(({ id }) => id === 'create-pet.half-character-fails');

const stray = (n: number) => ({ name: `Stray ${n}`, categoryId: 1, status: 'sold' }) as const;

test('the second run on a store that holds the animals of the first names the same failure', async () => {
  const folder = makeFolder();
  // the newest first, so that lists show who came last
  const vary = combineVaries(halfCharacter!.vary, newestFirst);
  await against(vary, async (target, { service }) => {
    const part = ['--only', POISONED, '--only', 'list-pets.limit'];
    const first = await command('conformance', part, { ...target, ...FEW }, folder);
    expect(first.exitCode).toBe(1);
    expect(idsWith(first.report, 'fail')).toEqual([POISONED]);

    const second = await command('conformance', part, { ...target, ...FEW }, folder);
    expect(second.exitCode).toBe(1);
    expect(idsWith(second.report, 'fail')).toEqual([POISONED]);
    // thirty, and what was added before a list showed that the store is not empty
    expect(second.report?.run.limits.animals).toBeLessThanOrEqual(38);

    // from now on others use the store, too
    for (let n = 0; n < 3; n += 1) await service.create(stray(n));
    const failed = await command('conformance', ['--failed'], target, folder);
    expect(failed.exitCode).toBe(3);
    expect(failed.out).toContain(`not asked again: ${POISONED} needs an empty store`);
    expect(failed.out).not.toContain('It passes');

    const third = await command('conformance', [], { ...target, ...FEW }, folder);
    expect(third.exitCode).toBe(0);
    expect(third.report?.reason).toMatch(
      /not asked for the sake of animals of others: .*create-pet\.broken-characters \(an empty store decides\)/,
    );
    expect(third.report?.counts.must.inPart).toBeGreaterThan(0);
  });
});

test('an identifier that the service adopted is noted for every later run, and none is sent again', async () => {
  const folder = makeFolder();
  const adopting = FREEDOMS.find(({ id }) => id === 'create-pet.client-id-adopted');
  const footprint = () => readFileSync(join(folder, 'out', 'partial', 'footprint.json'), 'utf8');
  await against(adopting!.vary, async (target) => {
    const run = () => command('conformance', ['--only', 'create-pet.client-id-adopted'], target, folder);
    await run();
    const id = /"id": "(\d+)",[^}]*"adopted": true/.exec(footprint())?.[1];
    expect(id).toBeDefined();
    for (const _ of ['second', 'third']) {
      await run();
      expect(footprint()).not.toContain('"adopted": true');
      expect(JSON.parse(footprint())).toMatchObject({ adoptedBefore: [id] });
    }
  });
});

// A clock that somebody sets while a run goes on: it says when the run was, and nothing else.

/** Every so many requests the target says to come back in a second. */
const BUSY_EVERY = 40;
/** A run that counts its waits by the clock of the day waits for so many milliseconds. */
const STEP = 600_000;

/** A module that moves the clock of its process forth and back, again and again. */
const STEPS = `
  const { now } = Date;
  const moved = () => now() + (Math.floor(performance.now() / 150) % 2 === 0 ? ${STEP} : -${STEP});
  globalThis.Date = class extends Date {
    constructor(...given) {
      super(...(given.length === 0 ? [moved()] : given));
    }
    static now() {
      return moved();
    }
  };
`;

const busy = answerInstead(
  'answer',
  ({ count }) => count % BUSY_EVERY === 0,
  (call, service) => appendHeaders(service.error(429, 'busy', 'come back later', call), ['Retry-After', '1']),
);

test('a clock that is set during a run makes no wait longer and no report unreadable', async () => {
  const module = join(makeFolder(), 'steps.mjs');
  writeFileSync(module, STEPS);
  const { exitCode, report, folder } = await against(busy, (target) =>
    startCommand('conformance', ['--only', 'get-pet.not-found'], {
      ...target,
      NODE_OPTIONS: `--import=${module}`,
    }),
  );
  expect(report?.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
  expect(exitCode).toBe(3);
  expect(reportMistakes(report)).toEqual([]);
  expect(report?.run.durationMs).toBeGreaterThan(0);
  expect(report?.run.durationMs).toBeLessThan(STEP);
  const [junit, ctrf] = ['junit.xml', 'ctrf.json'].map((name) =>
    readFileSync(join(folder, 'out', 'partial', name), 'utf8'),
  );
  expect(junit).not.toMatch(/time="-/);
  expect(ctrf).not.toMatch(/"duration":\s*-/);
});
