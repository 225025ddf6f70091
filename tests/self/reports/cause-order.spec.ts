/** The order of causes: core promises first, then what explains most, then what most tests met. */
import { expect, test } from '@playwright/test';
import { findFailures } from '../../../reports/document/causes.ts';
import { renderPlain } from '../samples/rendered-reports.ts';
import { blockedBy, failureWith, report } from '../samples/sample-reports.ts';

/** Returns the titles and places of this number of tests. */
const makeTests = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ title: `test ${index}`, file: 'tests/a.spec.ts', line: 1 }));

test('core promises come first, then what blocks most, then what most tests met; waived ones and warnings last', () => {
  const judged = report(
    {
      'representation.pet-name': failureWith({ tests: makeTests(9) }),
      'list-pets.limit': failureWith({ tests: makeTests(2) }),
      'get-pet.same-id': failureWith(),
      'get-pet.agrees-with-list': blockedBy('get-pet.same-id'),
      'get-pet.answers-200': failureWith(),
      'list-pets.status': failureWith({
        tests: makeTests(40),
        waiver: { owner: 'a', ticket: 'b', expires: '2027-01-01', reason: 'c' },
      }),
      'errors.allow': { ...failureWith({ tests: makeTests(50) }), verdict: 'warn' },
    },
    { run: { strict: true } },
  );
  expect(findFailures(judged).map(([{ id }]) => id)).toEqual([
    'get-pet.answers-200',
    'get-pet.same-id',
    'representation.pet-name',
    'list-pets.limit',
    'errors.allow',
    'list-pets.status',
  ]);
  expect(judged.reason).toBe('getPet does not answer 200 for an animal that exists, and 5 more failures');
});

test('a promise that is undecided because of another undecided one is explained by the failure behind both', () => {
  const judged = report({
    'get-pet.answers-200': failureWith(),
    'get-pet.not-found': blockedBy('get-pet.answers-200'),
    'errors.code': blockedBy('get-pet.not-found'),
    // Each of these two is blocked by the other, so no failure explains them
    'errors.message': blockedBy('errors.status'),
    'errors.status': blockedBy('errors.message'),
  });
  const terminal = renderPlain(judged, 120);
  expect(terminal).toContain('2 requirements could not be decided because of this.');
  expect(terminal).toContain('1 undecided: errors.message');
});

test('a failure comes after the plainer promise that explains it', () => {
  for (const [first, other, count] of [
    ['list-pets.agrees-with-create', 'list-pets.name-exact', 7],
    ['get-pet.repeatable', 'list-pets.agrees-with-create', 1],
    ['create-pet.unique-id-concurrent', 'list-pets.unique-ids', 7],
    ['list-pets.empty', 'list-pets.answers-200', 1],
  ] as const) {
    const judged = report({ [other]: failureWith({ tests: makeTests(count) }), [first]: failureWith() });
    expect(findFailures(judged)[0]?.[0].id).toBe(first);
  }
});
