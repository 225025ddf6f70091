/** A failure is asked again at the end of a run, and its card says what decides. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { recompute } from '../../../fixtures/evidence/recompute.ts';
import type { SessionSettings } from '../../../fixtures/session/session-settings.ts';
import type { Call } from '../../../fixtures/reference/call.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import { makeCertifiedReport } from '../../../reports/certificate/certified-report.ts';
import { findFailures } from '../../../reports/document/causes.ts';
import { writeShareLines } from '../../../reports/shown/words/cause-facts.ts';
import { readRecords } from '../samples/read-records.ts';
import { runOn, verifying } from '../samples/run-on.ts';
import { simulatedTest as test } from '../samples/simulated.ts';

/** Answers calls of an operation with 500 if they are so. `others`: the number of other calls under way. */
const crash = (operation: Call['operation'], isSo: (call: Call, others: number) => boolean): Vary => {
  let underWay = 0;
  return (Base) =>
    class extends Base {
      override async answer(call: Call) {
        const isWrong = call.operation === operation && isSo(call, underWay);
        underWay += 1;
        await sleep(5);
        const reply = isWrong ? this.error(500, 'internal', 'it broke', call) : await super.answer(call);
        underWay -= 1;
        return reply;
      }
    };
};

async function judge(vary: Vary, settings: Partial<SessionSettings> = {}, waived: readonly string[] = []) {
  let text = '';
  const evidence = (more: string) => (text += more);
  const tests = (await collectSuite()).filter(verifying('list-pets.', 'get-pet.', 'create-pet.name'));
  const { findings } = await runOn({ vary, evidence, settings, waived }, tests);
  const records = readRecords(text);
  const again = recompute(records);
  expect(again.contradictions).toEqual([]);
  const report = makeCertifiedReport(records, { ...again, findings: [...findings] }, []);
  return {
    cards: findFailures(report).map((cause) => `${cause[0].id}: ${writeShareLines(report, cause).at(-1)}`),
    experiments: records.filter((each) => each.kind === 'exchange' && each.ask.experiment !== undefined)
      .length,
  };
}

const chance = () => {
  let count = 0;
  return () => (count += 1) % 20 === 13;
};

const CASES: readonly (readonly [name: string, vary: Vary, cards: readonly RegExp[]])[] = [
  ['each time', crash('listPets', () => true), [/each time: 3 of 3 alone/]],
  [
    'a missing User-Agent',
    crash('getPet', ({ headers }) => headers['user-agent'] === undefined),
    [/3 of 3 with no user-agent, 0 of 3 with user-agent/],
  ],
  [
    'a value',
    crash('listPets', ({ rawQuery }) => /limit=7$/.test(rawQuery)),
    [/3 of 3 with limit=7, 0 of 3 without/],
  ],
  [
    'two values',
    crash('listPets', ({ rawQuery }) => /limit=5&status=sold/.test(rawQuery)),
    [/3 of 3 with limit=5 and status=sold/],
  ],
  [
    'a kept connection',
    crash(
      'getPet',
      (() => {
        const known = new WeakSet();
        return ({ connection }) => known.has(connection) || !known.add(connection);
      })(),
    ),
    [/with a kept connection, 0 of 3 without/],
  ],
  ['chance', crash('getPet', chance()), [/by chance: the same request then works/]],
  [
    'concurrency',
    crash('listPets', (_, others) => others > 2),
    [/only while others are under way: \d of 8, 0 of 8 alone/],
  ],
];

for (const [name, vary, cards] of CASES)
  test(`the card says what decides: ${name}`, { tag: '@simulated' }, async () => {
    const judged = await judge(vary);
    console.log(name, judged);
    expect(judged.cards).toHaveLength(cards.length);
    cards.forEach((card, index) => expect(judged.cards[index]).toMatch(card));
    expect(judged.experiments).toBeLessThanOrEqual(60);
  });
