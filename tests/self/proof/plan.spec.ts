/** The plan of the proof: which variants are judged how far away, its shards, its progress file and its baseline. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { planProof } from '../../../bin/prove/plan-proof.ts';
import { ProofBaseline } from '../../../bin/prove/baseline.ts';
import { ProofProgress } from '../../../bin/prove/progress.ts';
import { takeShard } from '../../../bin/vendors/targets-file.ts';
import { makeFolder, shellIn } from '../samples/command.ts';
import { outcomeWith } from '../samples/sample-outcome.ts';

/** The plan of a proof with all variants. */
let fullPlan: ReturnType<typeof planProof>;
test.beforeAll(() => void (fullPlan = planProof({})));

test('every fault and freedom is judged near; a tenth of them, drawn, at four other distances', () => {
  const { tasks, faults, freedoms } = fullPlan;
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

test('freedoms, and faults of a should or with ALONE, are judged to the end; of the other faults about a tenth', () => {
  const { tasks, faults } = fullPlan;
  // `whole` of a task: its run does not end when the promise of the fault fails. `alone`: nothing but this promise may fail.
  expect(tasks.filter((task) => task.kind === 'freedom' && !task.whole)).toEqual([]);
  const musts = new Set(faults.filter(({ onlyShould, alone }) => !onlyShould && !alone).map(({ id }) => id));
  const share = tasks.filter((task) => task.kind === 'fault' && task.whole && musts.has(task.id)).length;
  expect(share / musts.size).toBeGreaterThan(0.07);
  expect(share / musts.size).toBeLessThan(0.13);
});

test('the shards of a proof are the proof, no task twice', () => {
  const keys = fullPlan.tasks.map((task) => JSON.stringify(task));
  expect(new Set(keys).size).toBe(keys.length);
  // A machine draws the plan again
  const { tasks } = planProof({});
  const shards = ['1/3', '2/3', '3/3'].flatMap((shard) => takeShard(tasks, shard));
  expect(shards.map((task) => JSON.stringify(task)).toSorted()).toEqual(keys.toSorted());
});

test('--base puts all variants that it suits on this base', () => {
  const base = 'serial-ids+by-two-keys';
  const on = planProof({ base }).tasks.filter((task) => task.base === base).length;
  expect(on).toBeGreaterThan(0.8 * fullPlan.tasks.length);
  expect(on).toBeLessThan(fullPlan.tasks.length);
});

test('outcomes of an interrupted proof are taken from its file, also if a line was cut off', () => {
  const folder = makeFolder();
  const [one, other, third] = fullPlan.tasks;
  const before = ProofProgress.open(folder, { resume: false });
  before.keep(one!, outcomeWith('base', one!.id));
  appendFileSync(join(folder, 'proof.jsonl'), '["half');
  const cutOff = ProofProgress.open(folder, { resume: true });
  cutOff.keep(other!, outcomeWith('base', other!.id));
  const { judged, left } = ProofProgress.open(folder, { resume: true }).findKnown([one!, other!, third!]);
  expect(judged.map(({ id }) => id)).toEqual([one!.id, other!.id]);
  expect(left).toEqual([third]);
  expect(ProofProgress.open(folder, { resume: false }).findKnown([one!]).left).toEqual([one]);
});

test('a wrong --shard or --base ends with exit code 2 and one message', async () => {
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

test('a baseline counts the faults that rules alone name, and lists each variant that differs', () => {
  const path = join(makeFolder(), 'baseline.json');
  const [one, other] = fullPlan.tasks.filter(({ kind }) => kind === 'fault');
  const ended = (own: object) => ({ ...outcomeWith('fault', one!.id), digest: 'a', byRules: true, ...own });
  /** Adds an outcome for each task to the baseline. Returns its lines at the end: the first call writes it, the second compares. */
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
    '2 variants compared; differing: verdicts 1, first 0, byRules 0, exchanges 0, requests 1, milliseconds 0', // `first`: what a report names first
  );
});

test('a file that holds no baseline is refused', () => {
  const path = join(makeFolder(), 'baseline.json');
  writeFileSync(path, 'no JSON');
  expect(() => new ProofBaseline(path)).toThrow(`${path} holds no baseline`);
});
