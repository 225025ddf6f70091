/** The table of histories recognizes what came before a request, e.g. a 401 on its connection. */
import { expect, test } from '@playwright/test';
import type { Ask } from '../../../fixtures/exchange/exchange.ts';
import { HISTORY_NAMES, Histories } from '../../../fixtures/implementations/history-table.ts';

type Step = Partial<Ask> & { status?: number; begun?: number; error?: { kind: string } };
const POST = { operation: 'createPet', method: 'POST' } as const;
const REFUSED = { ...POST, body: '{"name":"Rex"}', status: 400 };
const [ON_IT, SILENT] = ['directly before, on its connection', 'for two seconds, directly before'];
/** Requests on one connection, ten milliseconds apart, and their histories. The last two rows have none. */
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
  // The last list comes 1,979 ms after the one before it, and no list has two equal lists directly before it.
  [[{}, { path: '/pets?limit=1' }, {}, { begun: 2_000 }]],
  // Two 404, and the history needs five.
  [[{ status: 404 }, { status: 404 }, { path: '/pets/1', operation: 'getPet' }]],
];

test('the table of histories recognizes what came before a request, and mistakes no other request for a history', () => {
  for (const [steps, ...names] of HISTORIES) {
    const histories = new Histories();
    const found = steps.flatMap(({ status = 200, begun, error, ...ask }, index) =>
      histories.findHistoriesOf({
        ask: { operation: 'listPets', method: 'GET', path: '/pets', credential: 'key', ...ask },
        ...(error === undefined ? { response: { status } } : { response: null, error }),
        begun: begun ?? 10 * index,
        durationMs: 1,
        connection: 1,
      }),
    );
    expect(found, JSON.stringify(steps)).toEqual(names);
  }
  expect(new Set(HISTORY_NAMES).size).toBe(HISTORY_NAMES.length);
});
