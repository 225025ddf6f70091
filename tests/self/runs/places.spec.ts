/** Behaviour of the pinned version of Playwright that the code depends on. */
import * as runner from '@playwright/test';
import { expect, mergeTests, test } from '@playwright/test';

test('of no tests merged the runner alone is left, without fixtures for a browser', () => {
  const { _baseTest: base } = runner as unknown as { _baseTest?: unknown };
  expect(mergeTests()).toBe(base);
});
