/** Tests of a quick run that ask for store orders without the key. They need no animal, so they run beside the first lists. */
import { MALFORMED, WRONG } from '../../fixtures/situations/credentials/wrong-credentials.ts';
import { test, verifies } from '../../fixtures/test.ts';
import { expectOrdersRefused } from '../../fixtures/asking/vocabulary/orders-refused.ts';

test.describe('Quick: orders', () => {
  for (const [title, credential, promise] of [
    ['without a key', 'none', 'store-orders.missing-key'],
    ['with another key', WRONG.another, 'store-orders.wrong-key'],
    ['with the key without its end', WRONG.withoutEnd, 'store-orders.wrong-key'],
    ['with the key as the user name of basic', MALFORMED.basicUser, 'store-orders.wrong-key'],
    ['with the key without a scheme', MALFORMED.bareKey, 'store-orders.wrong-key'],
  ] as const)
    test(
      `are not served ${title}`,
      verifies.at('opening-reads', promise, 'store-orders.error', 'store-orders.unauthorized'),
      async ({ args }) => {
        const client = args.api.with({ credential, connection: `orders ${title}` });
        await expectOrdersRefused(args, client.storeOrders(), promise);
      },
    );
});
