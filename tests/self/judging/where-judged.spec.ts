import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { locateRules } from '../../../bin/run/selection/where-judged.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { judgeVariant } from '../../../fixtures/implementations/judge-variant.ts';
import { TESTED } from '../../../fixtures/interface/requirements.ts';
import { RULES_PLACE } from '../../../fixtures/judgement/finding.ts';
import { RULES } from '../../../fixtures/judgement/rules/rules.ts';

const suite = collectSuite();

test('explain names a place for each promise, and none for a question', async () => {
  for (const id of TESTED) expect(await locateRules(id), id).not.toEqual([]);
  expect(await locateRules('list-pets.limit-zero')).toEqual([]);
});

test('explain names each rule that finds a fault of a promise @long', async () => {
  test.setTimeout(600_000);
  const all = await suite;
  const unnamed: string[] = [];
  for (const id of TESTED) {
    const fault = FAULTS.find(({ breaks, beyondReach }) => breaks === id && beyondReach === undefined);
    if (fault === undefined) continue;
    const tests = all.filter(({ declared }) => declared.verifies.includes(id));
    const { findings } = await judgeVariant(fault, tests);
    const named = (await locateRules(id)).map(({ title }) => title);
    for (const { requirement, verdict, test: place } of findings) {
      if (requirement !== id || verdict !== 'fail' || place.file !== RULES_PLACE.file) continue;
      const rule = RULES.find(({ statement }) => statement === place.title);
      const begin = rule === undefined ? 'judgeDocumentedOperation ' : `${rule.id}:`;
      if (!named.some((each) => each.startsWith(begin))) unnamed.push(`${id}: ${place.title} (${fault.id})`);
    }
  }
  expect([...new Set(unnamed)]).toEqual([]);
});
