/**
 * Tests of GET /store/orders: without the key it gets no success and no redirect. The document does not show its answers, so
 * another refusal than 401 is only a warning of `store-orders.unauthorized`: the rule `credentials` judges it. A 404 that the key
 * gets too, as at an unknown path, is no warning. A 401 must have an Error. `requireAsked` ends the test of a wrong key that is not sent
 * in this run (`onlyIf`), e.g. of a key with claims if the key is no JSON Web Token.
 */
import { classifyAnswer } from '../fixtures/asking/client/test-arguments.ts';
import { WRONG_KEYS } from '../fixtures/situations/credentials/wrong-keys.ts';
import { requireAsked, askOrders } from '../fixtures/asking/vocabulary/credential-request.ts';
import { findHeader } from '../fixtures/exchange/exchange.ts';
import { observes, test, verifies } from '../fixtures/test.ts';

/** A connection that never carries the key. */
const KEYLESS = 'orders without the key';

test.describe('GET /store/orders (Other endpoints)', () => {
  test(
    'is not served without a key',
    verifies('store-orders.missing-key', 'store-orders.error', 'store-orders.unauthorized'),
    async ({ args }) => {
      await askOrders(args, args.api.with({ credential: 'none', connection: KEYLESS }).storeOrders());
    },
  );

  for (const { title, credential, onlyIf } of Object.values(WRONG_KEYS).filter(
    ({ asked }) => asked.storeOrders > 0,
  ))
    test(
      `is not served with ${title}`,
      verifies('store-orders.wrong-key', 'store-orders.error', 'store-orders.unauthorized'),
      async ({ args }) => {
        requireAsked(args, onlyIf);
        await askOrders(args, args.api.with({ credential, connection: KEYLESS }).storeOrders());
      },
    );

  test('answers the key', observes('store-orders.with-key'), async ({ api, observe }) => {
    const exchange = await api.storeOrders();
    const mediaType = exchange.response
      ? (findHeader(exchange.response, 'content-type')?.split(';')[0] ?? 'no-type')
      : '';
    observe(exchange.response?.status === 200 ? `answers-200-${mediaType}` : classifyAnswer(exchange), [
      exchange,
    ]);
  });
});
