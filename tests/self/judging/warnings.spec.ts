import { expect, test } from '@playwright/test';
import { replaceStep } from '../../../fixtures/implementations/operators.ts';
import {
  KEPT_FOR_LAST,
  KEPT_FOR_MUSTS,
  WrongKeyBudget,
} from '../../../fixtures/session/dispatch/wrong-key-budget.ts';
import { counted } from '../samples/counted.ts';
import { judgeOn } from '../samples/run-on.ts';

test('a service without WWW-Authenticate conforms, and takes no more wrong keys and animals than another', async () => {
  const unchallenged = replaceStep('unauthorized', (usual) => (call) => {
    const { headers, ...reply } = usual(call);
    return { ...reply, headers: headers.filter(([name]) => name !== 'WWW-Authenticate') };
  });
  const [plain, odd] = [counted((Base) => Base), counted(unchallenged)];
  const usual = await judgeOn({ vary: plain.vary }, 'authentication.');
  const warned = await judgeOn({ vary: odd.vary }, 'authentication.');
  expect(warned.with('warn')).toEqual(['authentication.challenge']);
  expect([warned.exitCode, ...warned.with('inconclusive')]).toEqual([0]);
  expect(odd.seen.wrongKeys).toBe(plain.seen.wrongKeys);
  // under certification it presents five more and three fewer, and MAX_WRONG_KEYS is 60
  expect(plain.seen.wrongKeys).toBeLessThanOrEqual(57);
  expect(warned.animals).toBeLessThanOrEqual(usual.animals + 2);
});

const take = async (keys: WrongKeyBudget, onlyShould: boolean) => keys.takeKey(onlyShould);

test('what should be kept takes no wrong key that a must may need', async () => {
  const keys = new WrongKeyBudget(KEPT_FOR_MUSTS + 1);
  keys.takeKey(true);
  await expect(take(keys, true)).rejects.toMatchObject({
    reason: { variable: 'MAX_WRONG_KEYS', onlyShould: true },
  });
  for (let taken = 0; taken < KEPT_FOR_MUSTS; taken += 1) keys.takeKey(false);
  await expect(take(keys, false)).rejects.toMatchObject({
    reason: { variable: 'MAX_WRONG_KEYS', onlyShould: false },
  });
});

test('the last phase finds wrong keys, whatever went before', async () => {
  let isLast = false;
  const kept = KEPT_FOR_LAST.certification;
  const keys = new WrongKeyBudget(60, () => (isLast ? 0 : kept));
  for (let taken = 0; taken < 60 - kept; taken += 1) keys.takeKey(false);
  await expect(take(keys, false)).rejects.toMatchObject({ reason: { variable: 'MAX_WRONG_KEYS' } });
  isLast = true;
  for (let taken = 0; taken < kept; taken += 1) keys.takeKey(false);
  await expect(take(keys, false)).rejects.toMatchObject({ reason: { variable: 'MAX_WRONG_KEYS' } });
});
