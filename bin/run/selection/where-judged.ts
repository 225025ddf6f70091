/**
 * Finds facts about a requirement for the command `explain`: its tests, the rules that judge it, and the requests that the suite
 * sends about it.
 */
import { readdirSync } from 'node:fs';
import { REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';
import type { ReadTest } from '../../../fixtures/asking/lanes/collection.ts';
import { shortenTestPath } from '../../../fixtures/judgement/finding.ts';
import { RULES } from '../../../fixtures/judgement/rules/rules.ts';
import type { Exchange } from '../../../fixtures/exchange/exchange.ts';
import { judgeVariant, type JudgedVariant } from '../../../fixtures/implementations/judge-variant.ts';
import { Reference } from '../../../fixtures/reference/reference-service.ts';
import type { CodePlace } from '../../../reports/shown/text/explanation.ts';

/** The place of the function that judges each answer by itself, and names the promise that it breaks. */
const SINGLE_ANSWER = {
  title: 'judgeDocumentedOperation judges each answer by itself',
  file: 'fixtures/judgement/rules/answers.ts',
};

/**
 * Sorts the tests of a requirement, the plainest first. For `list-pets.limit`: tests in `list-pets.spec.ts`, then in
 * `list-pets.*.spec.ts`, then others. In each group, tests that verify few requirements come first.
 */
export function sortByPlainness(tests: readonly ReadTest[], id: string): readonly ReadTest[] {
  const [stem] = id.split('.');
  const rank = ({ place: { file } }: ReadTest) => {
    const path = shortenTestPath(file);
    if (!path.startsWith(`tests/${stem}.`)) return 2;
    return path === `tests/${stem}.spec.ts` ? 0 : 1;
  };
  return tests.toSorted(
    (one, other) => rank(one) - rank(other) || one.declared.verifies.length - other.declared.verifies.length,
  );
}

/** Returns title, path and line of each test. In an installed package, these are lines of the compiled `.js` files. */
export function locateTests(tests: readonly ReadTest[]): CodePlace[] {
  return tests.map(({ place: { title, file, line } }) => {
    const path = shortenTestPath(file);
    const isCertifiedOnly = path.startsWith('tests/authentication.unannounced.');
    return { title: isCertifiedOnly ? `${title} (certified runs only)` : title, file: path, line };
  });
}

/** Returns the places that judge a requirement without its tests: rules that verify it, then the function for single answers. */
export async function locateRules(id: string): Promise<CodePlace[]> {
  // Nothing judges what nobody can test from outside.
  if (REQUIREMENTS[id] === undefined || REQUIREMENTS[id].excused !== undefined) return [];
  const files = await findRuleFiles();
  const rules = RULES.filter(({ verifies }) => verifies.some((each) => each === id));
  return [...rules.map((rule) => ({ title: rule.statement, file: files.get(rule) ?? '' })), SINGLE_ANSWER];
}

/** Returns the source file of each rule. The map has every value that a file in `fixtures/judgement/rules/` exports. */
async function findRuleFiles(): Promise<ReadonlyMap<unknown, string>> {
  const folder = new URL('../../../fixtures/judgement/rules/', import.meta.url);
  const names = readdirSync(folder).filter((name) => /(?<!\.d)\.[jt]s$/.test(name));
  const exported = await Promise.all(
    names.map(async (name) => {
      const module = (await import(new URL(name, folder).href)) as Readonly<Record<string, unknown>>;
      const file = `fixtures/judgement/rules/${name.replace(/\.js$/, '.ts')}`;
      return Object.values(module).map((each): [unknown, string] => [each, file]);
    }),
  );
  return new Map(exported.flat());
}

/** The PROPERTY_RUNS of `explain`: a few generated requests are enough to show what a test asks. */
export const FEW_INPUTS_SHOWN = 10;

/** `judged`: the run against the reference. `sent`: its requests about the promise, each with the place that sent it, e.g. `tests/list-pets.spec.ts:40`. */
interface WhatIsSent {
  judged: JudgedVariant;
  sent: readonly { exchange: Exchange; by: string }[];
}

/**
 * Runs the tests against the reference, and returns their requests about a promise or an open question, in the order of the
 * tests. Requests that the session itself sent for it come last.
 * @param tests the tests of the promise, the plainest first
 */
export async function findWhatIsSent(id: string, tests: readonly ReadTest[]): Promise<WhatIsSent> {
  const { judged, idsOfTest } = await runOnReference(tests);
  const operation = REQUIREMENTS[id]?.operation ?? 'every operation';
  const exchanges = judged.all().filter((each) => isOfOperation(each, operation));
  const ran = tests.filter((test) => idsOfTest.has(test));
  // Generated requests of a property are about several promises. They are shown only if the property is the only test that ran.
  const shownTests = ran.filter(
    (test) => ran.length === 1 || !nameFile(test).startsWith('tests/properties/'),
  );
  const ofTests = shownTests.flatMap((test) =>
    exchanges
      .filter((each) => idsOfTest.get(test)?.includes(each.id))
      .map((exchange) => ({ exchange, by: `${nameFile(test)}:${test.place.line}` })),
  );
  const idsOfAllTests = new Set([...idsOfTest.values()].flat());
  const ofSession = exchanges.filter((each) => each.ask.purpose === id && !idsOfAllTests.has(each.id));
  return {
    judged,
    sent: [...ofTests, ...ofSession.map((exchange) => ({ exchange, by: 'fixtures/session/audit/' }))],
  };
}

/** Runs the tests against the reference. `idsOfTest`: the ids of the exchanges of each test that ran. */
async function runOnReference(tests: readonly ReadTest[]) {
  const idsOfTest = new Map<ReadTest, readonly string[]>();
  const noteIds = (test: ReadTest) => ({
    ...test,
    body: (args: Parameters<typeof test.body>[0]) => {
      // The scope adds ids to this list while the body runs. The list is noted here, because the body may throw.
      idsOfTest.set(test, args.scope.exchangesOfTest);
      return test.body(args);
    },
  });
  const reference = { vary: () => Reference, settings: { propertyRuns: FEW_INPUTS_SHOWN } };
  return { judged: await judgeVariant(reference, tests.map(noteIds)), idsOfTest };
}

function nameFile({ place: { file } }: ReadTest): string {
  return shortenTestPath(file);
}

/**
 * True if the request is of one of these operations, e.g. `listPets, getPet`, as the catalogue writes them. A request of no
 * documented operation, such as HEAD, may be about each of them.
 */
function isOfOperation({ ask }: Exchange, operation: string): boolean {
  if (operation === 'every operation') return true;
  if (ask.operation === 'storeOrders') return operation === 'GET /store/orders';
  return ask.operation === 'other' || operation.split(', ').includes(ask.operation);
}
