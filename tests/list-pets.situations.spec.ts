import type { Client } from '../fixtures/client/client.ts';
import type { Exchange } from '../fixtures/exchange/exchange.ts';
import { listPlanRows, type PlanRow } from '../fixtures/situations/plan.ts';
import { test, verifies } from '../fixtures/test.ts';
import {
  connectClient,
  chooseHeaderOptions,
  writeRowQuery,
} from '../fixtures/vocabulary/situation-requests.ts';

test.describe('GET /pets, however it is asked', () => {
  // The rules `limits` and `filters` judge limits and filters in every list.
  test('answers 200 with an array', verifies('list-pets.answers-200'), async ({ api, examples, facts }) => {
    await Promise.all(
      examples(listPlanRows(facts.seed).lists).map((row, index) =>
        servedAs(connectClient(api, row, `list ${index}`), row, writeRowQuery(row, facts.seed + index)),
      ),
    );
  });
});

/** Demands 200, unless the usual list gets no 200 either: other tests judge that. */
async function servedAs(api: Client, row: PlanRow, query: string): Promise<void> {
  const call = api.with(chooseHeaderOptions(row)).listPets(query);
  const isServed = (exchange: Exchange) => exchange.response?.status === 200;
  if (isServed(await call) || isServed(await api.listPets(query))) await call.answers(200, 'Pets');
}
