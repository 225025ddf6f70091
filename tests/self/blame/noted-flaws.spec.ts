/** Tests ask, rules judge: a test that cannot go on leaves its promises open. */
import { expect, test } from '@playwright/test';
import { describeBroken } from '../../../reports/document/reasons/broken.ts';
import { Scope } from '../../../fixtures/asking/client/scope.ts';
import { numberAnimal } from '../../../fixtures/session/animal-numbers.ts';
import type { Facts, Session } from '../../../fixtures/session/session.ts';

const OWN = ['create-pet.name', 'create-pet.status', 'create-pet.category-id'] as const;
const [NAME] = OWN;

/** Runs a test that asks nothing, and returns `<requirement> <verdict>` of its findings. */
async function conclude(body: (scope: Scope) => unknown): Promise<string[]> {
  const scope = new Scope({
    session: {} as Session,
    facts: {} as Facts,
    declared: { verifies: [...OWN], observes: [], phase: 'any', slot: 'usual' },
    place: { title: 'a test', file: 'a.spec.ts', line: 1 },
  });
  const thrown = await Promise.resolve(scope)
    .then(body)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  return scope.makeFindings(thrown).map(({ requirement, verdict }) => `${requirement} ${verdict}`);
}

test('an answer with which a test cannot go on leaves its promises open', async () => {
  const verdicts = await conclude((scope) => scope.endAt(NAME, ['x1']));
  expect(verdicts).toEqual(OWN.map((id) => `${id} inconclusive`));
});

test('no two uses of ordinary animals share a number, and no use goes beyond its own', () => {
  expect(numberAnimal('shared', 2)).toBeLessThan(numberAnimal('justAdded'));
  expect(numberAnimal('turnsOf401', 10)).toBeLessThan(numberAnimal('turnsOf400'));
  expect(() => numberAnimal('justAdded', 3)).toThrow('the use justAdded has only 3 animals');
});

test('titles of createPet with an identifier say what came, not what it may have done', () => {
  for (const id of ['create-pet.client-id', 'create-pet.adds-one'])
    expect(describeBroken({ id, statement: '' }), id).not.toMatch(/^$|can change|more than one/);
});
