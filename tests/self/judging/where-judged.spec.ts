import { expect, test } from '@playwright/test';
import { locateRules } from '../../../bin/run/selection/where-judged.ts';
import { TESTED } from '../../../fixtures/interface/requirements.ts';

test('explain names a place for each promise, and none for a question', async () => {
  for (const id of TESTED) expect(await locateRules(id), id).not.toEqual([]);
  expect(await locateRules('list-pets.limit-zero')).toEqual([]);
});
