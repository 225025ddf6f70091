/**
 * Test of listPets in situations. A row of the plan (`listPlanRows`) is one request: limit, status, spelling, headers, and a
 * new or a kept connection. The seed of the run chooses the rows, so that every two of these meet.
 */
import type { Client } from '../fixtures/asking/client/client.ts';
import type { Exchange } from '../fixtures/exchange/exchange.ts';
import { listPlanRows, type PlanRow } from '../fixtures/situations/plan.ts';
import { test, verifies } from '../fixtures/test.ts';
import {
  connectClient,
  chooseHeaderOptions,
  writeRowQuery,
} from '../fixtures/asking/vocabulary/situation-requests.ts';

test.describe('GET /pets, however it is asked', () => {
  // This test demands only 200 with an array. The rules `limits` and `filters` judge the rows of every list.
  test('answers 200 with an array', verifies('list-pets.answers-200'), async ({ api, facts }) => {
    await Promise.all(
      listPlanRows(facts.seed).lists.map((row, index) =>
        expectServed(connectClient(api, row, `list ${index}`), row, writeRowQuery(row, facts.seed + index)),
      ),
    );
  });
});

/** Demands 200 for the query with the headers of the row. If the query with usual headers gets no 200 either, other tests fail. */
async function expectServed(api: Client, row: PlanRow, query: string): Promise<void> {
  const call = api.with(chooseHeaderOptions(row)).listPets(query);
  const isServed = (exchange: Exchange) => exchange.response?.status === 200;
  if (isServed(await call) || isServed(await api.listPets(query))) await call.answers(200, 'Pets');
}
