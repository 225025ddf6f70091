import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { SETTINGS, judgeServed, serveVariant } from '../../../fixtures/implementations/judge-variant.ts';
import { findNamed } from '../../../fixtures/implementations/others/named.ts';
import { listOtherServices, startOther } from '../../../fixtures/implementations/others/service.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';
import { DOORS } from '../../../fixtures/interface/doors.ts';
import { REQUIREMENTS, SILENCES } from '../../../fixtures/interface/requirements.ts';
import { REFUSED_BY, explainInvalidBody } from '../../../fixtures/interface/request-oracle.ts';
import { answerInstead, appendHeaders, changeReplies } from '../../../fixtures/implementations/operators.ts';
import { changeType, combineVaries, makePage } from '../../../fixtures/implementations/operators.ts';
import { matchBody, replaceStep } from '../../../fixtures/implementations/operators.ts';
import type { ClientName } from '../../../fixtures/exchange/client-headers.ts';
import { Budget, FOR_LAST_PHASE, KEPT_FOR_MUSTS } from '../../../fixtures/session/dispatch/budget.ts';
import { readJson, writeJson } from '../../../fixtures/exchange/json.ts';
import { isInt64Text, type Pet } from '../../../fixtures/interface/bodies.ts';
import type { Vary } from '../../../fixtures/reference/reference-service.ts';
import type { Ask } from '../../../fixtures/exchange/exchange.ts';
import { readListQuery } from '../../../fixtures/interface/list-query.ts';
import { QUICK } from '../../../fixtures/settings/profiles.ts';
import { Engine } from '../../../fixtures/session/engine.ts';
import { Connections } from '../../../fixtures/judgement/store/connections.ts';
import { drawMark } from '../../../fixtures/judgement/store/run-mark.ts';
import { openWire } from '../../../fixtures/session/transport/transport.ts';
import { ASKS_ALL, judgeOn, runOn, verifying } from '../samples/run-on.ts';
import { simulatedTest as test } from '../samples/simulated.ts';
import { judgeOf, type Told } from '../histories/rows.ts';
import { counted } from '../samples/command.ts';
import { exchangeWith } from '../samples/sample-reports.ts';

/** A service of other make that needs no more than this project installs; the proof judges all of them. */
const SERVICE = listOtherServices().find(({ name }) => name === 'hono')!;

test(`of a service in ${SERVICE.title} every defect is named, and nothing else`, async () => {
  // `npm test` mends most of them, and asks only the promises that the others break
  const isLeft = ({ name }: { name: string }) => ASKS_ALL || /^(null-body|category-r|malformed)/.test(name);
  const defects = SERVICE.defects.filter(isLeft);
  const mended = SERVICE.defects.filter((each) => !isLeft(each)).map(({ name }) => name);
  const key = drawKey();
  const { baseUrl, close } = await startOther(SERVICE.name, { key, mended });
  const broken = new Set(defects.flatMap(({ requirements: ids }) => ids));
  const asked = (await collectSuite()).filter(
    ({ declared }) => ASKS_ALL || declared.verifies.some((id) => broken.has(id)),
  );
  const { findings, exchanges } = await judgeServed({ baseUrl, key }, asked);
  await close();
  const requirements = makeResults(findings);
  const shown = exchanges(requirements.flatMap(({ evidence }) => evidence));
  const { missed, other } = findNamed({ requirements, exchanges: shown }, defects);
  expect({ missed, other }).toEqual({ missed: [], other: [] });
});

test('a failure that two defects explain names the one whose status was answered', () => {
  const defects = [201, 400].map((status) => ({
    name: `answered ${status}`,
    requirements: ['create-pet.name-type'],
    what: '',
    shown: { requests: [], answer: { status } },
  }));
  const exchange = (id: string, status: number) => ({ id, response: { status } }) as never;
  const failed = (id: string, evidence: string[]) =>
    ({ id, level: 'must', verdict: 'fail', received: null, evidence }) as const;
  const exchanges = [exchange('a', 201), exchange('b', 400)];
  const named = (id: string, evidence: string[]) =>
    findNamed({ requirements: [failed(id, evidence)], exchanges }, defects);
  expect(named('create-pet.name-type', ['b']).named).toEqual(['answered 400']);
  expect(named('create-pet.name-type', ['a']).missed).toEqual(['answered 400']);
  expect(named('create-pet.kept', ['a']).other).toEqual(['create-pet.kept (undefined)']);
});

test('bad bodies that end in a server error use up no budget, so that all others are judged', async () => {
  const isEmptyObject = matchBody(/^\s*\{\s*\}\s*$/);
  const vary = changeReplies(
    ({ status }, call) => status === 400 && call.method === 'POST' && !isEmptyObject(call),
    () => ({ status: 500, body: '{"code":"internal","message":"it did not check the body","status":500}' }),
  );
  const judged = await judgeOn({ vary, settings: { maxBadAnimals: 16 } }, ...REFUSED_BY);
  expect(judged.with('fail')).toContain('create-pet.body-malformed');
  expect(judged.with('fail')).not.toContain('create-pet.empty-object');
  expect(judged.with('inconclusive').filter((id) => (REFUSED_BY as readonly string[]).includes(id))).toEqual(
    [],
  );
});

test('a wrong value that was taken in an odd request is sent once more in the usual way', async () => {
  const vary = replaceStep(
    'checkName',
    (usual) => (value) => (Array.isArray(value) && value.length === 0 ? 'none' : usual(value)),
  );
  const judged = await judgeOn({ vary, settings: { seed: 3 } }, 'create-pet.name-type');
  expect(judged.with('fail')).toContain('create-pet.name-type');
});

test('a body that never gets an answer leaves its promise undecided, whatever other bodies get @simulated', async () => {
  const vary = answerInstead(
    'createPet',
    ({ bytes }) => !isJson(Buffer.from(bytes).toString()),
    () => new Promise(() => undefined),
  );
  const judged = await judgeOn({ vary, timeout: 2_000 }, 'create-pet.body-');
  expect(judged.with('fail')).toEqual([]);
  expect(judged.with('inconclusive')).toContain('create-pet.body-malformed');
  expect(judged.with('inconclusive')).not.toContain('create-pet.body-not-object');
});

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

test('a body that must be refused is of one kind', () => {
  for (const [body, kind] of [
    ['{"name":7,"categoryId":1}', 'create-pet.name-type: number'],
    ['{"name":"Rex","categoryId":"1"}', 'create-pet.category-id-type: digits in a text'],
    ['{"name":"Rex","categoryId":1,"status":"SOLD"}', 'create-pet.status-values: letter case'],
    [
      '{"name":"Rex","categoryId":1,"status":" sold"}',
      'create-pet.status-values: text with blanks at its ends',
    ],
    ['{"title":"Rex","categoryId":1}', 'create-pet.other-members: title,categoryId'],
    ['[]', 'create-pet.body-not-object: array, empty'],
    ['name', 'create-pet.body-malformed: no object'],
    ['{"name":"Rex","categoryId":1}', undefined],
    ['{"NAME":7,"categoryId":1}', undefined],
    ['{"name":"Rex","name":7,"categoryId":1}', 'several'],
    ['{"name":7,"categoryId":1,"age":2}', 'create-pet.name-type: number, beside another member'],
    ['{"name":7,"categoryId":"1","age":2}', 'several'],
  ] as const)
    expect(explainInvalidBody(body)?.kind, body).toBe(kind);
  expect(REFUSED_BY.filter((id) => REQUIREMENTS[id] === undefined)).toEqual([]);
});

test('what failed before a target turned away stays failed, nothing after it is judged, and the reason tells since when', async () => {
  // bans whoever has sent so many requests that look like an attack
  const firewall = replaceStep('answer', (usual) => {
    let odd = 0;
    return async (call) => {
      if (/%00|%FF|abc/.test(call.incoming.url ?? '')) odd += 1;
      return odd > 1 ? makePage(403) : usual(call);
    };
  });
  const plainText = changeType(() => true, 'text/plain');
  const judged = await judgeOn({ vary: combineVaries(plainText, firewall) }, 'list-pets.', 'errors.');
  expect([judged.exitCode, judged.with('fail')]).toEqual([
    1,
    expect.arrayContaining(['representation.media-type']),
  ]);
  expect(judged.reason).toMatch(
    /; then the run stopped: .*refuses a plain list with the right key \(403 Forbidden\) since [A-Z]+ \S+ \(x\d+, /,
  );
  const since = judged.stopped !== null && 'since' in judged.stopped ? judged.stopped.since : null;
  const last = Number(since?.id.slice(1));
  const isLater = (id: string) => Number(id.slice(1)) >= last;
  expect(
    judged.findings.filter(({ verdict, evidence }) => verdict !== 'inconclusive' && evidence.some(isLater)),
  ).toEqual([]);
});

test('a lock that outlasts the bound leaves undecided what needs wrong keys, and nothing else', async () => {
  const vary = replaceStep('authenticate', (usual, service) => {
    let wrong = 0;
    return async (call) => {
      const refusal = await usual(call);
      if (refusal === null || call.headers.authorization === undefined || (wrong += 1) <= 3) return refusal;
      const reply = service.error(429, 'too-many', 'too many wrong keys', call);
      return appendHeaders(reply, ['Retry-After', '3600']);
    };
  });
  const asked = ['authentication.changed-key', 'authentication.create', 'create-pet.name'];
  const judged = await judgeOn({ vary, settings: { maxInFlight: 1 } }, ...asked);
  expect(judged.with('fail')).toEqual([]);
  expect(judged.stopped).toBeNull();
  expect(judged.with('inconclusive')).toContain('authentication.changed-key');
  expect(judged.with('inconclusive').filter((id) => id.startsWith('create-pet.name'))).toEqual([]);
});

test('a client is refused if plain requests are, and others are served the same', () => {
  const create = (name: string, categoryId: bigint | number, status: number): Told => ({
    at: 0,
    method: 'POST',
    path: '/pets',
    sent: `{"name":"csmark${name}","categoryId":${categoryId}}`,
    status,
    body:
      status === 201 ? { id: 1, name: `csmark${name}`, categoryId } : { code: 'no', message: 'no', status },
  });
  const list = (path: string, status: number): Told => ({ at: 0, path, status, body: [] });
  const refusedTo = (client: ClientName, told: Told, others: readonly Told[]) => {
    const rows = [...others, ...Array.from({ length: 3 }, () => ({ ...told, client }))];
    return judgeOf(rows.map((each, at) => ({ ...each, at: at * 10 }))).model.refusedClients.listNames();
  };
  for (const plain of [create('aaaa', 1, 403), list('/pets?limit=1', 403)])
    for (const [status, names] of [
      [plain.method === 'POST' ? 201 : 200, ['curl']],
      [403, []],
    ] as const) {
      const toOthers = plain.method === 'POST' ? create('bbbb', 1, status) : list('/pets?limit=1', status);
      expect(refusedTo('curl', plain, [toOthers])).toEqual(names);
      expect(refusedTo('curl', plain, [toOthers, { ...toOthers, status: 500, client: 'curl' }])).toEqual([]);
    }
  // The service refuses this category to everybody: three equal bodies say nothing about the client.
  const large = create('cccc', 2n ** 53n + 1n, 400);
  expect(refusedTo('Go net/http', large, [create('bbbb', 1, 201)])).toEqual([]);
});

test('a service without WWW-Authenticate conforms, and takes no more wrong keys and animals than another', async () => {
  const unchallenged = replaceStep('unauthorized', (usual) => (call) => {
    const { headers, ...reply } = usual(call);
    return { ...reply, headers: headers.filter(([name]) => name !== 'WWW-Authenticate') };
  });
  const [plain, odd] = [counted((Base) => Base), counted(unchallenged)];
  const usual = await judgeOn({ vary: plain.vary }, 'authentication.');
  const warned = await judgeOn({ vary: odd.vary }, 'authentication.');
  expect(warned.with('warn')).toEqual(['authentication.challenge']);
  expect([warned.exitCode, ...warned.with('inconclusive')]).toEqual([0]);
  expect(odd.seen.wrongKeys).toBe(plain.seen.wrongKeys);
  // under certification it presents five more and three fewer, and MAX_WRONG_KEYS is 60
  expect(plain.seen.wrongKeys).toBeLessThanOrEqual(57);
  expect(warned.animals).toBeLessThanOrEqual(usual.animals + 2);
});

const WRONG: Ask['credential'] = { scheme: 'Bearer', edits: [{ edit: 'word', word: 'wrong' }] };
const take = async (budget: Budget, onlyShould: boolean) =>
  budget.spendWrongKey({ credential: WRONG, onlyShould });

const budgetOf = (maxWrongKeys: number, run = { isLastPhase: true }) =>
  new Budget({ maxWrongKeys, profile: 'certification' } as never, run as never);

test('what should be kept takes no wrong key that a must may need, and MAX_WRONG_KEYS=0 leaves none', async () => {
  await expect(take(budgetOf(0), false)).rejects.toMatchObject({ reason: { limit: 0 } });
  const budget = budgetOf(KEPT_FOR_MUSTS + 1);
  await take(budget, true);
  await expect(take(budget, true)).rejects.toMatchObject({
    reason: { variable: 'MAX_WRONG_KEYS', onlyShould: true },
  });
  for (let taken = 0; taken < KEPT_FOR_MUSTS; taken += 1) await take(budget, false);
  await expect(take(budget, false)).rejects.toMatchObject({
    reason: { variable: 'MAX_WRONG_KEYS', onlyShould: false },
  });
});

test('the last phase finds wrong keys, whatever went before', async () => {
  const [run, kept] = [{ isLastPhase: false }, FOR_LAST_PHASE.certification.wrongKeys];
  const budget = budgetOf(60, run);
  for (let taken = 0; taken < 60 - kept; taken += 1) await take(budget, false);
  await expect(take(budget, false)).rejects.toMatchObject({ reason: { variable: 'MAX_WRONG_KEYS' } });
  run.isLastPhase = true;
  for (let taken = 0; taken < kept; taken += 1) await take(budget, false);
  await expect(take(budget, false)).rejects.toMatchObject({ reason: { variable: 'MAX_WRONG_KEYS' } });
});

/** Requests that take their turns are 20 ms apart. */
const APART = { maxRps: 50 };

/** Judges a variant by the tests of equal bodies. */
async function resultOn(vary: Vary, settings: Parameters<typeof judgeOn>[0]['settings'] = {}) {
  const { results } = await judgeOn({ vary, settings }, 'create-pet.equal-pets');
  return results.find(({ id }) => id === 'create-pet.equal-pets');
}

/** Makes one animal of two equal bodies that it works on at the same time: each takes two turns of its loop. */
const joining = replaceStep('create', (usual) => {
  const making = new Map<string, Promise<Pet>>();
  return async (newPet, sent) => {
    const key = writeJson({ ...newPet });
    const made =
      making.get(key) ??
      nextTurn()
        .then(nextTurn)
        .then(() => usual(newPet, sent));
    making.set(key, made);
    return made.finally(() => making.delete(key));
  };
});

test('two equal bodies are written in the same moment: a service that joins what overlaps by two turns of its loop fails', async () => {
  expect(await resultOn(joining, { ...APART, maxRequests: 200 })).toMatchObject({
    verdict: 'fail',
    received: expect.any(String),
  });
});

test('two equal bodies that may not be under way together decide the promise in part', async () => {
  const result = await resultOn((Base) => Base, { maxInFlight: 1 });
  expect(result).toMatchObject({
    verdict: 'pass',
    partial: { reason: expect.stringContaining('not under way at the same time') as unknown },
  });
});

// A value that a broken service shows is never sent back to it: no request leaves the documented ranges by accident.

/** Tests with these purposes ask what the document leaves open. */
const OPEN: ReadonlySet<string | undefined> = new Set([
  ...Object.keys(SILENCES),
  'authentication.invalid-and-keyless',
  'errors.no-server-error',
  'errors.undocumented',
]);

/** Lists that are sent without the key, because a guard may take them for a file or a health check. */
const QUERIES_OF_DOORS = new Set(DOORS.map(({ query }) => `/pets?${query}`));

/** True if the request has a limit, a status, an identifier or a category that the document does not permit. */
function isOutside({ operation, path, body, creates, purpose }: Ask): boolean {
  if (operation === 'listPets') return readListQuery(path) === null && !QUERIES_OF_DOORS.has(path);
  if (operation === 'getPet') return !isInt64Text(path.slice('/pets/'.length).split('?')[0] ?? '');
  // With a purpose, a body is wrong on purpose.
  return purpose === undefined && creates === true && explainInvalidBody(String(body)) !== null;
}

/** Shows one animal more than a limit, more animals than any limit, values outside int64, and identifiers near its end. */
const outsized: Vary = (Base) =>
  class extends Base {
    override lastId = 2n ** 63n;

    override async start(): Promise<void> {
      await super.start();
      for (let id = 2n ** 63n; id < 2n ** 63n + 130n; id += 1n)
        this.animals.set(id, { id, name: `pet ${id}`, categoryId: id, status: 'lost' } as unknown as Pet);
    }

    override async nextId(): Promise<bigint> {
      return (this.lastId -= 1n);
    }

    override page(pets: Pet[], limit: number): Pet[] {
      return pets.slice(0, limit + 1);
    }
  };

for (const [kind, settings] of [
  ['whole', {}],
  ['quick', { profile: 'quick', maxRequests: QUICK.requests }],
] as const)
  test(`a ${kind} run sends no value outside the documented ranges by accident`, async () => {
    const tests = await collectSuite();
    const asked = verifying(...(ASKS_ALL ? [] : ['list-pets.limit', 'list-pets.status', 'get-pet.']));
    const { all } = await runOn({ vary: outsized, settings }, tests.filter(asked));
    const outside = all().filter(({ ask }) => !OPEN.has(ask.purpose) && isOutside(ask));
    expect(outside.map(({ ask: { path, body, purpose } }) => [path, body, purpose])).toEqual([]);
  });

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

/** Megabytes that are in use after a collection. */
function used(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

test('answers nested 1,000,000 deep are not kept: by their connection, or by the error that reading them gives', () => {
  const before = used();
  const connections = new Connections();
  const errors: unknown[] = [];
  for (let index = 0; index < 100; index += 1) {
    const status = index % 2 === 0 ? 200 : 404;
    connections.take(
      exchangeWith({ status, body: Buffer.alloc(2_000_000, '[') }, { id: `x${index}`, connection: index }),
    );
    try {
      readJson(`${index} ${'['.repeat(1_000_000)}`.slice(String(index).length));
    } catch (error) {
      errors.push(error);
    }
  }
  expect([errors.length, connections.findRefusedBefore('x1')]).toEqual([100, undefined]);
  expect(used() - before).toBeLessThan(30);
});

test('a test that waits with many such answers holds their beginnings', async () => {
  const key = drawKey();
  const body = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
  const served = await serveVariant({
    key,
    vary: changeReplies(
      () => true,
      () => ({ body }),
    ),
  });
  const wire = openWire({ origin: new URL(served.baseUrl), timeout: 60_000, network: SETTINGS.network });
  const engine = new Engine({ ...SETTINGS, baseUrl: served.baseUrl, key, seed: 1 }, wire, drawMark());
  const held = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((limit) =>
      engine.send({ operation: 'listPets', method: 'GET', path: `/pets?limit=${limit}`, credential: 'key' }),
    ),
  );
  wire.close();
  await served.close();
  expect(held.map(({ response }) => (response?.body.buffer.byteLength ?? 0) < 100_000)).toEqual(
    held.map(() => true),
  );
  expect(held.map(({ response }) => response?.status)).toEqual(held.map(() => 200));
});
