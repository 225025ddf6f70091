import { expectTaken, REQUEST_VARIANTS } from '../fixtures/vocabulary/request-variants.ts';
import { test, verifies } from '../fixtures/test.ts';

test.describe('POST /pets, as ordinary clients send it', () => {
  for (const variant of REQUEST_VARIANTS.filter(({ breaks }) => breaks === 'create-pet.plain-http')) {
    test(`takes ${variant.title}`, verifies('create-pet.plain-http'), async ({ args }) => {
      await expectTaken(args, variant);
    });
  }
});
