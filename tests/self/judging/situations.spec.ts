import { expect, test } from '@playwright/test';
import {
  QUERIES,
  isCostly,
  type CredentialRow,
} from '../../../fixtures/situations/credentials/pairwise/factors.ts';
import { WRONG_KEYS, WRONG_KEY_NAMES } from '../../../fixtures/situations/credentials/wrong-keys.ts';
import { planCredential } from '../../../fixtures/situations/credentials/pairwise/credential-plan.ts';
import { DOCUMENTED_OPERATIONS, type Ask } from '../../../fixtures/exchange/exchange.ts';
import { HISTORY_NAMES, Histories } from '../../../fixtures/implementations/history-table.ts';
import { listPlanRows, type PlanRow } from '../../../fixtures/situations/plan.ts';
import { findBodyFlaws, type Pet } from '../../../fixtures/interface/bodies.ts';
import { Reference } from '../../../fixtures/reference/reference-service.ts';
import { serve } from '../../../fixtures/reference/serve.ts';
import { INVALID_BODIES } from '../../../fixtures/asking/vocabulary/situation-requests.ts';
import { classifyBody, type Template } from '../../../fixtures/asking/arbitraries/generated-bodies.ts';
import { classifyName } from '../../../fixtures/asking/arbitraries/names.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { PROJECT, run } from '../samples/installed.ts';
import { against, command } from '../samples/command.ts';

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
    const bodies = Object.keys(INVALID_BODIES);
    const lengths = Object.values(listPlanRows()).map(({ length }) => length);
    expect(lengths).toEqual([32, 20, 5 * bodies.length]);
    expect(levelsOf(listPlanRows().invalidBodies, 'body').toSorted()).toEqual(bodies.toSorted());
  });

  test('is met by a run: every pair is in a request @long', async () => {
    const { exitCode, out } = await run(process.execPath, ['dist/bin/prove/met-pairs.js'], { cwd: PROJECT });
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringMatching(/(\d+) of \1 /) });
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

// A run on the reference (`exit-codes.spec.ts`) shows that it keeps its promises. This is what no promise is about.
const KEY = 'key-of-the-self-test';

/** Serves the reference, or what is made of it, while the body runs. */
async function serving(Service: typeof Reference, body: (ask: typeof fetch) => Promise<void>) {
  const served = await serve({ key: KEY, Service });
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  await body((path, init) => fetch(`${served.baseUrl}${String(path)}`, { headers, ...init }));
  await served.close();
}

async function expectError(answer: Response, status: number) {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json']);
  const body = (await answer.json()) as { status: number };
  expect([findBodyFlaws('Error', body as never), body.status]).toEqual([[], status]);
}

test('a body beyond the limit is refused to its end, and the connection goes on', () =>
  serving(Reference, async (ask) => {
    const body = `{"name":"${'x'.repeat(3_000_000)}","categoryId":1}`;
    await expectError(await ask('/pets', { method: 'POST', body }), 413);
    expect(await (await ask('/pets')).text()).toBe('[]');
  }));

test('a step that breaks is answered 500 with an Error', () => {
  class Breaking extends Reference {
    override order(): Pet[] {
      throw new Error('broken');
    }
  }
  return serving(Breaking, async (ask) => expectError(await ask('/pets'), 500));
});

test('close cuts connections that are waiting', async () => {
  class Closing extends Reference {
    override async deliver() {
      void served.close();
    }
  }
  const served = await serve({ key: KEY, Service: Closing });
  const headers = { authorization: `Bearer ${KEY}` };
  await expect(fetch(`${served.baseUrl}/pets`, { headers })).rejects.toThrow('fetch failed');
});

// A smallest input has nothing that could be left out, and says what class of value it is.

const body = (members: Record<string, string>): Template =>
  Object.entries({ name: '$name', categoryId: '$category', ...members });

for (const [template, kind] of [
  [body({ categoryId: 'null' }), 'null as categoryId'],
  [body({ categoryId: '1.5' }), 'a number with a fraction as categoryId'],
  [body({ categoryId: '9223372036854775808' }), 'a number beyond int64 as categoryId'],
  [body({ name: '[]' }), 'an array as name'],
  [body({ status: '" sold"' }), 'a string with a blank at its end as status'],
  [[['name', '$name']], 'no categoryId'],
] as [Template, string][]) {
  test(`the class of a body: ${kind}`, () => expect(classifyBody(template)).toBe(kind));
}

for (const [name, kind] of [
  ['Rex', 'a name of plain characters'],
  ['a'.repeat(60), 'a name of 60 characters'],
  ['Rex\u0007', 'a name with a control character'],
  ['<b>Ä', 'a name with characters of markup and a character beyond ASCII'],
  ['🐕', 'a name with a character beyond the first plane of Unicode and a character beyond ASCII'],
  ['\ud800', 'a name with half of a surrogate pair and a character beyond ASCII'],
] as const) {
  test(`the class of a name: ${kind}`, () => expect(classifyName(name)).toBe(kind));
}

test('the smallest input of a run has no member that could be left out @long', async () => {
  const fault = FAULTS.find(({ id }) => id === 'create-pet.category-id-integer-answers-422');
  if (fault === undefined) throw new Error('the fault is not there any more');
  await against(fault.vary, async (target) => {
    const failedIn = async (...args: string[]) =>
      (await command('conformance', args, target)).report?.requirements.find(
        ({ id, verdict }) => id === fault.breaks && verdict === 'fail',
      );
    // the counterexample alone: a plain example may have been first
    const failed = await failedIn('--replay', (await failedIn('--only', fault.breaks))?.replay ?? '');
    expect(failed?.input).toMatchObject({ isSmallest: true });
    expect(failed?.input?.text).toMatch(
      /^POST \/pets \{("name":"\w+","categoryId":[^,{}]+|"categoryId":[^,{}]+,"name":"\w+")\} \(a number .* as categoryId\)$/,
    );
  });
});
