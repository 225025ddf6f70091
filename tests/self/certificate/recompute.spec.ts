/** Evidence is judged again: rules find the same, and verdicts are the same. */
import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import type { CollectedTest } from '../../../fixtures/asking/lanes/collection.ts';
import type { EvidenceRecord, JudgementRecord } from '../../../fixtures/evidence/log.ts';
import { recompute } from '../../../fixtures/evidence/recompute.ts';
import { rejudge } from '../../../fixtures/evidence/rejudge.ts';
import type { Finding } from '../../../fixtures/judgement/finding.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { judgeVariant, type Variant } from '../../../fixtures/implementations/judge-variant.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';
import { readRecords } from '../samples/read-records.ts';
import { verifying } from '../samples/run-on.ts';
import { certifiedRun } from './certified.ts';
import { spread } from './forgeries.ts';

type Judged = Awaited<ReturnType<typeof judge>>;
async function judge(variant: Variant, which: (test: CollectedTest) => boolean = () => true) {
  let text = '';
  const tests = (await collectSuite()).filter(which);
  const { findings } = await judgeVariant({ ...variant, evidence: (more) => (text += more) }, tests);
  return { findings, records: readRecords(text) };
}

/** One line for each finding of a rule: what it says, about what, and on which exchanges it rests. */
const ofFinding = ({ requirement, verdict, test: { title }, evidence }: Finding) =>
  `${verdict} ${requirement} (${title}) ${evidence.join(' ')}`;
const ofRecord = ({ requirement, verdict, rule, exchanges }: JudgementRecord) =>
  `${verdict} ${requirement} (${rule}) ${exchanges.join(' ')}`;

function expectSameFindings(records: readonly EvidenceRecord[], id: string): void {
  const ofRules = records.filter(
    (each): each is JudgementRecord => each.kind === 'judgement' && each.by === 'rule',
  );
  expect(ofRules.length, id).toBeGreaterThan(0);
  expect(rejudge(records).findings.map(ofFinding), id).toEqual(ofRules.map(ofRecord));
}

function expectSameVerdicts({ findings, records }: Judged, id: string): void {
  const verdicts = (all: readonly Finding[]) =>
    makeResults(all).map(({ id: of, verdict, partial }) => `${of} ${verdict} ${partial === null}`);
  const again = recompute(records);
  expect(again.contradictions, id).toEqual([]);
  expect(verdicts(again.findings), id).toEqual(verdicts(findings));
}

test('the evidence of the reference holds every exchange once, in the order in which they ended, and the rules find the same in it', async () => {
  const records = readRecords((await certifiedRun()).evidence);
  const exchanges = records.filter((each) => each.kind === 'exchange');
  expect(records[0]?.kind).toBe('head');
  expect(exchanges.map(({ id }) => id)).toEqual(exchanges.map((_, index) => `x${index + 1}`));
  expect(exchanges.every(({ end }, index) => end >= (exchanges[index - 1]?.end ?? 0))).toBe(true);
  expectSameFindings(records, 'reference');
});

test('the findings and verdicts of a fault are the same in its evidence', async () => {
  const fault = FAULTS.find(({ id }) => id === 'create-pet.status-dropped-beside-another')!;
  const judged = await judge(fault, verifying('create-pet.'));
  expectSameFindings(judged.records, fault.id);
  expectSameVerdicts(judged, fault.id);
});

test('the findings and verdicts of eighty variants are the same in their evidence @long', async () => {
  test.setTimeout(3_600_000);
  const variants = [...spread(FAULTS, 40), ...spread(FREEDOMS, 40)];
  let whole = 0;
  for (const variant of variants) {
    const judged = await judge(variant);
    expectSameFindings(judged.records, variant.id);
    // a run that the target ended is judged only up to there, which no certificate needs
    if (judged.records.some(({ kind }) => kind === 'end')) continue;
    whole += 1;
    expectSameVerdicts(judged, variant.id);
  }
  expect(whole).toBeGreaterThan(variants.length / 2);
});
