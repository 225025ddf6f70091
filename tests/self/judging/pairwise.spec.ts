import { expect, test } from '@playwright/test';
import { pairCoverage } from '../../../fixtures/credentials/pairwise/coverage.ts';
import {
  CREDENTIALS,
  headersOf,
  isCostly,
  pairsOf,
  SHAPES,
  type Row,
} from '../../../fixtures/credentials/pairwise/factors.ts';
import { ALL_PAIRS, PLAN } from '../../../fixtures/credentials/pairwise/plan.ts';
import type { Ask, Exchange } from '../../../fixtures/exchange/exchange.ts';

/** The request of a row, as a test asks for it. */
function askOf({ operation, name, shape, ...row }: Row): Ask {
  const usual = { operation, credential: CREDENTIALS[name].credential, ...headersOf(row) };
  if (operation === 'getPet') return { ...usual, method: 'GET', path: '/pets/9007199254740993' };
  if (operation === 'listPets') {
    const query = SHAPES.listPets[shape as keyof typeof SHAPES.listPets];
    return { ...usual, method: 'GET', path: query === '' ? '/pets' : `/pets?${query}` };
  }
  const status = SHAPES.createPet[shape as keyof typeof SHAPES.createPet];
  return {
    ...usual,
    method: 'POST',
    path: '/pets',
    body: JSON.stringify({ name: 'x', categoryId: 1, status }),
  };
}

const answer = {
  status: 401,
  statusText: '',
  headers: [],
  body: new Uint8Array(),
  undecodable: null,
  rawContentLength: null,
};
const exchange = (ask: Ask, response: Exchange['response'] = answer): Exchange => ({
  id: 'x1',
  startedAt: 0,
  begun: 0,
  durationMs: 1,
  ask,
  response,
  error: null,
});

test.describe('the plan that crosses credentials with requests', () => {
  test('asks each wrong key of each operation once', () => {
    for (const name of (Object.keys(CREDENTIALS) as (keyof typeof CREDENTIALS)[]).filter(isCostly)) {
      const operations = PLAN.filter((row) => row.name === name).map(({ operation }) => operation);
      expect(operations.toSorted(), name).toEqual(
        'listsOnly' in CREDENTIALS[name] ? ['listPets'] : ['createPet', 'getPet', 'listPets'],
      );
    }
  });

  test('asks every pair that needs no wrong key', () => {
    const asked = new Set(PLAN.flatMap(pairsOf));
    const costly = new Set(
      Object.entries(CREDENTIALS)
        .filter(([name]) => isCostly(name as keyof typeof CREDENTIALS))
        .map(([, { kind }]) => kind as string),
    );
    expect(
      [...ALL_PAIRS].filter((pair) => !asked.has(pair) && !costly.has(pair.split(' & ')[0] ?? '')),
    ).toEqual([]);
  });

  test('is counted by what was sent, and only where an answer came', () => {
    const asks = PLAN.map(askOf);
    expect(pairCoverage(asks.map((ask) => exchange(ask)))).toEqual({
      asked: new Set(PLAN.flatMap(pairsOf)).size,
      all: ALL_PAIRS.size,
    });
    expect(pairCoverage(asks.map((ask) => exchange(ask, null))).asked).toBe(0);
  });

  test('counts no request with the key, and none of another shape', () => {
    const [first] = PLAN.map(askOf);
    const others: Ask[] = [
      { ...(first as Ask), credential: 'key' },
      { ...(first as Ask), path: '/pets?unheard-of=1' },
      { ...(first as Ask), headers: [['Accept', 'text/plain']] },
    ];
    expect(pairCoverage(others.map((ask) => exchange(ask))).asked).toBe(0);
  });
});
