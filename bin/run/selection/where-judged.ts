/**
 * Finds the code that judges a requirement, for the command `explain`: its tests, the rules over several answers, and the
 * code that judges one answer.
 */
import { REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';
import type { ReadTest } from '../../../fixtures/asking/lanes/collection.ts';
import { shortenTestPath } from '../../../fixtures/judgement/finding.ts';
import { RULES } from '../../../fixtures/judgement/rules/judge-exchanges.ts';
import { listCompiled, DECLARATION, findLine, findLines, ROOT, nameSource } from './source-lines.ts';

/** A place in the project. */
interface CodePlace {
  title: string;
  /** The path from the root of the project. */
  file: string;
  line?: number;
}

/** Judges each answer by itself. The declarations below it name the promise that the answer breaks. */
const OF_ONE_ANSWER = {
  file: 'fixtures/judgement/rules/answers.ts',
  declaration: 'judgeDocumentedOperation',
};
/** Folders whose code judges one answer, or chooses the promise that it breaks. Rules list their promises. */
const JUDGING = ['fixtures/interface', 'fixtures/judgement'];

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

/**
 * Returns the places that judge a requirement without its tests: rules that verify it, then the function that judges each
 * answer by itself, with the declarations that name the requirement.
 */
export async function locateRules(id: string): Promise<CodePlace[]> {
  if (REQUIREMENTS[id] === undefined) return [];
  const files = await findRuleFiles();
  const rules = RULES.filter(({ verifies }) => verifies.some((each) => each === id)).map((rule) => {
    const file = files.get(rule) ?? 'fixtures/judgement/rules/judge-exchanges.ts';
    const isOfRule = (line: string) => line.includes(`id: '${rule.id}'`);
    return { title: `${rule.id}: ${rule.statement}`, file, ...findLine(file, isOfRule) };
  });
  const naming = findNaming(id);
  if (rules.length > 0 && naming.length === 0) return rules;
  const { file, declaration } = OF_ONE_ANSWER;
  const line = findLine(file, (each) => DECLARATION.exec(each)?.[1] === declaration);
  return [...rules, { title: `${declaration} judges each answer by itself`, file, ...line }, ...naming];
}

/** Returns each declaration that names a requirement, with the first line that does so. */
function findNaming(id: string): CodePlace[] {
  // A line with nothing but the id is an entry in a list of promises, which judges nothing.
  const names = (line: string) => line.includes(`'${id}'`) && line.trim() !== `'${id}',`;
  const files = JUDGING.flatMap((room) => listCompiled(room).map((name) => `${room}/${nameSource(name)}`));
  return [...files, OF_ONE_ANSWER.file].flatMap((file) =>
    findLines(file, names).map(({ line, declaration }) => ({ title: `${declaration} names it`, file, line })),
  );
}

/** Returns the source file of each value that a file in `fixtures/judgement/rules/` exports; rules are among these values. */
async function findRuleFiles(): Promise<ReadonlyMap<unknown, string>> {
  const room = 'fixtures/judgement/rules';
  const exported = await Promise.all(
    listCompiled(room).map(async (name) => {
      const module = (await import(new URL(`${room}/${name}`, ROOT).href)) as Readonly<
        Record<string, unknown>
      >;
      const file = `${room}/${nameSource(name)}`;
      return Object.values(module).map((each): [unknown, string] => [each, file]);
    }),
  );
  return new Map(exported.flat());
}
