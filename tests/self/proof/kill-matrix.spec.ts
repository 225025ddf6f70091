/** The result of the proof: a fault is caught, is masked (its base hides it) or survives; a freedom that fails is flagged, a problem. */
import { expect, test } from '@playwright/test';
import { compareFirstCauses, findProblem } from '../../../reports/shown/proof/first-causes.ts';
import { makeKillMatrix, type KillMatrix } from '../../../reports/shown/proof/kill-matrix.ts';
import type { VariantOutcome } from '../../../reports/shown/proof/kill-matrix.ts';
import type { Described } from '../../../reports/shown/proof/outcome.ts';
import { sumQuickRuns } from '../../../reports/shown/proof/quick.ts';
import { outcomeWith } from '../samples/sample-outcome.ts';

const FAULT = { id: 'a.fault', what: 'It is wrong.', breaks: 'a.promise' };
const FREEDOM = { id: 'a.freedom', what: 'It is odd.', permittedBy: 'nothing' };
/** A row of survivors.json. */
const SURVIVOR = { fault: FAULT.id, base: 'serial', class: 'a class', issue: 'an issue' };
const BASELINE = outcomeWith('base', 'reference');
const failed = { verdicts: [{ id: 'a.promise', verdict: 'fail' as const, why: '' }], exitCode: 1 };

/** Lists the problems of a proof as sentences. */
function listProblems({ problems }: KillMatrix): string[] {
  return problems.map(({ text }) => text);
}

/** A plan that judges only the reference. */
const PLAN = {
  bases: [{ id: 'reference', what: '' }],
  faults: [],
  freedoms: [],
  roundTrip: 5,
  pairs: { seed: null, judged: [] },
  hard: { seed: 1, results: [] },
  survivors: [],
  requirements: ['a.promise'],
  silences: 0,
};

/** Makes the result of a proof of FAULT and FREEDOM. The freedom is not flagged, unless `outcomes` say so. */
function proofOf(
  outcomes: readonly VariantOutcome[],
  base = 'serial',
  survivors: readonly (typeof SURVIVOR)[] = [],
) {
  return makeKillMatrix(
    { ...PLAN, faults: [{ ...FAULT, base }], freedoms: [{ ...FREEDOM, base }], survivors },
    [BASELINE, outcomeWith('freedom', FREEDOM.id, { base }), ...outcomes],
    BASELINE,
    1,
  );
}

/** An outcome of the fault on the base `serial`: by default nothing failed. */
const fault = (more: Partial<VariantOutcome> = {}) =>
  outcomeWith('fault', FAULT.id, { base: 'serial', ...more });

test('a fault that is named is caught', () => {
  const { problems, figures } = proofOf([fault(failed)]);
  expect(problems).toEqual([]);
  expect(figures).toMatchObject({ faults: 1, caught: 1, masked: 0, survivors: 0 });
});

test('a fault that the rules alone name is counted if it was judged to the end', () => {
  const named = (more: Partial<VariantOutcome>) =>
    proofOf([fault({ ...failed, ...more })]).figures.namedByRulesAlone;
  expect(named({ byRules: true })).toBe('1 of 1');
  expect(named({ byRules: false })).toBe('0 of 1');
  expect(named({ byRules: true, whole: false })).toBe('0 of 0');
});

test('a fault that gave no wrong answer on its base is masked there; on the reference it is a problem', () => {
  const masked = proofOf([fault({ wrongAnswers: 0 })]);
  expect(masked.problems).toEqual([]);
  expect(masked.figures).toMatchObject({ caught: 0, masked: 1, survivors: 0 });
  const { problems, figures } = proofOf([fault({ base: 'reference', wrongAnswers: 0 })], 'reference');
  expect(problems.map(({ text }) => text)).toEqual([
    'fault a.fault on reference survived: nothing failed, for it gave no wrong answer in this run',
  ]);
  expect(figures).toMatchObject({ masked: 0, survivors: 1 });
});

test('a fault that gave a wrong answer, or may have given one, survives; it is no problem if survivors.json lists it', () => {
  for (const wrongAnswers of [1, undefined]) {
    expect(listProblems(proofOf([fault({ wrongAnswers })]))).toEqual([
      'fault a.fault on serial survived: nothing failed',
    ]);
    expect(proofOf([fault({ wrongAnswers })], 'serial', [SURVIVOR]).problems).toEqual([]);
  }
});

test('survivors.json may list a fault only on its base, and only if it is neither caught nor masked', () => {
  const problemsOf = (more: Partial<VariantOutcome>, base: string) =>
    listProblems(proofOf([fault(more)], 'serial', [{ ...SURVIVOR, base }]));
  expect(problemsOf(failed, 'serial')).toEqual([
    'fault a.fault is caught by now: take it out of survivors.json',
  ]);
  expect(problemsOf({ wrongAnswers: 0 }, 'serial')).toEqual([
    'fault a.fault is masked by now: take it out of survivors.json',
  ]);
  expect(problemsOf({}, 'random')).toEqual([
    'fault a.fault is judged on the base serial, but survivors.json lists it on random',
  ]);
});

test('a fault that is named only near by is listed with the distances, and is caught', () => {
  const { problems, distances, figures } = proofOf([fault(failed), fault({ roundTrip: 1_200 })]);
  expect(problems).toEqual([]);
  expect(distances.faults).toEqual([{ id: 'a.fault', base: 'serial', named: [5], unnamed: [1_200] }]);
  expect(figures).toMatchObject({ caught: 1, byDistance: 1 });
});

test('a freedom that is flagged far away is a problem', () => {
  const { problems } = proofOf([
    fault(failed),
    outcomeWith('freedom', FREEDOM.id, { base: 'serial', roundTrip: 1_200, ...failed }),
  ]);
  expect(problems).toEqual([
    { kind: 'freedom', text: 'freedom a.freedom on serial, 1200 ms away, was flagged: fail a.promise ()' },
  ]);
});

test('a quick run flags a freedom that fails a must, and one at which --fail-fast ends', () => {
  const by = (more: Partial<VariantOutcome>, mayFail: readonly string[] = []) =>
    sumQuickRuns({ faults: [], freedoms: [{ ...FREEDOM, mayFail }] }, [
      outcomeWith('quick', `freedom ${FREEDOM.id}`, more),
    ])?.flagged.map((each) => each.by);
  expect(by({})).toEqual([]);
  expect(by({ ...failed, firstFailure: 12 })).toEqual([['a.promise']]);
  expect(by({ ...failed, firstFailure: 12 }, ['a.promise'])).toEqual([]);
  expect(by({ firstFailure: 12 })).toEqual([['none, but --fail-fast ends after request 12']]);
});

test('a base that is flagged is a problem, and one that was not judged', () => {
  const bases = ['reference', 'serial', 'random'].map((id) => ({ id, what: '' }));
  const { problems } = makeKillMatrix(
    { ...PLAN, bases, requirements: [] },
    [BASELINE, outcomeWith('base', 'serial', { base: 'serial', ...failed })],
    BASELINE,
    1,
  );
  expect(problems).toEqual([
    { kind: 'base', text: 'base serial was flagged: fail a.promise ()' },
    { kind: 'base', text: 'base random was flagged: it was not judged' },
  ]);
});

test('a report whose first cause is not the fault is listed', () => {
  const of = (first: string | null, described: Partial<Described> = {}, more: Partial<VariantOutcome> = {}) =>
    compareFirstCauses([{ ...FAULT, ...described }], () => fault({ first, ...more }));
  expect(of('a.promise')).toEqual({ reports: 1, right: 1, others: [] });
  expect(of('another', { names: ['a.promise', 'another'] })).toMatchObject({ right: 1 });
  // In a report that fails `create-pet.kept` too, a read that lacks the animal is a consequence, and must not come first.
  const lost = { breaks: 'create-pet.kept', names: ['create-pet.kept', 'get-pet.answers-200'] };
  const seenLost = { verdicts: [{ id: 'create-pet.kept', verdict: 'fail' as const, why: '' }] };
  expect(of('get-pet.answers-200', lost)).toMatchObject({ right: 1 });
  expect(of('get-pet.answers-200', lost, seenLost)).toMatchObject({ right: 0 });
  expect(of(null)).toMatchObject({ reports: 0 });
  expect(of('another').others).toEqual([
    { fault: FAULT.id, base: 'serial', breaks: 'a.promise', first: 'another' },
  ]);
  expect(findProblem({ reports: 100, right: 95, others: [] })).toEqual([]);
  expect(findProblem({ reports: 100, right: 94, others: [] })).toHaveLength(1);
});
