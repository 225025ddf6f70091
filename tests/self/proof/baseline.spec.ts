import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ProofBaseline } from '../../../bin/prove/proof-baseline.ts';
import { planProof } from '../../../bin/prove/plan-proof.ts';
import { outcome } from './outcomes.ts';

test('a baseline names each variant whose verdicts, first cause or requests differ, and counts what rules name alone', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'conformance-test-')), 'baseline.json');
  const [one, other] = planProof({}).tasks.filter(({ kind }) => kind === 'fault');
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
