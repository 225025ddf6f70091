import { ROWS } from '../fixtures/situations/plan.ts';
import { test, verifies } from '../fixtures/test.ts';
import { mannerOf, queryOf } from '../fixtures/vocabulary/situation-requests.ts';

test.describe('GET /pets, however it is asked', () => {
  // limits and filters are judged in every list that is answered
  test('answers 200 with an array', verifies('list-pets.answers-200'), async ({ api, facts }) => {
    await Promise.all(
      ROWS.lists.map((row, index) =>
        api
          .with(mannerOf(row))
          .listPets(queryOf(row, facts.seed + index))
          .answers(200, 'Pets'),
      ),
    );
  });
});
