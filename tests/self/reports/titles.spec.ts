/** The title of a failure says in a few words what broke, e.g. `A name that is not a string gets 201 in place of 400`. */
import { expect, test } from '@playwright/test';
import { TESTED } from '../../../fixtures/interface/requirements.ts';
import { describeBroken } from '../../../reports/document/reasons/broken.ts';

test('every requirement has words for its failure, short enough for a line', () => {
  for (const id of TESTED) {
    const words = describeBroken({ id, statement: '' });
    expect(words, id).not.toBe('');
    expect(words.length, id).toBeLessThan(100);
    expect(words, id).not.toMatch(/\.$| - /);
  }
  expect(describeBroken({ id: 'no.such', statement: 'as it says' })).toBe('as it says');
});

test('a title says which answer came, and to which request', () => {
  const statuses = (promised: number, came: number) => ({ statuses: { promised, came } });
  const half = 'a name with half of a surrogate pair';
  for (const [id, more, words] of [
    ['create-pet.name-type', {}, 'A name that is not a string does not get 400'],
    ['create-pet.name-type', statuses(400, 201), 'A name that is not a string gets 201 in place of 400'],
    ['create-pet.any-name', {}, 'Some names get neither 201 nor 400'],
    [
      'get-pet.answers-200',
      statuses(200, 500),
      'getPet answers 500 in place of 200 for an animal that exists',
    ],
    [
      'create-pet.status-optional',
      statuses(201, 422),
      'createPet does not work without a status: 422 in place of 201',
    ],
    [
      'create-pet.broken-characters',
      { ...statuses(201, 500), sent: half },
      `createPet answers 500 to ${half}`,
    ],
  ] as const)
    expect(describeBroken({ id, statement: '', ...more })).toBe(words);
});

test('titles of createPet with an identifier name the answer, and guess no effect', () => {
  for (const id of ['create-pet.client-id', 'create-pet.adds-one'])
    expect(describeBroken({ id, statement: '' }), id).not.toMatch(/^$|can change|more than one/);
});
