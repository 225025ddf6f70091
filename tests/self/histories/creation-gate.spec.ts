/** The gate of createPet: at three sizes of the store (14, 45 and 90 animals) createPets wait until lists show all added animals. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { makeCreationGate } from '../../../fixtures/session/creation-gate.ts';

/** A createPet that ends at once. */
const endAtOnce = () => Promise.resolve();

test('at a few sizes of the store all createPets wait, together, for one list; at other sizes none waits', async () => {
  let size = 0;
  /** How often the gate has asked for the lists. */
  let asked = 0;
  /** Ends the reading of lists: it lasts until the test calls this. */
  let done = (): void => undefined;
  const addOneMore = makeCreationGate(
    () => size,
    () => {
      asked += 1;
      return new Promise((resolve) => (done = resolve));
    },
  );
  await addOneMore(endAtOnce);
  expect(asked).toBe(0);

  size = 14;
  const waiting = [addOneMore(endAtOnce), addOneMore(endAtOnce)];
  let passed = 0;
  for (const each of waiting) void each.then(() => (passed += 1));
  await turn();
  expect({ asked, passed }).toEqual({ asked: 1, passed: 0 });
  done();
  await Promise.all(waiting);
  size = 20;
  await addOneMore(endAtOnce);
  expect(asked).toBe(1);
});

test('the list is asked for when no createPet is under way any more', async () => {
  let asked = 0;
  let size = 13;
  const addOneMore = makeCreationGate(
    () => size,
    async () => void (asked += 1),
  );
  let answered = (): void => undefined;
  const slow = addOneMore(() => new Promise<void>((resolve) => (answered = resolve)));
  const next = addOneMore(endAtOnce);
  await turn();
  // 13 animals, and one createPet under way: the store may reach a size at which lists are asked for, so `next` waits.
  expect(asked).toBe(0);
  size = 14;
  answered();
  await Promise.all([slow, next]);
  expect(asked).toBe(1);
});

test('on a store that is large from the start one list is asked for', async () => {
  let asked = 0;
  const addOneMore = makeCreationGate(
    () => 400,
    async () => void (asked += 1),
  );
  await addOneMore(endAtOnce);
  await addOneMore(endAtOnce);
  expect(asked).toBe(1);
});
