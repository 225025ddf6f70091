/** A createPet that gets neither 201 nor 400: some of these refusals break a promise, others are permitted. */
import { expect, test } from '@playwright/test';
import { added, brokenOf, list, rex, type ShownAnimal, failsWith, type Story, type Entry } from './rows.ts';

const broken = brokenOf(/^create-pet\./);

/** An ordinary animal of the run: its name has the mark. */
const ownAnimal = (id: number, more: Partial<ShownAnimal> = {}): ShownAnimal => ({
  ...rex(id),
  name: `csmark${String.fromCharCode(96 + id)}`,
  ...more,
});

test('a wrong member beside one that the document does not show may be refused with any 4xx', () => {
  const wrong = (status: number, more: object = {}): Entry => {
    // `added(10, …)` is a createPet at 10 ms.
    const exchange = failsWith(status, added(10, ownAnimal(1)));
    return { ...exchange, sent: JSON.stringify({ name: true, categoryId: 1, ...more }) };
  };
  expect(broken(wrong(422))).toEqual(['create-pet.name-type']);
  expect(broken(wrong(422, { nickname: 'Bo' }))).toEqual([]);
  expect(broken(wrong(500, { nickname: 'Bo' }))).toEqual(['create-pet.name-type']);
});

test.describe('a valid NewPet that is answered neither 201 nor 400', () => {
  // The key may add animals, with a status and without one
  const plain = added(10, ownAnimal(1, { status: 'sold' }));
  const unstated = added(20, ownAnimal(2));

  test('may be refused for its name if the name is too long, or has no mark and others may use the store', () => {
    // `list(25, [])` shows at 25 ms that the store has no animals of others.
    const refused = (name: string, status = 422, ...shown: Story) =>
      broken(plain, unstated, ...shown, failsWith(status, added(30, ownAnimal(3, { name }))));
    expect(refused('csmark \u00e9')).toEqual(['create-pet.any-name']);
    expect(refused(`csmark${'x'.repeat(300)}`)).toEqual([]);
    expect(refused('null', 422, list(25, []))).toEqual(['create-pet.any-name']);
    expect(refused('null')).toEqual([]);
    expect(refused('null', 422, list(25, [ownAnimal(9, { name: 'Bella' })]))).toEqual([]);
    expect(refused('null', 500)).toEqual(['create-pet.any-name']);
    // Another rule judges if a 400 is right. 429 and 503 are not about the body.
    expect(refused('csmark \u00e9', 400)).toEqual([]);
    expect(refused('csmark \u00e9', 429)).toEqual([]);
    expect(refused('csmark \u00e9', 503)).toEqual([]);
  });

  test('breaks no promise if no ordinary animal is taken', () => {
    expect(broken(failsWith(422, added(30, ownAnimal(1))))).toEqual([]);
  });
});

test('a createPet may get 409 for a name in use if a refused createPet before it may have added its animal', () => {
  const around = [added(10, ownAnimal(1, { status: 'sold' })), added(20, ownAnimal(2))];
  const again = failsWith(409, added(40, ownAnimal(3)));
  for (const status of [429, 500])
    expect(broken(...around, failsWith(status, added(30, ownAnimal(3))), again)).not.toContain(
      'create-pet.any-name',
    );
  // A createPet that got 400 has added nothing, and one that got 201 has.
  expect(broken(...around, failsWith(400, added(30, ownAnimal(3))), again)).toContain('create-pet.any-name');
  expect(broken(...around, added(30, ownAnimal(3)), again)).toEqual([]);
});
