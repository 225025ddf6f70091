/** The findings of tests become the verdict of a requirement, and its reason is a sentence. The schemas know every kind of reason. */
import { expect, test } from '@playwright/test';
import type { Finding } from '../../../fixtures/judgement/finding.ts';
import type { RequirementId } from '../../../fixtures/interface/requirements.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';
import { writeLegend } from '../../../reports/shown/words/verdict-words.ts';
import { LEFT_BY_QUICK, type Reason, type Stop } from '../../../fixtures/judgement/reason.ts';
import { SITUATIONS, describeReason } from '../../../reports/document/reasons/reason-words.ts';
import { describeLeftOut, describeOpen } from '../../../reports/document/reasons/verdict-reasons.ts';
import { describePass } from '../../../reports/document/reasons/verdict-reasons.ts';
import { makeSchemaCheck } from '../../../reports/document/checked-json.ts';
import { describeStop } from '../../../reports/document/reasons/stop-words.ts';
import { findingWith } from '../samples/sample-exchanges.ts';
import { report } from '../samples/sample-reports.ts';
import clients from '../../../schemas/clients.json' with { type: 'json' };
import evidence from '../../../schemas/suite/evidence.schema.json' with { type: 'json' };
import reasons from '../../../schemas/suite/reason.schema.json' with { type: 'json' };
import reportSchema from '../../../schemas/suite/report.schema.json' with { type: 'json' };

/** The verdict of one test on a requirement. */
const found = (requirement: RequirementId, verdict: Finding['verdict'], reason: Reason | null = null) =>
  findingWith(requirement, verdict, { reason });
/** The promise that breaks, the one that its breach blocks, and a `should`. */
const [BROKEN, OTHER, ADVISED] = [
  'list-pets.default-limit',
  'list-pets.empty',
  'authentication.challenge',
] as const;
/** Returns the result of a requirement that these findings make. */
const verdictOf = (requirement: RequirementId, ...findings: Finding[]) =>
  makeResults(findings).find(({ id }) => id === requirement);
/** A test of OTHER could not go on, because this promise is broken. */
const blockedBy = (requirement: RequirementId) =>
  found(OTHER, 'inconclusive', { kind: 'blocked-by', requirement });
const blocked = blockedBy(BROKEN);
const NO_ANSWER: Reason = { kind: 'unreachable', of: 'it' };
const UNANSWERED = 'no answer; to decide, run again when the target answers';

test('a blocked test hides nothing that other tests saw, and the reason names what blocked it', () => {
  expect(verdictOf(OTHER, found(BROKEN, 'fail'), found(OTHER, 'pass'), blocked)).toMatchObject({
    verdict: 'pass',
    reason: `some of its tests were skipped: ${BROKEN} failed`,
  });
  expect(verdictOf(OTHER, found(BROKEN, 'fail'), found(OTHER, 'fail'), blocked)?.verdict).toBe('fail');
});

test('a blocked promise is undecided if none of its tests passed, or if the blocker is not broken', () => {
  expect(verdictOf(OTHER, found(BROKEN, 'fail'), blocked)).toMatchObject({
    verdict: 'inconclusive',
    reason: `skipped: ${BROKEN} failed`,
    cause: { kind: 'blocked-by', requirement: BROKEN },
  });
  expect(
    verdictOf(OTHER, found(BROKEN, 'inconclusive', NO_ANSWER), found(OTHER, 'pass'), blocked)?.verdict,
  ).toBe('inconclusive');
});

test('the reason of an undecided promise is not that a quick run left cases out', () => {
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

test('an undecided test outweighs one that passed, and one that does not apply does not', () => {
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
  expect(legend({ 'errors.allow': unasked })).toContain(
    'not applicable: this kind of run does not ask it, or the situation does not exist here',
  );
});

/** One kind of reason or stop in the schema. */
type Alternative = { properties: { kind: { const: string }; situation?: { enum: string[] } } };
const { reason, stop } = reasons.$defs as unknown as Record<'reason' | 'stop', { anyOf: Alternative[] }>;
const kindsOf = (alternatives: readonly Alternative[]) =>
  [...new Set(alternatives.map(({ properties }) => properties.kind.const))].sort();

/** Every kind of the types; without one of them this file does not compile. Each spread keeps several kinds on a line. */
const KINDS: Record<Reason['kind'], true> = {
  ...{ 'blocked-by': true, budget: true, lag: true, assumed: true, 'not-read': true, restart: true },
  ...{ 'refused-key': true, 'no-right': true, unreachable: true, 'put-off': true, unreadable: true },
  ...{ 'not-taken': true, stopped: true, mode: true, tact: true, 'no-such-situation': true },
  ...{ cut: true, 'suite-broke': true },
};
const STOPS: Record<Stop['kind'], true> = {
  ...{ interrupted: true, time: true, 'put-off': true, broken: true, banned: true, locked: true },
  ...{ expired: true, silent: true, exhausted: true, 'suite-broke': true, decided: true, failed: true },
  obstacle: true,
};

test('evidence may hold every kind of reason and stop that a run can give', () => {
  expect(kindsOf(reason.anyOf)).toEqual(Object.keys(KINDS).sort());
  expect(kindsOf(stop.anyOf)).toEqual(Object.keys(STOPS).sort());
  const check = makeSchemaCheck({ ...reasons.$defs.reason, $defs: reasons.$defs });
  for (const more of [{ read: '/pets' }, { needs: { variable: 'CONSISTENCY_WINDOW', value: null } }])
    expect(check({ kind: 'lag', animals: 1, ...more })).toEqual([]);
});

test('reports name the kinds of reasons and stops that there are', () => {
  const { cause } = reportSchema.$defs.requirement.properties;
  const inOlderReports = ['left-to-judge', 'share'];
  expect(cause.properties.kind.enum.toSorted()).toEqual([...kindsOf(reason.anyOf), ...inOlderReports].sort());
  expect(reportSchema.properties.run.properties.stoppedBy.enum.toSorted()).toEqual(kindsOf(stop.anyOf));
});

test('a key in a file may have expired: the reason says so before it names a lock', () => {
  const stop = { kind: 'locked', since: null, hasKeyFile: true } as const;
  expect(describeStop(stop)).toMatch(/^the key may have expired, and API_KEY_FILE had no new key .*locked/);
  expect(describeStop({ ...stop, hasKeyFile: false })).not.toContain('expired');
});

test('evidence may name every situation, and every client as which a run asks', () => {
  // `listing`: the alternative of the schema that lists several situations. `inFiles`: the situations of all alternatives.
  const listing = reason.anyOf.find(({ properties }) => (properties.situation?.enum.length ?? 0) > 1);
  const inFiles = reason.anyOf.flatMap(({ properties }) => properties.situation?.enum ?? []);
  expect(Object.keys(SITUATIONS).filter((each) => !inFiles.includes(each))).toEqual([]);
  expect(listing?.properties.situation?.enum.filter((each) => !Object.hasOwn(SITUATIONS, each))).toEqual([]);
  const { client } = evidence.$defs.exchange.properties.ask.properties;
  expect(client.enum.toSorted()).toEqual(Object.keys(clients).sort());
});

test('a variable that would decide is named once, with its value if that is known', () => {
  const lacksAnimals = (value: number | null): Reason => ({
    kind: 'budget',
    variable: 'MAX_ANIMALS',
    limit: 3,
    more: 2,
    needs: { variable: 'MAX_ANIMALS', value },
  });
  expect(describeReason(lacksAnimals(150))).toBe(
    'MAX_ANIMALS (3) has no room for 2 more; to decide, set MAX_ANIMALS=150',
  );
  expect(describeReason(lacksAnimals(null))).toBe(
    'MAX_ANIMALS (3) has no room for 2 more; to decide, raise MAX_ANIMALS',
  );
  const examples = { undecided: 2, all: 3 };
  expect(describeReason({ kind: 'no-right', status: 403, examples })).toBe(
    '2 of 3 examples are undecided: createPet answers 403 to the key; to decide, use a key that may add animals',
  );
  expect(describeReason({ kind: 'no-right', status: 403, added: 122 })).toBe(
    'createPet answers 403 to this request; the key added 122 others; to decide, use a key that may add more',
  );
});

test('a reason that some examples share with the others is said once', () => {
  const usedUp: Reason = { kind: 'budget', variable: 'MAX_REQUESTS', limit: 400 };
  const some: Reason = { ...usedUp, examples: { undecided: 3, all: 3 } };
  expect(describeOpen([some, usedUp])).toBe(describeReason(usedUp));
  expect(describeOpen([some])).toBe(describeReason(some));
  expect(describeLeftOut(2, [some])).toBe(`2 cases left out: ${describeReason(usedUp)}`);
});

test('a pass names once all that its skipped tests needed', () => {
  const blocker = (requirement: 'errors.json' | 'errors.code'): Reason => ({
    kind: 'blocked-by',
    requirement,
  });
  const open = [blocker('errors.json'), blocker('errors.code'), blocker('errors.json')];
  expect(describePass({ assumed: [], open, inapplicable: [] })).toBe(
    'some of its tests were skipped: errors.json, errors.code failed',
  );
});
