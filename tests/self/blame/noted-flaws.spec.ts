/** Tests ask, rules judge: a test notes only what no rule judges. */
import { expect, test } from '@playwright/test';
import { Scope } from '../../../fixtures/asking/client/scope.ts';
import type { RequirementId } from '../../../fixtures/interface/requirements.ts';
import { makeFlaw, type Flaw } from '../../../fixtures/judgement/finding.ts';
import { numberAnimal } from '../../../fixtures/session/animal-numbers.ts';
import type { Facts, Session } from '../../../fixtures/session/session.ts';

const OWN = ['create-pet.name', 'create-pet.status', 'create-pet.category-id'] as const;
const [NAME] = OWN;
const NOT_JUDGED = 'representation.base-path';

function flawOf(requirement: RequirementId): Flaw {
  return makeFlaw({ requirement, expected: 'this', received: 'that' }, ['x1']);
}

/** Runs a test that asks nothing, and returns `<requirement> <verdict>` of its findings and the title of its failure. */
async function conclude(body: (scope: Scope) => unknown): Promise<{ verdicts: string[]; shown: string }> {
  const scope = new Scope({
    session: {} as Session,
    facts: {} as Facts,
    declared: { verifies: [...OWN], observes: [], phase: 'any', place: 'usual' },
    place: { title: 'a test', file: 'a.spec.ts', line: 1 },
  });
  const thrown = await Promise.resolve(scope)
    .then(body)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  const verdicts = scope.makeFindings(thrown).map(({ requirement, verdict }) => `${requirement} ${verdict}`);
  const ending = scope.findRunnerError(thrown);
  return { verdicts, shown: ending instanceof Error ? (ending.message.split('\n')[0] ?? '') : 'passed' };
}

test('a broken promise that a rule judges is left to the rule; any other becomes a finding of the test', async () => {
  const { verdicts, shown } = await conclude((scope) => {
    scope.note(flawOf(NAME));
    scope.note(flawOf(NOT_JUDGED));
  });
  expect(verdicts).toEqual([`${NOT_JUDGED} fail`, ...OWN.map((id) => `${id} pass`)]);
  expect(shown).toBe(NOT_JUDGED);
});

test('an answer with which a test cannot go on leaves its promises open', async () => {
  const { verdicts } = await conclude((scope) => scope.endAt(flawOf(NAME)));
  expect(verdicts).toEqual(OWN.map((id) => `${id} inconclusive`));
});

test('no two uses of ordinary animals share a number, and no use goes beyond its own', () => {
  expect(numberAnimal('shared', 2)).toBeLessThan(numberAnimal('justAdded'));
  expect(numberAnimal('turnsOf401', 10)).toBeLessThan(numberAnimal('turnsOf400'));
  expect(() => numberAnimal('justAdded', 3)).toThrow('the use justAdded has only 3 animals');
});
