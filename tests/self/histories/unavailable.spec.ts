/** Answers of 503 without Retry-After: which of them are judged, and which are left out. */
import { expect, test } from '@playwright/test';
import type { Ask } from '../../../fixtures/exchange/exchange.ts';
import { RULES_PLACE, type Finding } from '../../../fixtures/judgement/finding.ts';
import { UnavailableAnswers } from '../../../fixtures/judgement/rules/unavailable.ts';
import { exchangeWith } from '../samples/sample-exchange.ts';

const LIST: Ask = { operation: 'listPets', method: 'GET', path: '/pets', credential: 'key' };
const OTHER: Ask = { ...LIST, path: '/pets?limit=2' };

/** One exchange that takes 10 ms; `begun` in milliseconds. */
const exchangeAt = (begun: number, ask: Ask, status: number) =>
  exchangeWith({ status }, { id: `x${begun}`, startedAt: begun, begun, durationMs: 10, ask });

/** Which of these exchanges are judged: those with 503. */
function judged(answers: UnavailableAnswers, history: readonly [number, Ask, number][]): number[] {
  return history
    .filter(
      ([begun, ask, status]) => answers.classify(exchangeAt(begun, ask, status)) === 'yes' && status === 503,
    )
    .map(([begun]) => begun);
}

const STAYS = [0, 600, 2_200, 4_800];

test('one kind of request that stays 503 when it is asked alone is judged if others are answered between', () => {
  const history = STAYS.map((begun): [number, Ask, number] => [begun, LIST, 503]);
  expect(
    judged(new UnavailableAnswers(), [...history.slice(0, 1), [100, OTHER, 200], ...history.slice(1)]),
  ).toEqual([4_800]);
});

test('a service that is away for some seconds is not judged by what it answered meanwhile', () => {
  const history = STAYS.map((begun): [number, Ask, number] => [begun, LIST, 503]);
  expect(judged(new UnavailableAnswers(), [[-100, OTHER, 200], ...history, [9_000, OTHER, 200]])).toEqual([]);
});

test('equal requests that a limiter refuses together are one', () => {
  const together = [0, 1, 2, 3, 4].map((begun): [number, Ask, number] => [begun, LIST, 503]);
  expect(judged(new UnavailableAnswers(), [...together, [200, OTHER, 200], [900, LIST, 503]])).toEqual([]);
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
  judged(answers, [[4_800, LIST, 503]]);
  expect(answers.markLeftOut([open])).toEqual([open]);
  judged(answers, [[9_000, OTHER, 200]]);
  expect(answers.markLeftOut([open])).toEqual([{ ...open, verdict: 'left-out' }]);
});
