import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import { findNaming } from '../../../bin/run/selection/naming-code.ts';
import { isAbout, runOnReference } from '../../../bin/run/selection/on-reference.ts';
import { locateRules } from '../../../bin/run/selection/where-judged.ts';
import { FAULTS } from '../../../fixtures/implementations/faults/index.ts';
import { judgeVariant } from '../../../fixtures/implementations/judge-variant.ts';
import { TESTED } from '../../../fixtures/interface/requirements.ts';
import { RULES_PLACE, shortenTestPath } from '../../../fixtures/judgement/finding.ts';
import { RULES } from '../../../fixtures/judgement/rules/judge-exchanges.ts';

const suite = collectSuite();
/** The root of the project, seen from the compiled tests. */
const root = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

test('explain says of each function and table that names a promise what it does with it', () => {
  const unsaid = TESTED.flatMap((id) => findNaming(id)).filter(({ does }) => does === undefined);
  expect([...new Set(unsaid.map(({ file, declaration }) => `${file} ${declaration}`))]).toEqual([]);
});

test('each test demands something about each of its promises, or a comment in its file names the rule that judges it', async () => {
  test.setTimeout(300_000);
  const tests = (await suite).filter(({ place }) => !place.file.includes('properties'));
  const { grounds } = await runOnReference(tests);
  const silent = tests.flatMap(({ declared, place }, index) => {
    const ran = grounds.get(tests[index]!);
    if (ran === undefined || !ran.isWhole || ran.asked.length === 0) return [];
    const file = shortenTestPath(place.file);
    const text = readFileSync(root(file), 'utf8');
    const isNamed = (id: string) =>
      (text.includes('`judgeOpen`') && findNaming(id).some(({ does }) => does?.includes('does not show'))) ||
      RULES.some((rule) => rule.verifies.some((each) => each === id) && text.includes(`\`${rule.id}\``));
    return declared.verifies
      .filter((id) => !ran.demands.some((each) => isAbout(each, id)) && !isNamed(id))
      .map((id) => `${file} ${place.title}: ${id}`);
  });
  expect(silent).toEqual([]);
});

test('explain names each rule that finds a fault of a promise', { tag: '@long' }, async () => {
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
      const begin = rule === undefined ? /^(judge|blameUnservedLists|OF_REMOVAL)/ : `${rule.id}:`;
      if (!named.some((each) => (typeof begin === 'string' ? each.startsWith(begin) : begin.test(each))))
        unnamed.push(`${id}: ${place.title} (${fault.id})`);
    }
  }
  expect([...new Set(unnamed)]).toEqual([]);
});
