import { expect, test } from '@playwright/test';
import type { Finding } from '../../../fixtures/judgement/finding.ts';
import type { RequirementId } from '../../../fixtures/interface/requirements.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';
import { writeLegend } from '../../../reports/shown/words/verdict-words.ts';
import { report } from '../samples/sample-reports.ts';
import { LEFT_BY_QUICK, type Reason } from '../../../fixtures/judgement/reason.ts';

const found = (
  requirement: RequirementId,
  verdict: Finding['verdict'],
  reason: Reason | null = null,
): Finding => {
  return {
    requirement,
    verdict,
    reason,
    flaw: null,
    evidence: [],
    replay: null,
    test: { title: 'a test', file: 'tests/a.spec.ts', line: 1 },
  };
};
const [BROKEN, OTHER, ADVISED] = [
  'list-pets.default-limit',
  'list-pets.empty',
  'authentication.challenge',
] as const;
const verdictOf = (requirement: RequirementId, ...findings: Finding[]) =>
  makeResults(findings).find(({ id }) => id === requirement);
const blockedBy = (requirement: RequirementId) =>
  found(OTHER, 'inconclusive', { kind: 'blocked-by', requirement });
const blocked = blockedBy(BROKEN);
const NO_ANSWER: Reason = { kind: 'unreachable', of: 'it' };
const UNANSWERED = 'no answer; to decide, run again when the target answers';

test('what another broken promise blocked hides nothing that other tests saw, and is told', () => {
  expect(verdictOf(OTHER, found(BROKEN, 'fail'), found(OTHER, 'pass'), blocked)).toMatchObject({
    verdict: 'pass',
    reason: `some of its tests were skipped: ${BROKEN} failed`,
  });
  expect(verdictOf(OTHER, found(BROKEN, 'fail'), found(OTHER, 'fail'), blocked)?.verdict).toBe('fail');
});

test('where no test passed, or the blocker is not broken, what was blocked is undecided', () => {
  expect(verdictOf(OTHER, found(BROKEN, 'fail'), blocked)).toMatchObject({
    verdict: 'inconclusive',
    reason: `skipped: ${BROKEN} failed`,
    cause: { kind: 'blocked-by', requirement: BROKEN },
  });
  expect(
    verdictOf(OTHER, found(BROKEN, 'inconclusive', NO_ANSWER), found(OTHER, 'pass'), blocked)?.verdict,
  ).toBe('inconclusive');
});

test('what a quick run left out is no reason why something is undecided', () => {
  expect(
    verdictOf(OTHER, found(BROKEN, 'fail'), found(OTHER, 'left-out', LEFT_BY_QUICK), blocked),
  ).toMatchObject({
    reason: `skipped: ${BROKEN} failed`,
    cause: { kind: 'blocked-by', requirement: BROKEN },
  });
});

test('a broken should blocks no must that other tests saw kept', () => {
  expect(verdictOf(OTHER, found(ADVISED, 'fail'), found(OTHER, 'pass'), blockedBy(ADVISED))?.verdict).toBe(
    'pass',
  );
});

test('an undecided part for any other reason outweighs what passed; one that does not apply does not', () => {
  expect(
    verdictOf(
      OTHER,
      found(BROKEN, 'fail'),
      found(OTHER, 'pass'),
      blocked,
      found(OTHER, 'inconclusive', NO_ANSWER),
    ),
  ).toMatchObject({ verdict: 'inconclusive', reason: UNANSWERED, cause: { kind: 'unreachable' } });
  expect(
    verdictOf(
      OTHER,
      found(OTHER, 'pass'),
      found(OTHER, 'not-applicable', { kind: 'no-such-situation', situation: 'no-405' }),
    ),
  ).toMatchObject({
    verdict: 'pass',
    reason:
      'some cases do not apply here: the target answers neither OPTIONS nor an invented method with 405',
  });
});

test('the legend says that a quick run did not ask what does not apply', () => {
  const unasked = { verdict: 'not-applicable', cause: { kind: 'mode' } } as const;
  const nowhere = { verdict: 'not-applicable', cause: { kind: 'no-such-situation' } } as const;
  const legend = (results: Parameters<typeof report>[0]) => writeLegend(report(results));
  expect(legend({ 'errors.allow': nowhere })).toContain('not applicable: the situation does not exist here');
  expect(legend({ 'errors.allow': unasked })).toContain('not applicable: this kind of run does not ask it');
  expect(legend({ 'errors.allow': unasked, 'errors.json': nowhere })).toContain(
    'this kind of run does not ask it (1), or the situation does not exist here (1)',
  );
});
