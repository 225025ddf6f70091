import { expect, test } from '@playwright/test';
import {
  isCostly,
  QUERIES,
  type CredentialRow,
} from '../../../fixtures/situations/credentials/pairwise/factors.ts';
import { WRONG_KEY_NAMES, WRONG_KEYS } from '../../../fixtures/situations/credentials/wrong-keys.ts';
import { planCredential } from '../../../fixtures/situations/credentials/pairwise/credential-plan.ts';
import { DOCUMENTED_OPERATIONS, type Ask } from '../../../fixtures/exchange/exchange.ts';
import { HISTORY_NAMES, Histories } from '../../../fixtures/implementations/history-table.ts';
import { listPlanRows, type PlanRow } from '../../../fixtures/situations/plan.ts';
import { PROJECT, run } from '../samples/installed.ts';

/** Returns every request of the plan of wrong credentials for a seed. */
function planCredentials(seed: number): readonly CredentialRow[] {
  return DOCUMENTED_OPERATIONS.flatMap((operation) =>
    WRONG_KEY_NAMES.flatMap((name) => planCredential(operation, name, seed)),
  );
}

/** A run draws by one of these: what holds for a few in a row holds for all. */
const SEEDS = Array.from({ length: 24 }, (_, index) => index + 1);

test.describe('the plan that crosses credentials with requests', () => {
  test('deals every valid query to a wrong token in each run, and to each of them over some', () => {
    const listsWith = (name: string, seed: number) =>
      planCredentials(seed).flatMap((row) =>
        row.operation === 'listPets' && row.name === name ? row.shape : [],
      );
    const costly = WRONG_KEY_NAMES.filter((name) => isCostly(name) && WRONG_KEYS[name].asked.listPets > 0);
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
    const all = planCredentials(1);
    expect([all.length, all.filter(({ name }) => isCostly(name)).length]).toEqual([181, 57]);
  });
});

test.describe('the plan that crosses what a request can be', () => {
  const levelsOf = (rows: readonly PlanRow[], factor: string) => [
    ...new Set(rows.map((row) => row[factor] ?? '')),
  ];
  /** Pairs that no request can have: one parameter has no order, and a body that is missing has no charset. */
  const IMPOSSIBLE = [
    'limit absent, spelling status first',
    'status absent, spelling status first',
    'body body-missing, content-type with charset',
    // The properties of createPet send these.
    'body body-missing, connection fresh',
    'content-type application/json, connection fresh',
  ];

  test('has every pair of levels that a request can have, whatever the seed', () => {
    for (const seed of [0, ...SEEDS]) {
      const left = Object.values(listPlanRows(seed)).flatMap((rows) => {
        const factors = Object.keys(rows[0] ?? {});
        return factors.flatMap((one, index) =>
          factors.slice(index + 1).flatMap((other) =>
            levelsOf(rows, one).flatMap((first) =>
              levelsOf(rows, other)
                .filter((second) => !rows.some((row) => row[one] === first && row[other] === second))
                .map((second) => `${one} ${first}, ${other} ${second}`),
            ),
          ),
        );
      });
      expect(left.toSorted(), String(seed)).toEqual(IMPOSSIBLE.toSorted());
    }
    expect(Object.values(listPlanRows()).map(({ length }) => length)).toEqual([32, 20, 60]);
  });

  test('is met by a run: every pair is in a request @long', async () => {
    const { exitCode, out } = await run(process.execPath, ['dist/bin/prove/met-pairs.js'], { cwd: PROJECT });
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringContaining('176 of 176') });
  });
});

type Step = Partial<Ask> & { status?: number; begun?: number; error?: { kind: string } };
const POST = { operation: 'createPet', method: 'POST' } as const;
const REFUSED = { ...POST, body: '{"name":"Rex"}', status: 400 };
const [ON_IT, SILENT] = ['directly before, on its connection', 'for two seconds, directly before'];
/** Requests on one connection, ten milliseconds apart, and the histories that they have. */
const HISTORIES: readonly (readonly [steps: readonly Step[], ...names: string[]])[] = [
  [[{ credential: 'none', status: 401 }, {}], `listPets: a 401, ${ON_IT}; this one has the key`],
  [[{}, { credential: 'none', status: 401 }], `listPets: a read with the key, ${ON_IT}; this one has none`],
  [[{}, {}, {}], `listPets: 2 equal requests, ${ON_IT}`],
  [
    [{}, { begun: 2_001 }],
    `listPets: no request ${SILENT}, on its connection`,
    `listPets, createPet or getPet: no request ${SILENT}`,
    `listPets: no request of its operation ${SILENT}`,
  ],
  [
    [REFUSED, { ...POST, body: '{"name":"Rex","categoryId":1}', status: 201 }],
    'createPet: a refused NewPet with its name, earlier',
  ],
  [[{ method: 'HEAD', operation: 'other' }, {}], 'listPets: HEAD, directly before, at its address'],
  [
    [{ error: { kind: 'cut' } }, { path: '/pets?limit=1' }, { path: '/pets?limit=2' }],
    'listPets: an answer that was cut, earlier; this one is the first of its operation since',
  ],
  [
    [{}, { ...POST, status: 201, begun: 0 }, {}],
    'listPets: an equal list beside a createPet, earlier, and no createPet since',
  ],
  [[{}, { path: '/pets?limit=1' }, {}, { begun: 2_000 }]],
  [[{ status: 404 }, { status: 404 }, { path: '/pets/1', operation: 'getPet' }]],
];

test('the table of histories recognizes what came before a request, and mistakes no other request for a history', () => {
  for (const [steps, ...names] of HISTORIES) {
    const histories = new Histories();
    const found = steps.flatMap(({ status = 200, begun, error, ...ask }, index) =>
      histories.findHistoriesOf({
        ask: { operation: 'listPets', method: 'GET', path: '/pets', credential: 'key', ...ask },
        ...(error === undefined ? { response: { status } } : { response: null, error }),
        ...{ begun: begun ?? 10 * index, durationMs: 1, connection: 1 },
      }),
    );
    expect(found, JSON.stringify(steps)).toEqual(names);
  }
  expect(new Set(HISTORY_NAMES).size).toBe(HISTORY_NAMES.length);
});
