/** Finds what judges a requirement, for the command `explain`: its tests, and the rules over several answers. */
import { readdirSync } from 'node:fs';
import { REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';
import type { ReadTest } from '../../../fixtures/asking/lanes/collection.ts';
import { shortenTestPath } from '../../../fixtures/judgement/finding.ts';
import { RULES } from '../../../fixtures/judgement/rules/rules.ts';

/** A place in the project. */
interface CodePlace {
  title: string;
  /** The path from the root of the project. */
  file: string;
  line?: number;
}

/** Judges each answer by itself, and names the promise that it breaks. */
const OF_ONE_ANSWER = {
  title: 'judgeDocumentedOperation judges each answer by itself',
  file: 'fixtures/judgement/rules/answers.ts',
};

/**
 * Sorts the tests of a requirement, the plainest first. For `list-pets.limit`: tests in `list-pets.spec.ts`, then in
 * `list-pets.*.spec.ts`, then others. In each group, tests that verify few requirements come first.
 */
export function sortByPlainness(tests: readonly ReadTest[], id: string): readonly ReadTest[] {
  const [stem] = id.split('.');
  const distance = ({ place: { file } }: ReadTest) => {
    const path = shortenTestPath(file);
    if (!path.startsWith(`tests/${stem}.`)) return 2;
    return path === `tests/${stem}.spec.ts` ? 0 : 1;
  };
  return tests.toSorted(
    (one, other) =>
      distance(one) - distance(other) || one.declared.verifies.length - other.declared.verifies.length,
  );
}

/** Returns title, path and line of each test. In an installed package, lines are those of the compiled `.js` files. */
export function locateTests(tests: readonly ReadTest[]): CodePlace[] {
  return tests.map(({ place: { title, file, line } }) => {
    const path = shortenTestPath(file);
    const isCertifiedOnly = path.startsWith('tests/authentication.unannounced.');
    return { title: isCertifiedOnly ? `${title} (certified runs only)` : title, file: path, line };
  });
}

/** Returns the places that judge a requirement without its tests: rules that verify it, then the function for single answers. */
export async function locateRules(id: string): Promise<CodePlace[]> {
  if (REQUIREMENTS[id] === undefined) return [];
  const files = await findRuleFiles();
  const rules = RULES.filter(({ verifies }) => verifies.some((each) => each === id));
  return [...rules.map((rule) => ({ title: rule.statement, file: files.get(rule) ?? '' })), OF_ONE_ANSWER];
}

/** Returns the source file of each value that a file in `fixtures/judgement/rules/` exports; rules are among these values. */
async function findRuleFiles(): Promise<ReadonlyMap<unknown, string>> {
  const room = new URL('../../../fixtures/judgement/rules/', import.meta.url);
  const names = readdirSync(room).filter((name) => /(?<!\.d)\.[jt]s$/.test(name));
  const exported = await Promise.all(
    names.map(async (name) => {
      const module = (await import(new URL(name, room).href)) as Readonly<Record<string, unknown>>;
      const file = `fixtures/judgement/rules/${name.replace(/\.js$/, '.ts')}`;
      return Object.values(module).map((each): [unknown, string] => [each, file]);
    }),
  );
  return new Map(exported.flat());
}
