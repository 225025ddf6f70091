/** Finds the code that judges a requirement: tests, rules over several answers, and checks of every answer. */
import { readdirSync } from 'node:fs';
import { OF_EVERY_ANSWER } from '../../fixtures/evidence/recompute.ts';
import type { ReadTest } from '../../fixtures/lanes/collection.ts';
import { RULES } from '../../fixtures/rules/judge-exchanges.ts';

/** A place in the project. */
interface CodePlace {
  title: string;
  /** The path from the root of the project. */
  file: string;
  line?: number;
}

/** Files that check every single answer: one decides which answer is due, the other if it is as documented. */
const EVERY_ANSWER = ['fixtures/rules/answers.ts', 'fixtures/judgement/documented-answer.ts'];

/** Returns the path of a test file from the root of the project, such as `tests/list-pets.spec.ts`. */
export function shortenTestPath(file: string): string {
  return file.replaceAll('\\', '/').replace(/^.*\/(?=tests\/)/, '');
}

/**
 * Returns the places of tests; tests with the fewest requirements come first. An installed package has compiled
 * tests only, so lines are those of `.js` files.
 */
export function locateTests(tests: readonly ReadTest[]): CodePlace[] {
  return tests
    .toSorted((one, other) => one.declared.verifies.length - other.declared.verifies.length)
    .map(({ place: { title, file, line } }) => ({ title, file: shortenTestPath(file), line }));
}

/** Returns the rules that may find a requirement broken, and the files that check every answer for it. */
export async function locateRules(id: string): Promise<CodePlace[]> {
  const files = await filesOfRules();
  const rules = RULES.filter(({ verifies }) => verifies.some((each) => each === id));
  return [
    ...rules.map((rule) => ({
      title: `${rule.id}: ${rule.statement}`,
      file: files.get(rule) ?? 'fixtures/rules/judge-exchanges.ts',
    })),
    ...(OF_EVERY_ANSWER.some((each) => each === id)
      ? EVERY_ANSWER.map((file) => ({ title: 'checked in every answer by itself', file }))
      : []),
  ];
}

/** The file of each export in `fixtures/rules/`. */
async function filesOfRules(): Promise<ReadonlyMap<unknown, string>> {
  const folder = new URL('../../fixtures/rules/', import.meta.url);
  const names = readdirSync(folder).filter((name) => /(?<!\.d)\.[jt]s$/.test(name));
  const exported = await Promise.all(
    names.map(async (name) => {
      const module = (await import(new URL(name, folder).href)) as Readonly<Record<string, unknown>>;
      const file = `fixtures/rules/${name.replace(/\.js$/, '.ts')}`;
      return Object.values(module).map((each): [unknown, string] => [each, file]);
    }),
  );
  return new Map(exported.flat());
}
