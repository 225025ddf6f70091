import { expectTaken, REQUEST_VARIANTS } from '../fixtures/vocabulary/request-variants.ts';
import { test, verifies } from '../fixtures/test.ts';

test.describe('POST /pets, as ordinary clients send it', () => {
  for (const manner of REQUEST_VARIANTS.filter(({ breaks }) => breaks === 'create-pet.plain-http')) {
    test(`takes ${manner.title}`, verifies('create-pet.plain-http'), async ({ args }) => {
      await expectTaken(args, manner);
    });
  }
});
