import { expect, test } from '@playwright/test';
import { attack } from '../../../bin/prove/hostile/attack.ts';
import { HOSTILE } from '../../../fixtures/implementations/hostile/index.ts';

/** Of two kinds one; `npm run prove` runs all. */
const FAST = ['closes-at-once', 'gzip-bomb'];

test.describe('a run ends in time, small, with its report and its key, at a target that', () => {
  for (const id of FAST) {
    test(id, async () => {
      const hostile = HOSTILE.find((each) => each.id === id);
      if (hostile === undefined) throw new Error(`the battery has no ${id}`);
      expect((await attack(hostile)).problems).toEqual([]);
    });
  }
});

test('the battery has at least forty targets, each with a name of its own', () => {
  expect(HOSTILE.length).toBeGreaterThanOrEqual(40);
  expect(new Set(HOSTILE.map(({ id }) => id)).size).toBe(HOSTILE.length);
});
