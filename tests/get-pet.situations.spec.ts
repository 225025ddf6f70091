/**
 * Tests of getPet in situations. A row of the plan (`listPlanRows`) is one request: the status of the animal, headers, and a
 * new or a kept connection. The seed of the run chooses the rows, so that every two levels meet. Rules judge the answers.
 * `eventually` repeats reads, because reads may lag.
 */
import type { PetStatus } from '../fixtures/interface/bodies.ts';
import { listPlanRows } from '../fixtures/situations/plan.ts';
import { test, verifies } from '../fixtures/test.ts';
import { connectClient, chooseHeaderOptions } from '../fixtures/asking/vocabulary/situation-requests.ts';

test.describe('GET /pets/{petId}, however it is asked', () => {
  for (const animal of ['available', 'pending', 'sold', 'without status'] as const)
    test(
      `shows an animal that is ${animal}`,
      verifies('get-pet.answers-200', 'get-pet.same-id'),
      async ({ eventually, facts, given, api }) => {
        const status = animal === 'without status' ? null : (animal satisfies PetStatus);
        for (const [index, row] of listPlanRows(facts.seed)
          .animals.filter((each) => each['animal'] === animal)
          .entries())
          await eventually(async () => {
            const { pet } = await given.pet(status);
            const client = connectClient(api, row, `${animal} ${index}`).with(chooseHeaderOptions(row));
            await client.getPet(pet.id).answers(200, 'Pet');
          });
      },
    );

  test(
    'answers 404 to an identifier that no animal has',
    verifies('get-pet.not-found'),
    async ({ api, facts }) => {
      for (const [index, row] of listPlanRows(facts.seed)
        .animals.filter(({ animal }) => animal === 'none')
        .entries()) {
        // Each row and each seed asks for another identifier near the end of int64.
        const call = connectClient(api, row, `none ${index}`)
          .with(chooseHeaderOptions(row))
          .getPet(2n ** 63n - 1_000n - BigInt(facts.seed % 100) - BigInt(index));
        // The call is sent once. An animal may have this identifier. `get-pet.identifiers.spec.ts` finds a service that invents animals.
        if ((await call).response?.status !== 200) await call.answers(404, 'Error');
      }
    },
  );
});
