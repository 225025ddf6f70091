import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import type { JudgementRecord } from '../../../fixtures/evidence/log.ts';
import { readRecords } from '../samples/read-records.ts';
import { rejudge } from '../../../fixtures/evidence/rejudge.ts';
import type { Finding } from '../../../fixtures/judgement/finding.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import type { Variant } from '../../../fixtures/implementations/judge-variant.ts';
import { runOn } from '../samples/run-on.ts';

/** One line for each finding of a rule: what it is about, what it says, and on which exchanges it rests. */
const line = (requirement: string, verdict: string, rule: string, exchanges: readonly string[]) =>
  `${verdict} ${requirement} (${rule}) ${exchanges.join(' ')}`;
const ofFinding = ({ requirement, verdict, test: { title }, evidence }: Finding) =>
  line(requirement, verdict, title, evidence);
const ofRecord = ({ requirement, verdict, rule, exchanges }: JudgementRecord) =>
  line(requirement, verdict, rule, exchanges);

const REFERENCE: Variant & { id: string } = { id: 'reference', vary: (Base) => Base };

/** Every so many-th fault, wherever it lies. */
const spread = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => FAULTS[Math.floor((index * FAULTS.length) / count)] as (typeof FAULTS)[number],
  );

/** That of the reference, which two tests look at. */
let ofReference: Promise<string> | undefined;

async function evidenceOf(variant: Variant): Promise<string> {
  let text = '';
  // every third test brings about enough for the rules to look at
  const tests = (await collectSuite()).filter(
    ({ declared }, index) => declared.phase !== 'any' || index % 3 === 0,
  );
  await runOn({ ...variant, evidence: (more) => (text += more) }, tests);
  return text;
}

for (const [title, variants] of [
  ['the reference', [REFERENCE]],
  ['three faults', spread(3)],
  ['fifty faults', spread(50)],
] as readonly (readonly [string, readonly (Variant & { id: string })[]])[]) {
  test(
    `the rules find the same again in the evidence of ${title}`,
    { tag: variants.length > 1 ? '@long' : [] },
    async () => {
      for (const variant of variants) {
        const records = readRecords(
          await (variant === REFERENCE ? (ofReference ??= evidenceOf(REFERENCE)) : evidenceOf(variant)),
        );
        const judged = records.filter(
          (each): each is JudgementRecord => each.kind === 'judgement' && each.by === 'rule',
        );
        expect(rejudge(records).findings.map(ofFinding), variant.id).toEqual(judged.map(ofRecord));
        expect(judged.length, variant.id).toBeGreaterThan(0);
      }
    },
  );
}

test('the evidence holds every exchange once, in the order in which they ended', async () => {
  const records = readRecords(await (ofReference ??= evidenceOf(REFERENCE)));
  const exchanges = records.filter((each) => each.kind === 'exchange');
  expect(records[0]?.kind).toBe('head');
  expect(exchanges.map(({ id }) => id)).toEqual(exchanges.map((_, index) => `x${index + 1}`));
  expect(exchanges.every(({ end }, index) => end >= (exchanges[index - 1]?.end ?? 0))).toBe(true);
});

test('evidence without its head is not judged', () => {
  expect(() => rejudge([])).toThrow('The evidence has no head');
});
