/** At its end a run sends a failed request again without one of its traits, e.g. `limit=2`. The card says which trait decides. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { recompute } from '../../../fixtures/evidence/recompute.ts';
import type { Ask } from '../../../fixtures/exchange/exchange.ts';
import { changeShown } from '../../../fixtures/implementations/operators.ts';
import { experiment } from '../../../fixtures/session/experiments.ts';
import type { SessionSettings } from '../../../fixtures/session/session-settings.ts';
import type { Call } from '../../../fixtures/reference/call.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import { makeCertifiedReport } from '../../../reports/certificate/certified-report.ts';
import { findFailures } from '../../../reports/document/causes.ts';
import { findShownExchange } from '../../../reports/document/shown-exchange.ts';
import { writeShareLines } from '../../../reports/shown/words/cause-facts.ts';
import { spellCurl } from '../../../reports/shown/words/curl.ts';
import { readRecords } from '../samples/read-records.ts';
import { runOn, matchTests } from '../samples/run-on.ts';
import { exchangeWith, findingWith } from '../samples/sample-exchanges.ts';
import { simulatedTest as test } from '../samples/simulated.ts';

/** Answers 500 to calls of the operation for which `isWrong` holds. `others`: the number of other calls under way. */
const crash = (operation: Call['operation'], isWrong: (call: Call, others: number) => boolean): Vary => {
  let underWay = 0;
  return (Base) =>
    class extends Base {
      override async answer(call: Call) {
        const crashes = call.operation === operation && isWrong(call, underWay);
        underWay += 1;
        await sleep(5);
        const reply = crashes ? this.error(500, 'internal', 'it broke', call) : await super.answer(call);
        underWay -= 1;
        return reply;
      }
    };
};

/** Picks tests that send the requests at which the services below crash, and similar requests. */
const TESTS = matchTests('list-pets.limit', 'get-pet.answers-200', 'create-pet.name', 'get-pet.name-exact');

/** Judges a service. Returns its cards as lines, and how many requests and experiments were sent. */
async function judge(vary: Vary, settings: Partial<SessionSettings> = {}, waived: readonly string[] = []) {
  let text = '';
  const evidence = (more: string) => (text += more);
  const tests = (await collectSuite()).filter(TESTS);
  const { findings } = await runOn({ vary, evidence, settings, waived }, tests);
  const records = readRecords(text);
  const again = recompute(records);
  expect(again.contradictions).toEqual([]);
  const report = makeCertifiedReport(records, { ...again, findings: [...findings] }, []);
  return {
    cards: findFailures(report).map((cause) => {
      const shown = findShownExchange(report, cause[0]);
      const curl = shown === undefined ? '' : spellCurl(shown, report.target.baseUrl);
      return `${cause[0].id}: ${writeShareLines(report, cause).at(-1)} ${curl}`;
    }),
    experiments: records.filter((each) => each.kind === 'exchange' && each.ask.experiment !== undefined)
      .length,
    requests: records.filter(({ kind }) => kind === 'exchange').length,
  };
}

/** Makes a condition that holds for one call in nine. */
function makeChance() {
  let count = 0;
  return () => (count += 1) % 9 === 5;
}
/** Makes a condition that holds for each call but the first of a connection. */
function makeKeptCondition() {
  const known = new WeakSet();
  return ({ connection }: Call) => {
    const isKnown = known.has(connection);
    known.add(connection);
    return isKnown;
  };
}

const refuseAll: Vary = (Base) =>
  class extends Base {
    override createPet(call: Call) {
      return Promise.resolve(this.error(405, 'not-allowed', 'no animals are taken', call));
    }
  };

/** These crash at a getPet without Accept-Encoding, at `limit=2`, and at `limit=64` together with `status=sold`. */
const bareReadsCrash = crash('getPet', ({ headers }) => headers['accept-encoding'] === undefined);
const limitOf2Crashes = crash('listPets', ({ rawQuery }) => /limit=2\b/.test(rawQuery));
const twoValuesCrash = crash('listPets', ({ rawQuery }) => /limit=64&status=sold/.test(rawQuery));

/** Services with one defect or two, and what their cards say of the traits: one pattern for each card. */
const CASES: readonly (readonly [name: string, vary: Vary, cards: readonly RegExp[]])[] = [
  [
    'two values, and a kept connection',
    (Base) => twoValuesCrash(crash('getPet', makeKeptCondition())(Base)),
    [/with a kept connection, 0 of 3 without/, /5 of 5 with limit=64 and status=sold/],
  ],
  ['chance', crash('getPet', makeChance()), [/by chance: /]],
  [
    'our Accept',
    crash('getPet', ({ headers }) => /^a/.test(headers['accept'] ?? '')),
    [/accept: ap.*0 of 3/],
  ],
  [
    'concurrency',
    crash('listPets', (_, others) => others > 2),
    [/only while others are under way: \d of 8, 0 of 8 alone/],
  ],
  ['a long value', crash('createPet', ({ bytes }) => bytes.length > 160), [/the name ".{40,}…", 0 of/]],
  [
    'a value of the animal',
    changeShown('get', (shown, { name }) => ({ ...shown, name: name.slice(0, 20) })),
    [/get-pet.name-exact: .* added with a name of more than 20 characters, 0 of/],
  ],
  ['all requests of an operation', refuseAll, [/create-pet.answers-201: each time: 3 of 3 repeats/]],
];

for (const [name, vary, cards] of CASES)
  test(`the card says what decides: ${name}`, { tag: '@simulated' }, async () => {
    const judged = await judge(vary);
    expect(judged.cards).toHaveLength(cards.length);
    cards.forEach((card, index) => expect(judged.cards[index]).toMatch(card));
    expect(judged.experiments).toBeLessThanOrEqual(60);
  });

test('two defects are two cards: a missing Accept-Encoding, and a value', { tag: '@simulated' }, async () => {
  const { cards } = await judge((Base) => limitOf2Crashes(bareReadsCrash(Base)));
  expect(cards.sort()).toEqual([
    expect.stringMatching(
      /^get-pet.answers-200: .*5 of 5 with no accept-encoding, 0 of 3 with accept-encoding[^]*curl -i http/,
    ),
    expect.stringMatching(/^list-pets.limit-accepted: .*with limit=2, 0 of 3/),
  ]);
});

/** Runs that make no experiment: then recorded answers alone say what decides. */
const WITHOUT_EXPERIMENTS: readonly (readonly [string, Partial<SessionSettings>, readonly string[]])[] = [
  ['in read-only mode', { mode: 'read-only' }, []],
  ['on production', { environment: 'production' }, []],
  ['for a waived failure', {}, ['list-pets.limit-accepted']],
];
for (const [name, settings, waived] of WITHOUT_EXPERIMENTS)
  test(`no experiment is made ${name}`, { tag: '@simulated' }, async () => {
    const { cards, experiments } = await judge(limitOf2Crashes, settings, waived);
    // A read-only run says that it makes no experiments
    const said =
      settings.mode === undefined ? 'recorded answers: 7 of 7 with limit=2, 0 of ' : ': it only reads ';
    expect(cards.join()).toContain(said);
    expect(experiments).toBe(0);
  });

test('experiments keep to MAX_REQUESTS', { tag: '@simulated' }, async () => {
  const { cards, requests } = await judge(
    crash('listPets', () => true),
    { maxRequests: 150 },
  );
  expect(cards).toHaveLength(1);
  expect(requests).toBeLessThanOrEqual(150);
});

const PLAIN: Ask = { operation: 'createPet', method: 'POST', path: '/pets', credential: 'key' };
const body = (text: string) => ({ ...PLAIN, body: text });
/** Failed requests that may do harm if they are sent again, each with its status. */
const HARMFUL: readonly (readonly [string, Ask, number])[] = [
  [
    'a wrong key',
    {
      ...PLAIN,
      method: 'GET',
      operation: 'listPets',
      credential: { scheme: 'Bearer', edits: [{ edit: 'word', word: 'null' }] },
    },
    200,
  ],
  [
    'a request that a guard let pass',
    { ...PLAIN, method: 'GET', operation: 'listPets', credential: 'none', headers: [['X-Real-IP', '::1']] },
    200,
  ],
  ['an identifier', body('{"id":1,"name":"acsmark","categoryId":1}'), 500],
  ['a body that was accepted', body('{"name":"acsmark"}'), 201],
  ['half of a character', body('{"name":"acsmark\\ud83d","categoryId":1}'), 500],
  ['a name without the mark', body('{"name":"null","categoryId":1}'), 500],
  ['a 503, as a limiter answers', { ...PLAIN, method: 'GET', operation: 'listPets' }, 503],
];
for (const [name, ask, status] of HARMFUL)
  test(`no experiment sends it again: ${name}`, async () => {
    const sent: Ask[] = [];
    const failed = exchangeWith({ status }, { ask });
    const requirement = 'create-pet.answers-201';
    const flaw = { requirement, expected: '', received: '', pointer: null, evidence: ['x1'] } as const;
    const finding = findingWith(requirement, 'fail', { flaw, evidence: ['x1'] });
    const run = {
      isQuick: false,
      runId: 'csmark',
      trials: [],
      exchanges: [failed],
      flaws: [],
      animals: () => [],
      mayAsk: () => true,
      send: (each: Ask) => (sent.push(each), Promise.resolve(failed)),
    };
    await experiment(run, [finding], []);
    expect(sent).toEqual([]);
    // The same run sends an ordinary request again. So the request above is the reason why nothing was sent.
    const plain = exchangeWith({ status: 500 }, { ask: body('{"name":"acsmark","categoryId":1}') });
    await experiment({ ...run, exchanges: [plain] }, [finding], []);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.every((each) => each.purpose === 'experiment')).toBe(true);
  });
