/**
 * Test of listPets in situations. A row of the plan (`listPlanRows`) is one request: limit, status, spelling, headers, and a
 * new or a kept connection. The seed of the run chooses the rows, so that each value of one column meets each value of another one. It also
 * chooses the limit of a row whose level has several, e.g. 5 of `2 to 19`.
 * The test only sends: the rules `limits` and `filters` judge the rows of every list, and other rules the status.
 */
import { listPlanRows } from '../fixtures/situations/plan.ts';
import { test, verifies } from '../fixtures/test.ts';
import {
  connectClient,
  chooseHeaderOptions,
  writeRowQuery,
} from '../fixtures/asking/vocabulary/situation-requests.ts';

test.describe('GET /pets, however it is asked', () => {
  test('answers 200 with an array', verifies('list-pets.answers-200'), async ({ api, facts }) => {
    await Promise.all(
      listPlanRows(facts.seed).lists.map((row, index) =>
        connectClient(api, row, `list ${index}`)
          .with(chooseHeaderOptions(row))
          .listPets(writeRowQuery(row, Math.abs(facts.seed) + index)),
      ),
    );
  });
});
