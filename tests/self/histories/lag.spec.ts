/** How long reads were behind writes, as far as answers prove it. */
import { expect, test } from '@playwright/test';
import { measureLag } from '../../../fixtures/judgement/store/presence.ts';
import { added, found, judgeOf, list, missing, rex, type Told } from './rows.ts';

const REX = rex(1);
const lagOf = (told: readonly Told[]) => measureLag(judgeOf(told).presence.histories());

test('the last read that lacked an animal says how long reads were behind, whenever it was shown', () => {
  const behind = [added(0, REX), list(20, []), list(35, [])];
  for (const shownAt of [40, 90]) expect(lagOf([...behind, list(shownAt, [REX])])).toBe(30);
  expect(lagOf([added(0, REX), missing(25, REX), found(80, REX)])).toBe(20);
});

test('an animal that is shown at once, or gone, proves no lag', () => {
  expect(lagOf([added(0, REX), list(20, [REX]), list(35, [REX])])).toBeNull();
  expect(lagOf([added(0, REX), list(20, [REX]), list(35, []), list(400, [])])).toBeNull();
});
