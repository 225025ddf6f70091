/** Services that crash, ban, lock or refuse clients: promises that this affects are undecided, and all others are judged. */
import { expect } from '@playwright/test';
import { REFUSED_BY } from '../../../fixtures/interface/request-oracle.ts';
import { answerInstead, appendHeaders, changeReplies } from '../../../fixtures/implementations/operators.ts';
import { changeType, combineVaries, makePage } from '../../../fixtures/implementations/operators.ts';
import { matchBody, replaceStep } from '../../../fixtures/implementations/operators.ts';
import type { ClientName } from '../../../fixtures/exchange/client-headers.ts';
import { judgeOn } from '../samples/run-on.ts';
import { simulatedTest as test } from '../samples/simulated.ts';
import { judgeOf, type Story, type Entry } from '../histories/rows.ts';
import { countAtService } from '../samples/varied-reference.ts';

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
  // Takes `[]` as the name `none`. With seed 3 the first `[]` is in an odd request, whose 201 alone proves nothing.
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

test('a ban ends a run: failures before it stay, no answer after it is judged, and the reason says since when', async () => {
  // Bans everybody after two requests that look like an attack.
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
  // The number of an exchange: 40 for x40
  const numberOf = (id = '') => Number(id.slice(1));
  const isLater = (id: string) => numberOf(id) >= numberOf(since?.id);
  const decided = judged.findings.filter(({ verdict }) => verdict !== 'inconclusive');
  expect(decided.filter(({ evidence }) => evidence.some(isLater))).toEqual([]);
});

test('a lock for wrong keys leaves only promises about wrong keys undecided', async () => {
  // After three wrong keys, each wrong key gets 429.
  const vary = replaceStep('authenticate', (usual, service) => {
    let wrong = 0;
    return async (call) => {
      const refusal = await usual(call);
      const isWrongKey = refusal !== null && call.headers.authorization !== undefined;
      if (isWrongKey) wrong += 1;
      if (!isWrongKey || wrong <= 3) return refusal;
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

test('a client counts as refused if its plain requests are refused, and others get 2xx for the same', () => {
  const create = (name: string, categoryId: bigint | number, status: number): Entry => ({
    at: 0,
    method: 'POST',
    path: '/pets',
    sent: `{"name":"csmark${name}","categoryId":${categoryId}}`,
    status,
    body:
      status === 201 ? { id: 1, name: `csmark${name}`, categoryId } : { code: 'no', message: 'no', status },
  });
  const list = (path: string, status: number): Entry => ({ at: 0, path, status, body: [] });
  /** The clients that count as refused: `others` come first, then `client` sends the same request three times. */
  const listRefused = (client: ClientName, refusal: Entry, others: Story) => {
    const rows = [...others, ...Array.from({ length: 3 }, () => ({ ...refusal, client }))];
    return judgeOf(rows.map((each, at) => ({ ...each, at: at * 10 }))).model.refusedClients.listNames();
  };
  // `status`: what the same request gets from others. `names`: the clients that then count as refused.
  for (const plain of [create('aaaa', 1, 403), list('/pets?limit=1', 403)])
    for (const [status, names] of [
      [plain.method === 'POST' ? 201 : 200, ['curl']],
      [403, []],
    ] as const) {
      const other = plain.method === 'POST' ? create('bbbb', 1, status) : list('/pets?limit=1', status);
      expect(listRefused('curl', plain, [other])).toEqual(names);
      // A 500 to curl shows that curl is not refused.
      expect(listRefused('curl', plain, [other, { ...other, status: 500, client: 'curl' }])).toEqual([]);
    }
  // The service refuses this category to everybody: three equal bodies say nothing about the client.
  const large = create('cccc', 2n ** 53n + 1n, 400);
  expect(listRefused('Go net/http', large, [create('bbbb', 1, 201)])).toEqual([]);
});

test('a service without WWW-Authenticate conforms, and takes no more wrong keys and animals than another', async () => {
  const unchallenged = replaceStep('unauthorized', (usual) => (call) => {
    const { headers, ...reply } = usual(call);
    return { ...reply, headers: headers.filter(([name]) => name !== 'WWW-Authenticate') };
  });
  const [plain, odd] = [countAtService((Base) => Base), countAtService(unchallenged)];
  const usual = await judgeOn({ vary: plain.vary }, 'authentication.');
  const warned = await judgeOn({ vary: odd.vary }, 'authentication.');
  expect(warned.with('warn')).toEqual(['authentication.challenge']);
  expect([warned.exitCode, ...warned.with('inconclusive')]).toEqual([0]);
  expect(odd.seen.wrongKeys).toBe(plain.seen.wrongKeys);
  // MAX_WRONG_KEYS is 60, and a certification run sends two wrong keys more than this run (five more and three fewer). So one is left.
  expect(plain.seen.wrongKeys).toBeLessThanOrEqual(57);
  // Two animals more or fewer depend on which requests are under way together.
  expect(warned.animals).toBeLessThanOrEqual(usual.animals + 2);
});
