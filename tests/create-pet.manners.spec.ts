import { expectTaken, MANNERS } from '../fixtures/manners.ts';
import { test, verifies } from '../fixtures/test.ts';

test.describe('POST /pets, as ordinary clients send it', () => {
  for (const manner of MANNERS.filter(({ breaks }) => breaks === 'create-pet.plain-http')) {
    test(`takes ${manner.title}`, verifies('create-pet.plain-http'), async ({ args }) => {
      await expectTaken(args, manner);
    });
  }
});
