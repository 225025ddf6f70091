import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { makeCreationGate } from '../../../fixtures/session/creation-gate.ts';
import { spellCount } from '../../../fixtures/judgement/store/run-mark.ts';
import { measureLag } from '../../../fixtures/judgement/store/presence.ts';
import { added, brokenOf, judgeOf, judgesStories, list, rex, tell, type HistoryRow } from './rows.ts';
import type { Told } from './rows.ts';

const broken = brokenOf(/^create-pet\./);

/** An ordinary animal of the run. */
const own = (id: number, more: Partial<HistoryRow> = {}): HistoryRow => ({
  ...rex(id),
  name: `csmark${String.fromCharCode(96 + id)}`,
  ...more,
});
const answered = (status: number, told: Told): Told => ({
  ...told,
  status,
  body: { code: 'failed', message: 'no', status },
});

test('a wrong member beside one that the document does not show may be refused with any 4xx', () => {
  const wrong = (status: number, more: object = {}): Told => {
    const told = answered(status, added(10, own(1)));
    return { ...told, sent: JSON.stringify({ name: true, categoryId: 1, ...more }) };
  };
  expect(broken(wrong(422))).toEqual(['create-pet.name-type']);
  expect(broken(wrong(422, { nickname: 'Bo' }))).toEqual([]);
  expect(broken(wrong(500, { nickname: 'Bo' }))).toEqual(['create-pet.name-type']);
});

test.describe('a valid NewPet that is answered neither 201 nor 400', () => {
  const plain = added(10, own(1, { status: 'sold' }));
  const unstated = added(20, own(2));

  test('may be another refusal where the name is too long, or bears no mark beside others', () => {
    const refused = (name: string, status = 422, ...shown: readonly Told[]) =>
      broken(plain, unstated, ...shown, answered(status, added(30, own(3, { name }))));
    expect(refused('csmark \u00e9')).toEqual(['create-pet.any-name']);
    expect(refused(`csmark${'x'.repeat(300)}`)).toEqual([]);
    expect(refused('null', 422, list(25, []))).toEqual(['create-pet.any-name']);
    expect(refused('null')).toEqual([]);
    expect(refused('null', 422, list(25, [own(9, { name: 'Bella' })]))).toEqual([]);
    expect(refused('null', 500)).toEqual(['create-pet.any-name']);
    expect(refused('csmark \u00e9', 400)).toEqual([]);
    expect(refused('csmark \u00e9', 429)).toEqual([]);
    expect(refused('csmark \u00e9', 503)).toEqual([]);
  });

  test('is nothing by itself where no ordinary animal is taken', () => {
    expect(broken(answered(422, added(30, own(1))))).toEqual([]);
  });
});

test('a name that only a refused createPet has sent may be kept if the store may have added its animal', () => {
  const around = [added(10, own(1, { status: 'sold' })), added(20, own(2))];
  const again = answered(409, added(40, own(3)));
  for (const status of [429, 500])
    expect(broken(...around, answered(status, added(30, own(3))), again)).not.toContain(
      'create-pet.any-name',
    );
  expect(broken(...around, added(30, own(3)), again)).toEqual([]);
});

// Requests that add animals wait while an added animal is not shown yet.

const noRead = () => Promise.resolve();
const never = { isGivenAgain: () => false, readList: noRead };

test('a store grows unhindered but at a few sizes, and then once for all that wait', async () => {
  let size = 0;
  let settled = 0;
  let done = (): void => undefined;
  const addOneMore = makeCreationGate(() => size, {
    ...never,
    settle: () => {
      settled += 1;
      return new Promise((resolve) => (done = resolve));
    },
  });
  await addOneMore(noRead);
  expect(settled).toBe(0);

  size = 14;
  const waiting = [addOneMore(noRead), addOneMore(noRead)];
  let passed = 0;
  for (const each of waiting) void each.then(() => (passed += 1));
  await turn();
  expect({ settled, passed }).toEqual({ settled: 1, passed: 0 });
  done();
  await Promise.all(waiting);
  size = 20;
  await addOneMore(noRead);
  expect(settled).toBe(1);
});

test('it is looked at when nothing is being added', async () => {
  let settled = 0;
  let size = 13;
  const addOneMore = makeCreationGate(() => size, { ...never, settle: async () => void (settled += 1) });
  let answered = (): void => undefined;
  const slow = addOneMore(() => new Promise<void>((resolve) => (answered = resolve)));
  const next = addOneMore(noRead);
  await turn();
  expect(settled).toBe(0);
  size = 14;
  answered();
  await Promise.all([slow, next]);
  expect(settled).toBe(1);
});

test('a store that is large already is looked at once', async () => {
  let settled = 0;
  const addOneMore = makeCreationGate(() => 400, { ...never, settle: async () => void (settled += 1) });
  await addOneMore(noRead);
  await addOneMore(noRead);
  expect(settled).toBe(1);
});

test('a list is read before another animal is added if an identifier was given again, and not for ever', async () => {
  let [isGivenAgain, looks] = [false, 0];
  const readList = async () => {
    looks += 1;
    isGivenAgain = false;
  };
  const addOneMore = makeCreationGate(() => 1, {
    settle: noRead,
    isGivenAgain: () => isGivenAgain,
    readList,
  });
  await addOneMore(noRead);
  expect(looks).toBe(0);
  isGivenAgain = true;
  await Promise.all([addOneMore(noRead), addOneMore(noRead)]);
  expect(looks).toBe(1);
  for (let nth = 0; nth < 20; nth += 1) {
    isGivenAgain = true;
    await addOneMore(noRead);
  }
  expect(looks).toBe(8);
});

const ALL = [1, 2, 3, 4, 5, 6, 7];
const STRAYS = 's21 s22 s23';

/** The animals are added and read, with all that lists show besides. The window is over at 400. */
const before = (ids: readonly number[] = ALL, others = ''): string =>
  [
    ...ids.flatMap((id, index) => [`${10 * index} +${id}`, `${10 * index + 5} get ${id}`]),
    `200 [${others} ${ids.join(' ')}]`,
  ].join('; ');
/** Animals that get the identifiers of others. */
const again = (ids: readonly number[], at: number) =>
  ids.map((id, index) => `${at + 10 * index} +${id}=Again${id}`).join('; ');

/** Returns the judge's finding on kept animals: the verdict, and why. */
function verdictOf(told: readonly Told[]): unknown {
  const [finding] = judgeOf(told)
    .findings()
    .filter(({ requirement }) => requirement === 'create-pet.kept');
  const { kind, animals } = { animals: null, ...(finding?.reason ?? { kind: null }) };
  return [finding?.verdict, kind, animals];
}
const restart = (count: number) => ['inconclusive', 'restart', count];
const assumed = (count: number, verdict = 'inconclusive') => [verdict, 'assumed', count];

judgesStories('animals that are all gone from one moment on', verdictOf, {
  'are lost in a restart, told as one, on any store': {
    [`${before()}; 400 []`]: restart(7),
    [`${before(ALL, STRAYS)}; 400 [${STRAYS}]`]: restart(7),
  },
  'are so too if there were few, if some were gone before, and if others are added since': {
    [`${before([2, 3, 4])}; 400 []`]: restart(3),
    [`${before([1, 2, 3, 4])}; 400 [2 3 4]; 410 []; 420 +9; 600 [9]`]: restart(4),
  },
  'are so if each identifier is given again: each of these animals is lost': {
    [`${before()}; ${again(ALL, 400)}`]: restart(7),
    [`${before(ALL, STRAYS)}; 390 [${STRAYS}]; ${again(ALL, 400)}`]: restart(7),
  },
  'are deleted by others if these are two': { [`${before([1, 2])}; 400 []`]: assumed(2, 'pass') },
  'are no restart if one of them is still there': {
    [`${before()}; 400 [1]`]: assumed(6),
    [`${before(ALL, STRAYS)}; 400 [${STRAYS} 1]`]: assumed(6),
  },
  'are no restart if they went one by one': {
    [[
      before(ALL, STRAYS),
      ...ALL.map((id, index) => `${400 + 10 * index} [${STRAYS} ${ALL.slice(id).join(' ')}]`),
    ].join('; ')]: assumed(7),
  },
  'are not kept if no read ever showed one': {
    [`${ALL.map((id) => `${10 * id} +${id}`).join('; ')}; 400 []; 400 404 1`]: ['fail', null, null],
  },
});

const FIVE = [1, 2, 3, 4, 5];
const SIX = [...FIVE, 6];
const goneFrom = (ids: readonly number[]) =>
  `${before()}; 400 [${ALL.filter((id) => !ids.includes(id)).join(' ')}]; ${again(ids, 410)}`;
judgesStories('an animal whose identifier another one has got', verdictOf, {
  'is lost like any other': { [goneFrom(FIVE)]: assumed(5, 'pass'), [goneFrom(SIX)]: assumed(6) },
  'is not lost while it is shown': {
    [`${goneFrom(SIX)}; ${SIX.map((id) => `600 get ${id}`).join('; ')}`]: ['pass', null, null],
  },
});

const deletedAndArchived = '410 404 1; 410 404 2; 410 404 3; 410 get 4; 410 get 5; 410 get 6';
judgesStories('what others must have done', verdictOf, {
  'is counted over all promises': {
    [`${before()}; 400 [7]; ${deletedAndArchived}`]: assumed(3),
    [`${before(ALL, STRAYS)}; 400 [${STRAYS} 7]; ${deletedAndArchived}`]: assumed(3),
  },
});

test('animals are lost in a restart if one has a name that services may change, and its identifier is shown again', () => {
  const told = tell(`${before()}; ${again(ALL, 400)}; 600 [4=Again4]`).map((each) =>
    JSON.parse(JSON.stringify(each).replaceAll('"Rexd"', JSON.stringify('Rex4 one\ttwo'))),
  );
  expect(verdictOf(told)).toContain('restart');
});

test('animals are all there if a list is an array within an array', () => {
  const nested = tell('400 [1 2 3 4 5 6 7]').map((each) => ({ ...each, body: [each.body] }));
  const findings = judgeOf([...tell(before()), ...nested, ...tell('600 [1 2 3 4 5 6 7]')]).findings();
  expect(findings.flatMap(({ requirement, verdict }) => (verdict === 'fail' ? requirement : []))).toEqual([
    'list-pets.bare-array',
  ]);
});

test('what others must have done on their store may be a tenth of the animals of the run', () => {
  const many = Array.from({ length: 60 }, (_, index) => ({
    ...rex(index + 1),
    name: `Rex${spellCount(index)}`,
  }));
  const strays = [121, 122, 123].map((id) => ({ ...rex(id), name: `Stray ${id}` }));
  const verdictOn = (count: number, others: typeof strays) =>
    verdictOf([
      ...many.map((row, index) => added(index, row)),
      ...[0, count].map((gone) => list(400 * (gone + 1), [...others, ...many.slice(gone)])),
    ]);
  expect(verdictOn(6, strays)).toEqual(assumed(6, 'pass'));
  expect(verdictOn(7, strays)).toEqual(assumed(7));
  expect(verdictOn(6, [])).toEqual(assumed(6));
});

test('a verdict that assumes actions of others names the animals in the order in which they went', () => {
  const [finding] = judgeOf(tell(`${before()}; 400 [1 3 4 5 6 7]; 420 [3 4 5 6 7]`))
    .findings()
    .filter(({ reason }) => reason?.kind === 'assumed');
  expect(finding?.reason).toMatchObject({ named: ['2', '1'] });
});

judgesStories('reads behind writes', (told) => measureLag(judgeOf(told).presence.histories()), {
  'the last read that lacked an animal says how long, whenever it was shown': {
    '0 +1; 20 []; 35 []; 40 [1]': 30,
    '0 +1; 20 []; 35 []; 90 [1]': 30,
    '0 +1; 25 404 1; 80 get 1': 20,
  },
  'an animal that is shown at once, or gone, proves no lag': {
    '0 +1; 20 [1]; 35 [1]': null,
    '0 +1; 20 [1]; 35 []; 400 []': null,
  },
});
