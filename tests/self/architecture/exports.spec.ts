import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { unusedExports, unusedMembers } from './exports.ts';
import { sourcesBelow, textBelow } from './imports.ts';

/** The root of the project, seen from the compiled tests: what is read are the sources. */
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** Modules that programs outside of this project import. */
const PUBLIC = 'bin/library.ts';
const SELF_TESTS = 'tests/self/';
/** Parts of a file that a self-test looks at by themselves. A new one needs a reason: what others see is enough to test most things. */
const SEEN_BY_SELF_TESTS = [
  'bin/command-line/variable-options.ts spellFlag',
  'bin/prove/judge-task.ts shortenFile',
  'bin/release/allowed.ts isAllowed',
  'fixtures/asking/arbitraries/generated-bodies.ts validBodies',
  'fixtures/interface/request-oracle.ts isWellFormed',
  'fixtures/situations/credentials/credentials.ts spellToken',
  'fixtures/implementations/judge-variant.ts JudgedVariant',
  'fixtures/implementations/judge-variant.ts judgeServed',
  'fixtures/implementations/names-of-faults.ts SEVERAL',
  'fixtures/implementations/pairs.ts countContradicting',
  'fixtures/session/dispatch/wrong-key-budget.ts KEPT_FOR_MUSTS',
  'fixtures/settings/describe.ts writeEnvExample',
  'fixtures/settings/describe.ts writeVariablesTable',
  'reports/certificate/recheck-evidence.ts readRecord',
  'reports/certificate/signed/revocation.ts REVOCATIONS',
  'reports/document/waivers.ts Waiver',
  'reports/shown/words/commands.ts spellReplayCommand',
];
/** Members that Playwright, Node, or readers of `tests/self/survivors.json` use. */
const USED_BY_OTHERS: ReadonlySet<string> = new Set([
  ...['printsToStdio', 'onBegin', 'onTestEnd', 'onExit'].map((name) => `bin/run/runner/reporter.ts ${name}`),
  ...['_destroy', 'setNoDelay', 'setKeepAlive', 'destroySoon', 'encrypted'].map(
    (name) => `bin/prove/world/simulated-network.ts ${name}`,
  ),
  ...['class', 'issue'].map((name) => `reports/shown/proof/kill-matrix.ts ${name}`),
]);

test('nothing is exported that no other file imports', () => {
  const files = [...sourcesBelow(ROOT, ['bin', 'fixtures', 'reports', 'tests']), 'playwright.config.ts'];
  const unused = unusedExports(files, textBelow(ROOT));
  expect(unused.filter((each) => !each.startsWith(`${PUBLIC} `))).toEqual([]);
});

test('few exports are for self-tests alone', () => {
  const files = [...sourcesBelow(ROOT, ['bin', 'fixtures', 'reports', 'tests']), 'playwright.config.ts'];
  const others = files.filter((file) => !file.startsWith(SELF_TESTS));
  const alone = unusedExports(others, textBelow(ROOT)).filter((each) => !each.startsWith(`${PUBLIC} `));
  expect(alone.filter((each) => !SEEN_BY_SELF_TESTS.includes(each))).toEqual([]);
  expect(SEEN_BY_SELF_TESTS.length).toBeLessThan(20);
});

test('no class and no interface has a member that nothing reads', () => {
  const files = sourcesBelow(ROOT, ['bin', 'fixtures', 'reports', 'tests']).filter(
    (file) => !file.startsWith(SELF_TESTS) && !file.startsWith('fixtures/implementations/others/services/'),
  );
  const unused = unusedMembers(files, textBelow(ROOT));
  expect(unused.filter((each) => !USED_BY_OTHERS.has(each))).toEqual([]);
  const texts: Record<string, string> = {
    'a.ts': 'class A { one = 1; get two() { return 2; } three() { return this.one; } }',
    'b.ts': "interface B { four: string; five: 5 }\nnew A().three();\nconst read = (of: B) => of['five'];",
  };
  expect(unusedMembers(Object.keys(texts), (file) => texts[file] ?? '')).toEqual(['a.ts two', 'b.ts four']);
});

test('every form of an export and of an import is seen', () => {
  const texts: Record<string, string> = {
    'a.ts': `
      export const [one, { two }] = read();
      export function three() {}
      export class Four {}
      export type Five = 5;
      export default 6;`,
    'b.ts': `
      import { one } from './a.ts';
      export { three as drei } from './a.ts';
      type Read = import('./c.ts').Seven;`,
    'c.ts': 'export interface Seven {}\nexport const eight = 8;',
    'd.ts': "export const nine = 9;\nawait import('./e.ts');",
    'e.ts': 'export const ten = 10;',
  };
  expect(unusedExports(Object.keys(texts), (file) => texts[file] ?? '')).toEqual([
    'a.ts two',
    'a.ts Four',
    'a.ts Five',
    'd.ts nine',
  ]);
});
