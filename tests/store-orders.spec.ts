import { word, type Args } from '../fixtures/client/test-arguments.ts';
import type { Call, Client } from '../fixtures/client/client.ts';
import { MALFORMED, WRONG } from '../fixtures/credentials/wrong-credentials.ts';
import { header, type Answer } from '../fixtures/exchange/exchange.ts';
import { statusLine } from '../fixtures/judgement/documented-answer.ts';
import type { RequirementId } from '../fixtures/interface/requirements.ts';
import { saysLater } from '../fixtures/exchange/retry-after.ts';
import { observes, test, verifies } from '../fixtures/test.ts';

/** A connection that never carries the key. */
const KEYLESS = 'orders without the key';

test.describe('GET /store/orders (Other endpoints)', () => {
  test('is not served without a key', verifies('store-orders.missing-key', 'store-orders.error', 'store-orders.unauthorized'), async ({ args }) => {
    await isNotServed(args, args.api.with({ credential: 'none', connection: KEYLESS }).storeOrders(), 'store-orders.missing-key');
  });

  test('is not served with another key', verifies('store-orders.wrong-key', 'store-orders.error', 'store-orders.unauthorized'), async ({ args }) => {
    await isNotServed(args, args.api.with({ credential: WRONG.another, connection: KEYLESS }).storeOrders(), 'store-orders.wrong-key');
  });

  for (const [title, credential] of [
    ['the key without its end', WRONG.withoutEnd],
    ['the key without its beginning', WRONG.withoutBeginning],
    ['the key under the scheme basic', MALFORMED.basic],
    ['the key as the user name of the scheme basic', MALFORMED.basicUser],
    ['the key without a scheme', MALFORMED.bareKey],
  ] as const) {
    test(`is not served with ${title}`, verifies('store-orders.wrong-key', 'store-orders.error', 'store-orders.unauthorized'), async ({ args }) => {
      await isNotServed(args, args.api.with({ credential, connection: KEYLESS }).storeOrders(), 'store-orders.wrong-key');
    });
  }

  test('is not served with the key in another letter case', verifies('store-orders.wrong-key', 'store-orders.error', 'store-orders.unauthorized'), async ({ args }) => {
    if (args.facts.key.caseMayNotMatter || args.facts.key.singleCase) args.scope.notApplicable('the letter case of this key may mean nothing');
    await isNotServed(args, args.api.with({ credential: WRONG.otherCase, connection: KEYLESS }).storeOrders(), 'store-orders.wrong-key');
  });

  test('answers the key', observes('store-orders.with-key'), async ({ api, observe }) => {
    const exchange = await api.storeOrders();
    const mediaType = exchange.response ? (header(exchange.response, 'content-type')?.split(';')[0] ?? 'no-type') : '';
    observe(exchange.response?.status === 200 ? `answers-200-${mediaType}` : word(exchange), [exchange]);
  });
});

/** No success and no redirect; 401 with an Error is expected, another refusal only not foreseen. */
async function isNotServed({ api, scope }: Args, call: Call, owner: RequirementId): Promise<void> {
  const { id, ask, response } = await call;
  if (response === null || saysLater(response) || response.status < 400 || response.status === 401) {
    await call.answers(401, 'Error', owner, 'store-orders.error');
    return;
  }
  if (response.status === 404 && (await isUnknownToKey(api, response))) return;
  const isMalformed = response.status === 400 && typeof ask.credential === 'object' && ask.credential.scheme !== 'Bearer';
  scope.warn([{ requirement: isMalformed ? 'authentication.malformed-credentials' : 'store-orders.unauthorized', expected: '401 with an Error', received: statusLine(response), pointer: null, evidence: [id] }]);
  await call.looksOpen();
}

/** Whether the key gets the same 404 here and at a path that nobody serves: it may lack the right to orders. */
async function isUnknownToKey(api: Client, { status }: Answer): Promise<boolean> {
  const [orders, unknown] = await Promise.all([api.storeOrders(), api.send('other', 'GET', '/unheard-of')]);
  return orders.response?.status === status && unknown.response?.status === status;
}
