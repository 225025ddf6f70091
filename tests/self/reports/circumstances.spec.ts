import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../fixtures/exchange/exchange.ts';
import { makeFlaw } from '../../../fixtures/judgement/finding.ts';
import { Circumstances } from '../../../reports/document/circumstances.ts';

const PROMISE = 'list-pets.answers-200';
const CONNECTIONS = 6;

/** Returns what decides for sixty lists over six connections, of which these get 500. `place`: the number on its connection. */
function decide(isWrong: (index: number, place: number) => boolean) {
  const lists = Array.from({ length: 60 }, (_, index) => {
    const isServed = !isWrong(index, Math.floor(index / CONNECTIONS) + 1);
    const exchange: Exchange = {
      id: `x${index}`,
      startedAt: 10 * index,
      begun: 10 * index,
      durationMs: 5,
      connection: index % CONNECTIONS,
      ask: { operation: 'listPets', method: 'GET', path: `/pets?limit=${index + 1}`, credential: 'key' },
      response: {
        status: isServed ? 200 : 500,
        statusText: '',
        headers: [],
        body: Buffer.from('[]'),
        undecodable: null,
        rawContentLength: null,
      },
      error: null,
    };
    return { isServed, exchange };
  });
  const wrong = { expected: '200', received: '500' };
  const flaws = lists.flatMap(({ isServed, exchange }) =>
    isServed ? [] : makeFlaw(PROMISE, [exchange.id], wrong),
  );
  const exchanges = lists.map(({ exchange }) => exchange);
  return new Circumstances({ listEveryFlaw: () => flaws }, exchanges).decide(PROMISE, null)?.experiments[0];
}

for (const [share, isWrong, expected] of [
  [
    'the first request',
    (_, place) => place === 1,
    { without: 'as the first request of a connection', wrong: 0, of: 54 },
  ],
  [
    'each third request',
    (_, place) => place % 3 === 0,
    { without: 'as each 3rd request of a connection', wrong: 0, of: 42 },
  ],
  [
    'the seventh and later',
    (_, place) => place > 6,
    { without: 'from the 7th request of a connection on', wrong: 0, of: 36 },
  ],
  ['nothing', (index) => [7, 22, 38, 51].includes(index), undefined],
] as readonly [string, (index: number, place: number) => boolean, object | undefined][])
  test(`recorded wrong answers share ${share}`, () => {
    expect(decide(isWrong)).toEqual(expected);
  });
