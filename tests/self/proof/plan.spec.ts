import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { planProof } from '../../../bin/prove/plan-proof.ts';
import { ProofBaseline } from '../../../bin/prove/baseline.ts';
import { ProofProgress } from '../../../bin/prove/progress.ts';
import { takeShard } from '../../../bin/vendors/targets-file.ts';
import { BASES, REFERENCE, adaptFreedom, drawBase } from '../../../fixtures/implementations/bases.ts';
import { findBase } from '../../../fixtures/implementations/bases.ts';
import { explainContradiction, explainHidden } from '../../../fixtures/implementations/pairs.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { compareFirstCauses, findProblem } from '../../../reports/shown/proof/first-causes.ts';
import { makeKillMatrix, type KillMatrix } from '../../../reports/shown/proof/kill-matrix.ts';
import type { VariantOutcome } from '../../../reports/shown/proof/kill-matrix.ts';
import type { Described } from '../../../reports/shown/proof/outcome.ts';
import { sumQuickRuns } from '../../../reports/shown/proof/quick.ts';
import { makeFolder, shellIn } from '../samples/command.ts';

/** The plan of a whole proof. */
let whole: ReturnType<typeof planProof>;
test.beforeAll(() => void (whole = planProof({})));

test('every fault and freedom is judged near; a tenth of them, drawn, at four other distances', () => {
  const { tasks, faults, freedoms } = whole;
  const near = tasks.filter(({ roundTrip }) => roundTrip === 5);
  expect(near.filter(({ kind }) => kind === 'fault').length).toBe(faults.length);
  expect(near.filter(({ kind }) => kind === 'freedom').length).toBe(freedoms.length);
  for (const roundTrip of [0, 50, 150, 1_200]) {
    const far =
      tasks.filter((task) => task.roundTrip === roundTrip).length / (faults.length + freedoms.length);
    expect(far).toBeGreaterThan(0.07);
    expect(far).toBeLessThan(0.13);
  }
});

test('a freedom is judged to the end, a fault of a should or alone too, of the other faults about a tenth', () => {
  const { tasks, faults } = whole;
  expect(tasks.filter((task) => task.kind === 'freedom' && !task.whole)).toEqual([]);
  const musts = new Set(faults.filter(({ onlyShould, alone }) => !onlyShould && !alone).map(({ id }) => id));
  const share = tasks.filter((task) => task.kind === 'fault' && task.whole && musts.has(task.id)).length;
  expect(share / musts.size).toBeGreaterThan(0.07);
  expect(share / musts.size).toBeLessThan(0.13);
});

test('the shards of a proof are the proof, no task twice', () => {
  const keys = whole.tasks.map((task) => JSON.stringify(task));
  expect(new Set(keys).size).toBe(keys.length);
  // a machine draws the plan again
  const { tasks } = planProof({});
  const shards = ['1/3', '2/3', '3/3'].flatMap((shard) => takeShard(tasks, shard));
  expect(shards.map((task) => JSON.stringify(task)).toSorted()).toEqual(keys.toSorted());
});

test('a base that is named is the base of all that it suits', () => {
  const base = 'serial-ids+by-two-keys';
  const on = planProof({ base }).tasks.filter((task) => task.base === base).length;
  expect(on).toBeGreaterThan(0.8 * whole.tasks.length);
  expect(on).toBeLessThan(whole.tasks.length);
});

test('what was judged before is taken from there, in spite of a line that was cut off', () => {
  const folder = makeFolder();
  const [one, other, third] = whole.tasks;
  const before = ProofProgress.open(folder, { resume: false });
  before.keep(one!, outcome('base', one!.id));
  appendFileSync(join(folder, 'proof.jsonl'), '["half');
  const cutOff = ProofProgress.open(folder, { resume: true });
  cutOff.keep(other!, outcome('base', other!.id));
  const { judged, left } = ProofProgress.open(folder, { resume: true }).findKnown([one!, other!, third!]);
  expect(judged.map(({ id }) => id)).toEqual([one!.id, other!.id]);
  expect(left).toEqual([third]);
  expect(ProofProgress.open(folder, { resume: false }).findKnown([one!]).left).toEqual([one]);
});

test('a share or a base that there is not ends with 2 and one message', async () => {
  for (const [words, message] of [
    ['--shard 3/2', '--shard takes i/n with i from 1 to n, such as 2/5'],
    ['--shard half', '--shard takes i/n with i from 1 to n, such as 2/5'],
    [
      '--shard 1/2 --sample',
      '--shard shares a whole proof; leave --only, --pair, --hard, --sample and --seeds out',
    ],
    [
      '--shard 1/2 --full',
      'what --full draws must be the same in all parts of a proof: give --pair-seed and --hard-seed',
    ],
    ['--base no-such', `there is no base no-such: it is one of reference, `],
  ] as const) {
    const said = await shellIn(tmpdir())(`prove ${words}`, 2, message);
    expect(said.trim().split('\n'), words).toHaveLength(1);
  }
});

test('a baseline names each variant whose verdicts, first cause or requests differ, and counts what rules name alone', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'conformance-test-')), 'baseline.json');
  const [one, other] = whole.tasks.filter(({ kind }) => kind === 'fault');
  const ended = (own: object) => ({ ...outcome('fault', one!.id), digest: 'a', byRules: true, ...own });
  const conclude = (...all: [typeof one, object][]) => {
    const baseline = new ProofBaseline(path);
    for (const [task, own] of all) baseline.add(task!, ended(own));
    return baseline.conclude();
  };
  expect(conclude([one, {}], [other, { byRules: false }])).toEqual([
    expect.stringMatching(
      /^baseline of 2 variants written, sha256 [0-9a-f]{16}; rules alone name 1 of 2 faults that are named$/,
    ),
  ]);
  const verdicts = [{ id: 'list-pets.limit', verdict: 'fail', why: 'any words' }];
  const lines = conclude([one, { verdicts, requests: 3 }], [other, { byRules: false }]);
  expect(lines[0]).toContain('+list-pets.limit fail');
  expect(lines.at(-1)).toContain(
    '2 variants compared; differing: verdicts 1, first 0, byRules 0, exchanges 0, requests 1, milliseconds 0',
  );
});

test('a file that holds no baseline is refused', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'conformance-test-')), 'baseline.json');
  writeFileSync(path, 'no JSON');
  expect(() => new ProofBaseline(path)).toThrow(`${path} holds no baseline`);
});

const names = BASES.map(({ name }) => name);
const VARIANTS = [...FAULTS, ...FREEDOMS];

test('each level is in three bases at least, no base is there twice, and the first is the reference', () => {
  const levels = names.slice(1).flatMap((name) => name.split('+'));
  expect(new Set(levels).size).toBe(12);
  for (const level of levels)
    expect(levels.filter((each) => each === level).length, level).toBeGreaterThanOrEqual(3);
  expect(new Set(names).size).toBe(names.length);
  expect(names[0]).toBe(REFERENCE);
});

test('no two levels of a base contradict each other', () => {
  const clashes = BASES.flatMap(({ name, of }) =>
    of.flatMap((one, index) =>
      of.slice(index + 1).flatMap((other) => (explainContradiction(one, other) === null ? [] : [name])),
    ),
  );
  expect(clashes).toEqual([]);
});

test('every base is drawn for many variants, the same at each call', () => {
  const drawn = VARIANTS.map((each) => drawBase(each).name);
  expect(VARIANTS.map((each) => drawBase(each).name)).toEqual(drawn);
  for (const name of names)
    expect(drawn.filter((each) => each === name).length, name).toBeGreaterThan(VARIANTS.length / 40);
});

test('what contradicts a base has another one, although it is named for all', () => {
  const newest = BASES.find(({ of }) => of.some(({ id }) => id === 'list-pets.newest-first')) ?? findBase('');
  const byName = FREEDOMS.find(({ id }) => id === 'list-pets.by-name');
  const plain = FREEDOMS.find(({ id }) => id === 'list-pets.limit-clamped');
  expect(drawBase(plain ?? FREEDOMS[0]!, newest)).toBe(newest);
  expect(drawBase(byName ?? FREEDOMS[0]!, newest)).not.toBe(newest);
  for (const freedom of FREEDOMS)
    expect(drawBase(freedom).of.every((level) => explainContradiction(level, freedom) === null)).toBe(true);
  for (const fault of FAULTS)
    expect(drawBase(fault).of.every((level) => explainHidden(level, fault) === null)).toBe(true);
});

test('on the reference a freedom permits what it permits, on a base what the base leaves open too', () => {
  const [freedom] = FREEDOMS;
  expect(adaptFreedom(freedom!, findBase(REFERENCE))).toBe(freedom);
  const capped = adaptFreedom(
    freedom!,
    BASES.find(({ name }) => name.includes('capped-by-rows')) ?? findBase(''),
  );
  expect(capped.notApplicable).toContain('list-pets.agrees-with-create');
});

const FAULT = { id: 'a.fault', what: 'It is wrong.', breaks: 'a.promise' };
const FREEDOM = { id: 'a.freedom', what: 'It is odd.', permittedBy: 'nothing' };
const TOLD = { fault: FAULT.id, base: 'serial', class: 'a class', issue: 'an issue' };
const BASELINE = outcome('base', 'reference');
const failed = { verdicts: [{ id: 'a.promise', verdict: 'fail' as const, why: '' }], exitCode: 1 };

/** Its problems as sentences. */
function textsOf({ problems }: KillMatrix): string[] {
  return problems.map(({ text }) => text);
}

/** A plan of nothing but the reference. */
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

/** The proof of one fault and one freedom, on a base. */
function proofOf(
  outcomes: readonly VariantOutcome[],
  base = 'serial',
  survivors: readonly (typeof TOLD)[] = [],
) {
  return makeKillMatrix(
    { ...PLAN, faults: [{ ...FAULT, base }], freedoms: [{ ...FREEDOM, base }], survivors },
    [BASELINE, outcome('freedom', FREEDOM.id, { base }), ...outcomes],
    BASELINE,
    1,
  );
}

const fault = (told: Partial<VariantOutcome> = {}) => outcome('fault', FAULT.id, { base: 'serial', ...told });

test('a fault that is named is caught', () => {
  const { problems, figures } = proofOf([fault(failed)]);
  expect(problems).toEqual([]);
  expect(figures).toMatchObject({ faults: 1, caught: 1, masked: 0, survivors: 0 });
});

test('a fault that the rules alone name is counted if it was judged to the end', () => {
  const named = (told: Partial<VariantOutcome>) =>
    proofOf([fault({ ...failed, ...told })]).figures.namedByRulesAlone;
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

test('a fault that gave a wrong answer, or may have, survives unless it is told', () => {
  for (const wrongAnswers of [1, undefined]) {
    expect(textsOf(proofOf([fault({ wrongAnswers })]))).toEqual([
      'fault a.fault on serial survived: nothing failed',
    ]);
    expect(proofOf([fault({ wrongAnswers })], 'serial', [TOLD]).problems).toEqual([]);
  }
});

test('what is told of a fault must be so: on its base, neither caught nor masked', () => {
  const problemsOf = (told: Partial<VariantOutcome>, base: string) =>
    textsOf(proofOf([fault(told)], 'serial', [{ ...TOLD, base }]));
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

test('a fault that is named near alone is listed with the distances, and is caught', () => {
  const { problems, distances, figures } = proofOf([fault(failed), fault({ roundTrip: 1_200 })]);
  expect(problems).toEqual([]);
  expect(distances.faults).toEqual([{ id: 'a.fault', base: 'serial', named: [5], unnamed: [1_200] }]);
  expect(figures).toMatchObject({ caught: 1, byDistance: 1 });
});

test('a freedom that is flagged far away is a problem', () => {
  const { problems } = proofOf([
    fault(failed),
    outcome('freedom', FREEDOM.id, { base: 'serial', roundTrip: 1_200, ...failed }),
  ]);
  expect(problems).toEqual([
    { kind: 'freedom', text: 'freedom a.freedom on serial, 1200 ms away, was flagged: fail a.promise ()' },
  ]);
});

test('a quick run flags a freedom that fails a must, and one at which --fail-fast ends', () => {
  const by = (told: Partial<VariantOutcome>, mayFail: readonly string[] = []) =>
    sumQuickRuns({ faults: [], freedoms: [{ ...FREEDOM, mayFail }] }, [
      outcome('quick', `freedom ${FREEDOM.id}`, told),
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
    [BASELINE, outcome('base', 'serial', { base: 'serial', ...failed })],
    BASELINE,
    1,
  );
  expect(problems).toEqual([
    { kind: 'base', text: 'base serial was flagged: fail a.promise ()' },
    { kind: 'base', text: 'base random was flagged: it was not judged' },
  ]);
});

test('a report that begins with something else than what is wrong is told', () => {
  const of = (first: string | null, described: Partial<Described> = {}, told: Partial<VariantOutcome> = {}) =>
    compareFirstCauses([{ ...FAULT, ...described }], () => fault({ first, ...told }));
  expect(of('a.promise')).toEqual({ reports: 1, right: 1, others: [] });
  expect(of('another', { names: ['a.promise', 'another'] })).toMatchObject({ right: 1 });
  // A read that lacks an animal is a consequence where the animal was seen lost.
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

/** A run near the reference on which all passed, but for what is told. */
export function outcome(
  kind: VariantOutcome['kind'],
  id: string,
  told: Partial<VariantOutcome> = {},
): VariantOutcome {
  return {
    id,
    kind,
    base: 'reference',
    roundTrip: 5,
    whole: true,
    verdicts: [],
    exitCode: 0,
    requests: 1,
    animals: 1,
    milliseconds: 1,
    ...told,
  };
}
