/** 503 without Retry-After, or a lost connection, is judged only if others are answered between its repetitions. */
import { expect, test } from '@playwright/test';
import type { Ask } from '../../../fixtures/exchange/exchange.ts';
import { RULES_PLACE } from '../../../fixtures/judgement/finding.ts';
import { UnavailableAnswers } from '../../../fixtures/judgement/rules/unavailable.ts';
import { exchangeWith, findingWith } from '../samples/sample-exchanges.ts';

const LIST: Ask = { operation: 'listPets', method: 'GET', path: '/pets', credential: 'key' };
const OTHER: Ask = { ...LIST, path: '/pets?limit=2' };

/** An exchange of 10 ms that begins at this millisecond. */
const exchangeAt = (begun: number, ask: Ask, status: number) =>
  exchangeWith({ status }, { id: `x${begun}`, startedAt: begun, begun, durationMs: 10, ask });

/**
 * Returns the times of the exchanges with 503 that are judged (`yes`): from the fourth in a row on (LEAST_ANSWERS). `classify` returns `no`
 * for a 503 that is not judged, and `dropped` for the third drop of an equal request in a row.
 */
function listJudged(history: readonly [number, Ask, number][], answers = new UnavailableAnswers()): number[] {
  return history
    .filter(
      ([begun, ask, status]) => answers.classify(exchangeAt(begun, ask, status)) === 'yes' && status === 503,
    )
    .map(([begun]) => begun);
}

/** Lists that get 503 at these milliseconds. */
const refuseAt = (...times: number[]) => times.map((begun): [number, Ask, number] => [begun, LIST, 503]);

test('a request that gets 503 each time is judged if another one is answered in between', () => {
  expect(listJudged([...refuseAt(0), [100, OTHER, 200], ...refuseAt(600, 2_200, 4_800)])).toEqual([4_800]);
});

test('a service that is away for some seconds is not judged by what it answered meanwhile', () => {
  const away = refuseAt(0, 600, 2_200, 4_800);
  expect(listJudged([[-100, OTHER, 200], ...away, [9_000, OTHER, 200]])).toEqual([]);
});

test('equal requests that a limiter refuses together are one', () => {
  // The first five begin within 400 ms (SENT_TOGETHER) and count once. So the row has two refusals, and four are needed.
  expect(listJudged([...refuseAt(0, 1, 2, 3, 4), [200, OTHER, 200], ...refuseAt(900)])).toEqual([]);
});

const error = { kind: 'broken', arrived: false, message: '' } as const;
/** A request that is dropped: its connection ends without a byte of an answer. The third in a row (MOST_DROPS) is a broken promise. */
const dropAt = (begun: number, ask: Ask) => ({ ...exchangeAt(begun, ask, 200), response: null, error });

test('a third drop of a request is judged if another request was answered since the first', () => {
  const answers = new UnavailableAnswers();
  const story = [dropAt(0, LIST), exchangeAt(20, OTHER, 200), dropAt(40, LIST), dropAt(60, LIST)];
  expect(story.map((each) => answers.classify(each)).join()).toBe('yes,yes,yes,dropped');
  expect(answers.dropsAny).toBe(false);
});

test('a target that answers a request after two drops may drop any request', () => {
  const answers = new UnavailableAnswers();
  const story = [dropAt(0, LIST), dropAt(20, LIST), exchangeAt(40, LIST, 200)];
  expect(story.map((each) => answers.classify(each)).join()).toBe('yes,yes,yes');
  expect(answers.dropsAny).toBe(true);
});

test('a case that got 503 to the end is left out if its operation was answered later, and undecided if not', () => {
  const open = findingWith('list-pets.answers-200', 'inconclusive', {
    reason: { kind: 'put-off', of: 'it', status: 503 },
    evidence: ['x4800'],
    test: { ...RULES_PLACE, title: 'a test' },
  });
  const answers = new UnavailableAnswers();
  listJudged(refuseAt(4_800), answers);
  expect(answers.markLeftOut([open])).toEqual([open]);
  listJudged([[9_000, OTHER, 200]], answers);
  expect(answers.markLeftOut([open])).toEqual([{ ...open, verdict: 'left-out' }]);
});
