import { expect, test } from '@playwright/test';
import { WRONG } from '../../../fixtures/situations/credentials/wrong-keys.ts';
import type { Ask } from '../../../fixtures/exchange/exchange.ts';
import { RULES_PLACE, type Finding } from '../../../fixtures/judgement/finding.ts';
import { UnavailableAnswers } from '../../../fixtures/judgement/rules/unavailable.ts';
import { exchangeWith } from '../samples/sample-reports.ts';
import { WINDOW, added, brokenOf, found, judgeOf, list, missing, refused, rex, type Told } from './rows.ts';

const wrong = WRONG.other;
const one = rex(1, 'sold');

/** The promises that exchanges break, but for those about a challenge. */
const broken = brokenOf(/^(?!.*challenge)/);

/** The same request with something else than the key. */
const without = (told: Told, credential: Told['credential'] = 'none'): Told => ({ ...told, credential });

test.describe('an answer to what is not the key', () => {
  test('is charged to the plainest request that went as wrong', () => {
    const cut = without(list(10, [], '/pets?limit=7'), WRONG.withoutEnd);
    expect(broken(cut)).toEqual(['authentication.truncated-key']);
    expect(broken(cut, without(list(20, [], '/pets?limit=7'), wrong))).toEqual([
      'authentication.list-pets-wrong-key',
    ]);
  });

  test('may be 400 or 401 to a body that has to be refused, and is open beside a query that is not valid', () => {
    const invalid = (status: number): Told => ({
      ...without(refused(10, '/pets')),
      method: 'POST',
      sent: '{}',
      status,
      body: { code: 'no', message: 'no', status },
    });
    expect(broken(invalid(400))).toEqual([]);
    expect(broken(invalid(401))).toEqual([]);
    expect(broken(invalid(422))).toEqual(['authentication.create-pet-missing-key']);
    expect(broken({ ...without(list(10, [], '/pets?limit=0')), status: 200 })).not.toEqual([]);
  });

  test('is a 404 that counts only between two reads that found the animal, in the window only if no getPet lagged', () => {
    const later = 2 * WINDOW;
    const keyless = (at: number) => without(missing(at, one), wrong);
    const seen = (at: number) => found(at, one);
    expect(broken(added(0, one), seen(later), keyless(later + 20), seen(later + 40))).toEqual([
      'authentication.get-pet-wrong-key',
    ]);
    const early = [added(0, one), seen(10), keyless(20), seen(40)];
    expect(broken(...early)).toEqual(['authentication.get-pet-wrong-key']);
    expect(broken(...early, added(50, rex(2)), missing(60, rex(2)))).toEqual([]);
    expect(broken(added(0, one), seen(later), keyless(later + 20))).toEqual([]);
  });
});

test.describe('a list that comes without the key at the addresses that the key was served under', () => {
  const keyed = [list(10, [one], '/pets?limit=61'), list(20, [one], '/pets?limit=62')];
  const same = keyed.map((each) => without({ ...each, at: each.at + 100 }));
  const fresh = without(refused(150, '/pets?limit=63&status=sold'));

  test('is that of a cache, if other addresses are refused', () => {
    expect(broken(...keyed, ...same, fresh)).toEqual(['authentication.shared-cache']);
    const [finding] = judgeOf([...keyed, ...same, fresh])
      .findings()
      .filter(({ requirement }) => requirement === 'authentication.shared-cache');
    expect(finding?.flaw?.received).toContain('from a cache');
  });

  test('is not that of a cache, if some of these are refused too, or other addresses are not', () => {
    const refusals = [40, 50, 60].map((limit) => list(30, [one], `/pets?limit=${limit}`));
    const refusedToo = refusals.map(({ path }) => without(refused(160, path)));
    expect(broken(...keyed, ...refusals, ...same, ...refusedToo, fresh)).toEqual([
      'authentication.list-pets-missing-key',
    ]);
    expect(broken(...keyed, ...same, { ...fresh, status: 200, body: [] })).toEqual([
      'authentication.list-pets-missing-key',
    ]);
  });
});

test.describe('a list that a cache may have answered', () => {
  const cacheable = (told: Told): Told => ({ ...told, without: ['cache-control'] });

  test('may be as old as a write within the window that made it odd for a moment, and is excused for its age', () => {
    expect(broken(added(10, one), found(20, one), cacheable(list(30, [one, one])))).toEqual([]);
    expect(broken(added(10, one), found(20, one), cacheable(list(20 + WINDOW, [])))).toEqual([]);
  });

  test('of another status is decided by lists, so getPets are no part of its question', () => {
    const odd = cacheable(list(30, [one], '/pets?limit=100&status=available'));
    const { questions } = judgeOf([added(10, one), odd]);
    const asked = questions.find(({ promise }) => promise === 'list-pets.status')?.reads ?? [];
    expect([...new Set(asked.map(({ path }) => path.split('?')[0]))]).toEqual(['/pets']);
  });

  test('is kept without end if it never shows what is added, but not if it is one animal behind', () => {
    const animals = [1, 2, 3, 4, 5].map((id) => rex(id));
    const story = (countKept: (count: number) => number) =>
      animals.flatMap((row, index) => {
        const fresh = (at: number) => list(1_000 * index + at, animals.slice(0, index + 1));
        const kept = cacheable(list(1_000 * index + 500, animals.slice(0, countKept(index))));
        return [added(1_000 * index, row), fresh(400), kept, fresh(600)];
      });
    expect(broken(...story(() => 0))).toEqual(['list-pets.shows-added']);
    expect(broken(...story((count) => count))).toEqual([]);
  });
});

// An answer of 503 without Retry-After is judged only if others are answered between.

const LIST: Ask = { operation: 'listPets', method: 'GET', path: '/pets', credential: 'key' };
const OTHER: Ask = { ...LIST, path: '/pets?limit=2' };

/** One exchange that takes 10 ms; `begun` in milliseconds. */
const exchangeAt = (begun: number, ask: Ask, status: number) =>
  exchangeWith({ status }, { id: `x${begun}`, startedAt: begun, begun, durationMs: 10, ask });

/** Which of these exchanges are judged: those with 503. */
function judged(history: readonly [number, Ask, number][], answers = new UnavailableAnswers()): number[] {
  return history
    .filter(
      ([begun, ask, status]) => answers.classify(exchangeAt(begun, ask, status)) === 'yes' && status === 503,
    )
    .map(([begun]) => begun);
}

/** Lists that get 503, at these times. */
const refuseAt = (...times: number[]) => times.map((begun): [number, Ask, number] => [begun, LIST, 503]);

test('one kind of request that stays 503 when it is asked alone is judged if others are answered between', () => {
  expect(judged([...refuseAt(0), [100, OTHER, 200], ...refuseAt(600, 2_200, 4_800)])).toEqual([4_800]);
});

test('a service that is away for some seconds is not judged by what it answered meanwhile', () => {
  const away = refuseAt(0, 600, 2_200, 4_800);
  expect(judged([[-100, OTHER, 200], ...away, [9_000, OTHER, 200]])).toEqual([]);
});

test('equal requests that a limiter refuses together are one', () => {
  expect(judged([...refuseAt(0, 1, 2, 3, 4), [200, OTHER, 200], ...refuseAt(900)])).toEqual([]);
});

test('a request that is dropped each time is judged, unless another one is answered the third time', () => {
  const answers = new UnavailableAnswers();
  const error = { kind: 'broken', arrived: false, message: '' } as const;
  const drop = (begun: number, ask: Ask) =>
    answers.classify({ ...exchangeAt(begun, ask, 200), response: null, error });
  const answer = (begun: number) => answers.classify(exchangeAt(begun, OTHER, 200));
  const dropped = [drop(0, LIST), answer(20), drop(40, LIST), drop(60, LIST)];
  expect([dropped.join(), answers.dropsAny]).toEqual(['yes,yes,yes,dropped', false]);
  expect([drop(80, OTHER), drop(100, OTHER), answer(120), answers.dropsAny].join()).toBe('yes,yes,yes,true');
});

test('a case that got 503 to the end is left out if its operation was answered later, and undecided if not', () => {
  const open: Finding = {
    requirement: 'list-pets.answers-200',
    verdict: 'inconclusive',
    reason: { kind: 'put-off', of: 'it', status: 503 },
    flaw: null,
    evidence: ['x4800'],
    test: { ...RULES_PLACE, title: 'a test' },
    replay: null,
  };
  const answers = new UnavailableAnswers();
  judged(refuseAt(4_800), answers);
  expect(answers.markLeftOut([open])).toEqual([open]);
  judged([[9_000, OTHER, 200]], answers);
  expect(answers.markLeftOut([open])).toEqual([{ ...open, verdict: 'left-out' }]);
});
