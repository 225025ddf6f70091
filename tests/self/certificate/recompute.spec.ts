import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import type { CollectedTest } from '../../../fixtures/asking/lanes/collection.ts';
import type { EvidenceRecord } from '../../../fixtures/evidence/log.ts';
import { recompute } from '../../../fixtures/evidence/recompute.ts';
import { readRecords } from '../samples/read-records.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../../fixtures/implementations/freedoms/index.ts';
import { judgeVariant, type Variant } from '../../../fixtures/implementations/judge-variant.ts';
import { makeResults } from '../../../reports/document/verdicts.ts';

const PLAIN: Variant & { id: string } = { id: 'reference', vary: (Base) => Base };

/** Every so many-th of a list, wherever it lies. */
const spread = <T>(all: readonly T[], count: number) =>
  Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)] as T);

async function judged(variant: Variant, which: (test: CollectedTest) => boolean = () => true) {
  let text = '';
  const { findings } = await judgeVariant(
    { ...variant, evidence: (more) => (text += more) },
    (await collectSuite()).filter(which),
  );
  return { findings, text };
}

/** The forgeries are made of this evidence, too. */
const FAULT = FAULTS.find(({ id }) => id === 'create-pet.status-dropped-beside-another')!;
let ofFault: ReturnType<typeof judged> | undefined;
/** Judged by the tests of createPet, which bring about enough. */
const faulty = () =>
  (ofFault ??= judged(FAULT, ({ declared }) => declared.verifies.some((id) => id.startsWith('create-pet.'))));

const verdicts = (results: ReturnType<typeof makeResults>) =>
  results.map(({ id, verdict, partial }) => `${id} ${verdict}${partial === null ? '' : ' in part'}`);

/** Forty faults and forty freedoms, ten in a test: each is a whole run. */
const EIGHTY = [...spread(FAULTS, 40), ...spread(FREEDOMS, 40)];
const TENS = Array.from({ length: EIGHTY.length / 10 }, (_, index) =>
  EIGHTY.slice(10 * index, 10 * index + 10),
);

for (const [title, tag, variants] of [
  ['the reference and a fault', [], [PLAIN, FAULT]],
  ...TENS.map((ten): [string, string[], typeof EIGHTY] => [
    `ten variants from ${ten[0]?.id ?? ''} on`,
    ['@long'],
    ten,
  ]),
] as readonly (readonly [string, string[], readonly (Variant & { id: string })[]])[]) {
  test(`verdicts are computed again from the evidence of ${title}`, { tag }, async () => {
    let whole = 0;
    for (const variant of variants) {
      const { findings, text } = await (variant === FAULT ? faulty() : judged(variant));
      const again = recompute(readRecords(text));
      // a run that the target ended is judged only up to there, which no certificate needs
      if (readRecords(text).some(({ kind }) => kind === 'end')) continue;
      whole += 1;
      expect(again.contradictions, variant.id).toEqual([]);
      expect(verdicts(makeResults(again.findings)), variant.id).toEqual(verdicts(makeResults(findings)));
    }
    expect(whole).toBeGreaterThan(variants.length / 2);
  });
}

test.describe('a forged judgement is found', () => {
  // one run for all of them
  test.describe.configure({ mode: 'default' });
  let records: EvidenceRecord[];
  test.beforeAll(async () => {
    records = readRecords((await faulty()).text);
  });
  /** As if the test had found nothing wrong. */
  const forged = (change: (record: EvidenceRecord) => EvidenceRecord[]) =>
    recompute(records.flatMap(change)).contradictions;

  test('that passes what a demand did not meet', () => {
    const lines = forged((each) => [
      each.kind === 'judgement' && each.verdict === 'fail' ? { ...each, verdict: 'pass', case: null } : each,
    ]);
    expect(lines.join('\n')).toContain('create-pet.status-values');
  });
  test('that rests on an exchange that was taken out', () => {
    const lines = forged((each) => (each.kind === 'exchange' && each.id === 'x7' ? [] : [each]));
    expect(lines.join('\n')).toContain('x8 is in the place of x7');
  });
  test('whose answer was changed', () => {
    let changed = false;
    const lines = forged((each) => {
      if (changed || each.kind !== 'exchange' || each.response?.status !== 201) return [each];
      changed = true;
      return [{ ...each, response: { ...each.response, status: 400 } }];
    });
    expect(lines.length).toBeGreaterThan(0);
  });
});
