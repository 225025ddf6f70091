/** A test that cannot go on leaves all its promises undecided: only rules say that a promise is broken. */
import { expect, test } from '@playwright/test';
import { Scope } from '../../../fixtures/asking/client/scope.ts';
import type { Facts, Session } from '../../../fixtures/session/session.ts';

const OWN = ['create-pet.name', 'create-pet.status', 'create-pet.category-id'] as const;

test('an answer with which a test cannot go on leaves its promises undecided', () => {
  const scope = new Scope({
    session: {} as Session,
    facts: {} as Facts,
    declared: { verifies: [...OWN], observes: [], phase: 'any', slot: 'usual' },
    place: { title: 'a test', file: 'a.spec.ts', line: 1 },
  });
  let ended: unknown;
  try {
    // The answer of exchange x1 breaks create-pet.name
    scope.endAt(OWN[0], ['x1']);
  } catch (error) {
    ended = error;
  }
  expect(ended).toBeDefined();
  const verdicts = scope.makeFindings(ended).map(({ requirement, verdict }) => `${requirement} ${verdict}`);
  expect(verdicts).toEqual(OWN.map((id) => `${id} inconclusive`));
});
