/** Evidence is judged again: the rules find in the file what they found in the run, and the verdicts are the same. */
import { expect, test } from '@playwright/test';
import type { EvidenceRecord, JudgementRecord } from '../../../fixtures/evidence/log.ts';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import type { CollectedTest } from '../../../fixtures/asking/lanes/collection.ts';
import { recompute, judgeByRules } from '../../../fixtures/evidence/recompute.ts';
import type { Finding } from '../../../fixtures/judgement/finding.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { judgeVariant, type Variant } from '../../../fixtures/implementations/judge-variant.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';
import { findFault } from '../samples/named-variants.ts';
import { readRecords } from '../samples/read-records.ts';
import { matchTests } from '../samples/run-on.ts';
import { judgeUnderProfile } from './certifiable-runs.ts';
import { takeEvenly } from './document-changes.ts';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../../reports/document/report-document.ts';
import { runCommand, idsWith } from '../samples/command.ts';
import { withReference } from '../samples/varied-reference.ts';

type Judged = Awaited<ReturnType<typeof judge>>;
/** Judges a variant, and reads the records of its evidence. */
async function judge(variant: Variant, which: (test: CollectedTest) => boolean = () => true) {
  let text = '';
  const tests = (await collectSuite()).filter(which);
  const { findings } = await judgeVariant({ ...variant, evidence: (more) => (text += more) }, tests);
  return { findings, records: readRecords(text) };
}

/** A finding of a rule as a line: its verdict, requirement, title and exchanges. The record in the file has the same. */
const writeFinding = ({ requirement, verdict, test: { title }, evidence }: Finding) =>
  `${verdict} ${requirement} (${title}) ${evidence.join(' ')}`;
const writeJudgement = ({ requirement, verdict, rule, exchanges }: JudgementRecord) =>
  `${verdict} ${requirement} (${rule}) ${exchanges.join(' ')}`;

function expectSameFindings(records: readonly EvidenceRecord[], id: string): void {
  const ofRules = records.filter(
    (each): each is JudgementRecord => each.kind === 'judgement' && each.by === 'rule',
  );
  expect(ofRules.length, id).toBeGreaterThan(0);
  expect(judgeByRules(records).findings.map(writeFinding), id).toEqual(ofRules.map(writeJudgement));
}

function expectSameVerdicts({ findings, records }: Judged, id: string): void {
  const verdicts = (all: readonly Finding[]) =>
    makeResults(all).map(({ id: of, verdict, partial }) => `${of} ${verdict} ${partial === null}`);
  const again = recompute(records);
  expect(again.contradictions, id).toEqual([]);
  expect(verdicts(again.findings), id).toEqual(verdicts(findings));
}

test('evidence has every exchange once, in the order of their ends, and the rules find the same in it', async () => {
  const records = readRecords((await judgeUnderProfile()).evidence);
  const exchanges = records.filter((each) => each.kind === 'exchange');
  expect(records[0]?.kind).toBe('head');
  expect(exchanges.map(({ id }) => id)).toEqual(exchanges.map((_, index) => `x${index + 1}`));
  expect(exchanges.every(({ end }, index) => end >= (exchanges[index - 1]?.end ?? 0))).toBe(true);
  expectSameFindings(records, 'reference');
});

test('the findings and verdicts of a fault are the same in its evidence', async () => {
  const fault = findFault('create-pet.status-dropped-beside-another');
  const judged = await judge(fault, matchTests('create-pet.status'));
  expectSameFindings(judged.records, fault.id);
  expectSameVerdicts(judged, fault.id);
});

test('the findings and verdicts of eighty variants are the same in their evidence @long', async () => {
  test.setTimeout(3_600_000);
  const variants = [...takeEvenly(FAULTS, 40), ...takeEvenly(FREEDOMS, 40)];
  let judgedToTheEnd = 0;
  for (const variant of variants) {
    const judged = await judge(variant);
    expectSameFindings(judged.records, variant.id);
    // Only a run that stopped early has the record `end`. It is judged up to there, and gets no certificate.
    if (judged.records.some(({ kind }) => kind === 'end')) continue;
    judgedToTheEnd += 1;
    expectSameVerdicts(judged, variant.id);
  }
  expect(judgedToTheEnd).toBeGreaterThan(variants.length / 2);
});

test('`judge` repeats the verdicts of a run, and names each verdict of the report next to it that differs', async () => {
  await withReference(findFault('list-pets.limit-one-more').vary, async (target) => {
    const { folder, report } = await runCommand('conformance', ['--only', 'list-pets'], target);
    const out = join(folder, 'out', 'partial');
    const again = await runCommand('judge', [out, '--json'], {}, folder);
    expect(again.exitCode).toBe(1);
    const { evidence, verdict, comparison } = JSON.parse(again.out) as Record<string, unknown>;
    expect({ evidence, verdict }).toEqual({
      evidence: join(out, 'evidence.jsonl'),
      verdict: 'nonconforming',
    });
    expect(comparison).toMatchObject({ verdicts: [] });
    expect((await runCommand('judge', [out], {}, folder)).out).toContain(
      'Every verdict is as in the report next to the evidence.',
    );

    // As if an older version had let it pass
    const [id = ''] = idsWith(report, 'fail');
    writeFileSync(join(out, 'report.json'), JSON.stringify(withPass(report, id)));
    const stricter = await runCommand('judge', [out], {}, folder);
    expect(stricter.exitCode).toBe(1);
    expect(stricter.out).toMatch(/Worse than before/);
    expect(stricter.out).toContain(`${id} pass → fail`);

    // Without a report the evidence alone is judged
    rmSync(join(out, 'report.json'));
    const alone = await runCommand('judge', [join(out, 'evidence.jsonl')], {}, folder);
    expect(alone.exitCode).toBe(1);
    expect(alone.out).not.toContain('report next to');

    const text = readFileSync(join(out, 'evidence.jsonl'), 'utf8');
    writeFileSync(join(out, 'evidence.jsonl'), text.slice(0, -100));
    const { exitCode, out: printed, err } = await runCommand('judge', [out], {}, folder);
    expect({ exitCode, printed }).toEqual({ exitCode: 2, printed: '' });
    expect(err).toMatch(/^[^\n]*its last line has no end[^\n]*\n$/);
  });
});

function withPass(report: Report | null, id: string): unknown {
  const requirements = report?.requirements.map((each) =>
    each.id === id ? { ...each, verdict: 'pass', expected: null, received: null } : each,
  );
  return { ...report, requirements };
}
