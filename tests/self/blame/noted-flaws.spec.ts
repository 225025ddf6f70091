/** Broken promises are noted as values. Only what ends a test is thrown. */
import { expect, test } from '@playwright/test';
import { describeBroken } from '../../../reports/document/reasons/broken.ts';
import { Scope } from '../../../fixtures/asking/client/scope.ts';
import type { RequirementId } from '../../../fixtures/interface/requirements.ts';
import { makeFlaw, type Flaw } from '../../../fixtures/judgement/finding.ts';
import { numberAnimal } from '../../../fixtures/session/animal-numbers.ts';
import type { Facts, Session } from '../../../fixtures/session/session.ts';

const OWN = ['create-pet.name', 'create-pet.status', 'create-pet.category-id'] as const;
const [NAME, STATUS] = OWN;
const PREMISE = 'representation.pet-name';

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

test('after a broken promise of its own, a test asks on, and each promise gets its own verdict', async () => {
  const { verdicts, shown } = await conclude((scope) => {
    scope.failDemand(flawOf(NAME));
    scope.failDemand(flawOf(STATUS));
    scope.failDemand(flawOf(NAME));
  });
  expect(verdicts).toEqual([`${NAME} fail`, `${STATUS} fail`, 'create-pet.category-id pass']);
  expect(shown).toBe(NAME);
});

test('a broken premise ends a test, and so does a wrong answer', async () => {
  const premise = await conclude((scope) => {
    scope.failDemand(flawOf(PREMISE));
    scope.failDemand(flawOf(NAME));
  });
  const rest = OWN.map((id) => `${id} inconclusive`);
  expect(premise.verdicts).toEqual([`${PREMISE} fail`, ...rest]);
  const answer = await conclude((scope) => scope.failOrBlock([flawOf(STATUS), flawOf(PREMISE)]));
  expect(answer.verdicts).toEqual([
    `${PREMISE} fail`,
    `${STATUS} fail`,
    `${NAME} inconclusive`,
    'create-pet.category-id inconclusive',
  ]);
  expect(answer.shown).toBe(STATUS);
});

test('a flaw of a part is a value, and counts only if the caller says so', async () => {
  const { verdicts } = await conclude(async (scope) => {
    const outcome = await scope.attempt(() => Promise.resolve(scope.failDemand(flawOf(NAME))));
    expect(outcome).toEqual({ flaw: flawOf(NAME), flaws: [flawOf(NAME)] });
    // A read that answers after the end of its attempt changes nothing while the attempt may be repeated.
    const repeated = await scope.attempt(async () => {
      const late = new Promise(setImmediate).then(() => scope.failDemand(flawOf(STATUS)));
      const first = Promise.resolve().then(() => scope.endAt(flawOf(NAME)));
      const attempted = await scope.attempt(() => Promise.all([first, late]));
      await late.catch(() => undefined);
      return attempted;
    });
    expect(repeated).toMatchObject({ result: { flaw: flawOf(NAME) } });
    await expect(
      scope.attempt(() => Promise.resolve().then(() => scope.notApplicable('removed'))),
    ).rejects.toThrow();
  });
  expect(verdicts).toEqual(OWN.map((id) => `${id} pass`));
});

test('what is wrong after a wrong member of an answer is its consequence', async () => {
  const { verdicts } = await conclude((scope) => {
    scope.noteWrongAnswer([flawOf(PREMISE)]);
    scope.failDemand(flawOf(NAME));
  });
  expect(verdicts).toEqual([`${PREMISE} fail`, ...OWN.map((id) => `${id} inconclusive`)]);
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
