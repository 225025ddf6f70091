import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import {
  CREDENTIALS,
  chooseHeaders,
  CREDENTIAL_NAMES,
  isCostly,
  QUERIES,
  type CredentialRow,
} from '../../../fixtures/situations/credentials/pairwise/factors.ts';
import { planCredential } from '../../../fixtures/situations/credentials/pairwise/credential-plan.ts';
import type { Ask, Exchange } from '../../../fixtures/exchange/exchange.ts';
import { PET_STATUSES } from '../../../fixtures/interface/bodies.ts';
import { countCoverage, findSituations, listPairs } from '../../../fixtures/situations/coverage.ts';
import { countHistories, findHistories, HISTORY_NAMES } from '../../../fixtures/situations/history-table.ts';
import { Situations } from '../../../fixtures/situations/levels.ts';
import { listPlanRows, type PlanRow as KeyedRow } from '../../../fixtures/situations/plan.ts';
import {
  INVALID_BODIES,
  chooseHeaderOptions,
  writeRowQuery,
} from '../../../fixtures/asking/vocabulary/situation-requests.ts';
import { APART, TABLES } from '../../../fixtures/situations/tables.ts';

/** Returns every request of the plan of wrong credentials for a seed. */
function planCredentials(seed: number): readonly CredentialRow[] {
  return (['listPets', 'createPet', 'getPet'] as const).flatMap((operation) =>
    CREDENTIAL_NAMES.flatMap((name) => planCredential(operation, name, seed)),
  );
}

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** Levels are never merged to make a figure whole: whoever changes a table changes this. */
const SIZES = {
  sizes: [
    { operation: 'listPets', levels: [11, 6, 4, 3, 4, 2, 4, 2, 2, 4], pairs: 755, crossed: 403 },
    { operation: 'createPet', levels: [11, 16, 7, 4, 4, 2, 2, 4, 2, 2, 4], pairs: 1350, crossed: 446 },
    { operation: 'getPet', levels: [11, 5, 7, 4, 4, 2, 4, 2, 2, 4], pairs: 838, crossed: 273 },
  ],
  rows: { lists: 32, animals: 20, invalidBodies: 60 },
  keyless: 204,
};

/** The request of a row, as a test asks for it. */
function askOf({ operation, name, shape, ...row }: CredentialRow): Ask {
  const usual = { operation, credential: CREDENTIALS[name].credential, ...chooseHeaders(row) };
  if (operation === 'getPet') return { ...usual, method: 'GET', path: `/pets/${ANIMALS.indexOf(shape)}` };
  if (operation === 'listPets')
    return { ...usual, method: 'GET', path: shape === '' ? '/pets' : `/pets?${shape}` };
  const status = PET_STATUSES.find((each) => each === shape);
  return {
    ...usual,
    method: 'POST',
    path: '/pets',
    body: JSON.stringify({ name: 'Rexrex', categoryId: 1, status }),
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

/** A run draws by one of these: what holds for a few in a row holds for all. */
const SEEDS = Array.from({ length: 24 }, (_, index) => index + 1);

test.describe('the plan that crosses credentials with requests', () => {
  test('deals every valid query to a wrong token in each run, and to each of them over some', () => {
    const listsWith = (name: string, seed: number) =>
      planCredentials(seed).flatMap((row) =>
        row.operation === 'listPets' && row.name === name ? row.shape : [],
      );
    const costly = CREDENTIAL_NAMES.filter((name) => isCostly(name) && CREDENTIALS[name].asked.listPets > 0);
    // a test of the opening asks for one animal
    const all = QUERIES.filter((query) => query !== 'limit=1');
    for (const seed of SEEDS)
      expect(new Set(costly.flatMap((name) => listsWith(name, seed)))).toEqual(
        new Set([...all, 'limit=%31%30']),
      );
    for (const name of costly)
      expect(new Set(SEEDS.flatMap((seed) => listsWith(name, seed)))).toEqual(
        new Set([...all, 'limit=%31%30']),
      );
  });

  test('asks few wrong keys', () => {
    expect(planCredentials(1).filter(({ name }) => isCostly(name)).length).toBe(44);
  });
});

/** The request of a row of the plan with the key. */
function keyedAsk(operation: CredentialRow['operation'], row: KeyedRow, index: number): Ask {
  const { headers = [], without = [], contentType } = chooseHeaderOptions(row);
  const sent = { operation, credential: 'key', headers, without } as const;
  const get = (path: string): Ask => ({ ...sent, method: 'GET', path });
  if (operation === 'listPets') return get(`/pets?${writeRowQuery(row, index)}`.replace(/\?$/, ''));
  if (operation === 'getPet') return get(`/pets/${ANIMALS.indexOf(row['animal'] ?? '')}`);
  const body = bodyOf(row, index);
  return { ...sent, method: 'POST', path: '/pets', body, ...(contentType != null && { contentType }) };
}

function bodyOf(row: KeyedRow, index: number): string {
  const texts = INVALID_BODIES[row['body'] ?? '']?.texts ?? [];
  return texts[index % texts.length]?.('Rex', '1') ?? '';
}

/** Levels that a run passes through, and no plan brings about. */
const AROUND = /\b(before|connection|company|store)\b/;
const planned = ({ connection: _, ...row }: KeyedRow) => row;

const ANIMALS = ['available', 'pending', 'sold', 'without status', 'none'];
/** The animals that the rows of getPet read. */
const added = ANIMALS.slice(0, 4).map((status, id) =>
  exchange(
    { operation: 'createPet', method: 'POST', path: '/pets', credential: 'key', body: '"' },
    {
      ...answer,
      status: 201,
      body: Buffer.from(
        JSON.stringify({ id, name: 'Rexrex', categoryId: 1, ...(status !== 'without status' && { status }) }),
      ),
    },
  ),
);
const keyed = (seed: number) =>
  (['listPets', 'getPet', 'createPet'] as const).flatMap((operation) =>
    listPlanRows(seed)[
      ({ listPets: 'lists', getPet: 'animals', createPet: 'invalidBodies' } as const)[operation]
    ].flatMap((row) =>
      [0, 1, 2, 3, 4].map((index) => ({ operation, row, ask: keyedAsk(operation, row, index) })),
    ),
  );

test.describe('the plan that crosses what a request can be', () => {
  test('is sent as its rows say', () => {
    const situations = new Situations();
    for (const each of added) situations.findSituation(each);
    for (const { operation, row, ask } of [0, 5].flatMap(keyed))
      expect(situations.findSituation(exchange(ask)), JSON.stringify(ask)).toMatchObject({
        operation,
        levels: { credential: 'key', ...planned(row) },
      });
  });

  test('lets all pairs meet that are not given up', () => {
    const all = (seed: number) => [
      ...added,
      ...[...keyed(seed).map(({ ask }) => ask), ...planCredentials(seed).map(askOf)].map((ask) =>
        exchange(ask),
      ),
    ];
    const left = SEEDS.flatMap((seed) => Object.values(countCoverage(findSituations(all(seed))))).flatMap(
      ({ pairs }) =>
        pairs.notAsked.filter(({ pair, why }) => why === 'not asked in this run' && !AROUND.test(pair)),
    );
    // a good body with the key adds an animal: the tests of those ask them
    expect(left.filter(({ pair }) => !/credential key × body|content-type with charset$/.test(pair))).toEqual(
      [],
    );
  });

  test('has these sizes', () => {
    const sizes = Object.entries(TABLES).map(([operation, factors]) => ({
      operation,
      levels: Object.values<readonly string[]>(factors).map(({ length }) => length),
      pairs: listPairs(operation as keyof typeof TABLES).length,
      crossed: listPairs(operation as keyof typeof TABLES).filter(({ apart }) => apart === undefined).length,
    }));
    const rows = Object.fromEntries(
      Object.entries(listPlanRows()).map(([name, { length }]) => [name, length]),
    );
    expect({ sizes, rows, keyless: planCredentials(1).length }).toEqual(SIZES);
  });

  test('is in the schemas of the package, for others to use', () => {
    const { tables, apart } = JSON.parse(
      readFileSync(join(ROOT, 'dist', 'schemas', 'situations.json'), 'utf8'),
    ) as {
      tables: unknown;
      apart: unknown;
    };
    expect({ tables, apart }).toEqual({ tables: TABLES, apart: APART });
  });

  test('is counted only where an answer came', () => {
    const asks = keyed(1).map(({ ask }) => exchange(ask, null));
    expect(Object.values(countCoverage(findSituations(asks))).map(({ pairs }) => pairs.met)).toEqual([
      0, 0, 0,
    ]);
  });

  test('reads Accept from the request as its client sends it, not as the test wrote it', () => {
    const accept = (ask: Partial<Ask>) =>
      new Situations().findSituation(
        exchange({ operation: 'listPets', method: 'GET', path: '/pets', credential: 'key', ...ask }),
      )?.levels['accept'];
    const own = { headers: [['Accept', 'application/json']] } as const;
    expect([
      accept({}),
      accept({ client: 'curl' }),
      accept({ client: 'Go net/http' }),
      accept({ client: 'browser address bar' }),
      accept({ client: 'axios' }),
      accept({ client: 'curl', ...own }),
      accept({ client: 'axios', without: ['accept'] }),
    ]).toEqual(['usual', 'any', 'absent', 'browser', 'usual', 'usual', 'absent']);
  });

  test('counts for each client the documented answers that it got', () => {
    const usual = { operation: 'listPets', method: 'GET', path: '/pets', credential: 'none' } as const;
    const { listPets } = countCoverage(
      findSituations([exchange(usual), exchange({ ...usual, client: 'curl' })]),
    );
    expect(listPets.clients).toMatchObject({ met: 2, meetable: 52 });
    expect(listPets.clients?.notAsked).toContainEqual({ client: 'curl', answers: [200] });
    expect(listPets.clients?.notAsked).toContainEqual({ client: 'wget', answers: [200, 401] });
  });

  test('counts a triple once, where all three of its levels were in one request', () => {
    const usual = { operation: 'listPets', method: 'GET', credential: 'key' } as const;
    const paths = ['/pets?limit=1', '/pets?status=sold', '/pets?limit=1&status=sold'];
    const requests = paths.map((path, index) => ({ ...exchange({ ...usual, path }), begun: 10 * index }));
    const count = (all: readonly Exchange[]) => countCoverage(findSituations(all)).listPets.triples?.met ?? 0;
    const { listPets } = countCoverage(findSituations([...requests, ...requests]));
    const alone = requests.map((each) => count([each]));
    expect(listPets.triples).toMatchObject({ meetable: 2_614, givenUp: 5_058 });
    expect(count(requests)).toBeGreaterThan(Math.max(...alone));
    expect(count(requests)).toBeLessThan(alone.reduce((sum, each) => sum + each, 0));
  });
});

test.describe('the table of histories', () => {
  /** Requests on one connection, ten milliseconds apart. */
  const inTurn = (asks: readonly (Partial<Ask> & { status?: number; begun?: number })[]) =>
    asks.map(({ status = 200, begun, ...ask }, index): Exchange => ({
      ...exchange(
        { operation: 'listPets', method: 'GET', path: '/pets', credential: 'key', ...ask },
        { ...answer, status },
      ),
      begun: begun ?? 10 * index,
      connection: 1,
    }));
  const namesOf = (asks: Parameters<typeof inTurn>[0]) =>
    [...findHistories(inTurn(asks))].flatMap(([name, found]) => (found.length > 0 ? [name] : []));
  const post = { operation: 'createPet', method: 'POST' } as const;

  test('recognizes what came before a request', () => {
    expect(namesOf([{ credential: 'none', status: 401 }, {}])).toEqual([
      'listPets: a 401, directly before, on its connection; this one has the key',
    ]);
    expect(namesOf([{}, { credential: 'none', status: 401 }])).toEqual([
      'listPets: a read with the key, directly before, on its connection; this one has none',
    ]);
    expect(namesOf([{}, {}, {}])).toEqual(['listPets: 2 equal requests, directly before, on its connection']);
    expect(namesOf([{}, { begun: 2_001 }])).toEqual([
      'listPets: no request for two seconds, directly before, on its connection',
      'listPets, createPet or getPet: no request for two seconds, directly before',
      'listPets: no request of its operation for two seconds, directly before',
    ]);
    expect(
      namesOf([
        { ...post, body: '{"name":"Rex"}', status: 400 },
        { ...post, body: '{"name":"Rex","categoryId":1}', status: 201 },
      ]),
    ).toEqual(['createPet: a refused NewPet with its name, earlier']);
    expect(namesOf([{ method: 'HEAD', operation: 'other' }, {}])).toEqual([
      'listPets: HEAD, directly before, at its address',
    ]);
  });

  test('recognizes an answer that was cut, and a list beside a createPet', () => {
    const [cut, ...others] = inTurn([{}, { path: '/pets?limit=1' }, { path: '/pets?limit=2' }]);
    const asked = [
      { ...cut!, response: null, error: { kind: 'cut', message: '', arrived: true } },
      ...others,
    ];
    const behind = 'listPets: an answer that was cut, earlier; this one is the first of its operation since';
    expect(findHistories(asked as Exchange[]).get(behind)).toEqual([others[0]]);
    expect(namesOf([{}, { ...post, status: 201, begun: 0 }, {}])).toEqual([
      'listPets: an equal list beside a createPet, earlier, and no createPet since',
    ]);
  });

  test('does not mistake other requests for a history', () => {
    expect(namesOf([{}, { path: '/pets?limit=1' }, {}, { begun: 2_000 }])).toEqual([]);
    expect(namesOf([{ status: 404 }, { status: 404 }, { path: '/pets/1', operation: 'getPet' }])).toEqual([]);
  });

  test('counts a line that needs an answer of its own only where it came', () => {
    const met = (status: number) =>
      countHistories(
        'createPet',
        findHistories(
          inTurn([
            { ...post, status },
            { ...post, body: '{"name":"Rex","categoryId":1}' },
          ]),
        ),
      ).meetable;
    expect(met(413) - met(201)).toBe(1);
    expect(new Set(HISTORY_NAMES).size).toBe(HISTORY_NAMES.length);
  });
});
