/** Finds the code that judges a requirement: tests, rules over several answers, checks of every answer, and the code that chooses it. */
import { OF_EVERY_ANSWER } from '../../fixtures/evidence/recompute.ts';
import type { ReadTest } from '../../fixtures/lanes/collection.ts';
import { REFUSED_BY } from '../../fixtures/interface/request-oracle.ts';
import { RULES } from '../../fixtures/rules/judge-exchanges.ts';
import { findNaming } from './naming-code.ts';
import { compiledIn, DECLARATION, findLine, ROOT, sourceName } from './source-lines.ts';

/** A place in the project. */
interface CodePlace {
  title: string;
  /** The path from the root of the project. */
  file: string;
  line?: number;
}

/** Judged by rules or tests of their own, though every answer may break them. */
const JUDGED_APART: readonly string[] = [
  'representation.base-path',
  'authentication.head',
  'authentication.valid-key',
];
/** Promises that one answer breaks, whichever request it answers. */
const OF_EACH_ANSWER = OF_EVERY_ANSWER.filter((each) => !JUDGED_APART.includes(each));
/** Promises about a valid list that gets another status than 200: all such lists are judged together. */
const OF_UNSERVED_LISTS: readonly string[] = [
  'list-pets.answers-200',
  'list-pets.limit-accepted',
  'list-pets.status-accepted',
  'list-pets.parameter-order',
  'list-pets.percent-encoding',
];

const ANSWERS = 'fixtures/rules/answers.ts';
/** The functions that call the checks of one answer, with the promises for which they do it. */
const CALLERS: readonly { declaration: string; does: Readonly<Record<string, string>> }[] = [
  {
    declaration: 'judgeDocumentedOperation',
    does: {
      ...sayOfEach(
        OF_EACH_ANSWER,
        'calls the checks below for every answer to a request whose answer the document shows, but for orders',
      ),
      ...sayOfEach(
        REFUSED_BY,
        'charges each status but 400 (a 4xx, beside a member that NewPet does not show)',
      ),
      'create-pet.other-members': 'charges each status but a 4xx for a body that breaks it',
      'create-pet.answers-201': 'charges a success other than 201; the rules above judge refusals',
      'get-pet.answers-200': 'charges a status other than 200, 404 and 410; the rule presences judges a 404',
      'get-pet.not-found':
        'charges a status other than 404 and 200, also for 0 and other rare identifiers; the tests judge a 200',
      'get-pet.not-found-at-ends':
        'charges a status other than 404 and 200 at both ends of int64 alone; the tests judge a 200, and other rare identifiers',
      'deprecation.still-served': 'charges a 410 for an animal that exists',
    },
  },
  {
    declaration: 'blameUnservedLists',
    does: sayOfEach(OF_UNSERVED_LISTS, 'charges valid lists that got another status than 200'),
  },
];

function sayOfEach(ids: readonly string[], does: string): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, does]));
}

/** Returns the path of a test file from the root of the project, such as `tests/list-pets.spec.ts`. */
export function shortenTestPath(file: string): string {
  return file.replaceAll('\\', '/').replace(/^.*\/(?=tests\/)/, '');
}

/** Sorts tests of a requirement: the plain test comes first, in the file of its stem, with few requirements. */
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

/** Returns the places of tests. An installed package has only compiled tests, so its line numbers are of `.js` files. */
export function locateTests(tests: readonly ReadTest[]): CodePlace[] {
  return tests.map(({ place: { title, file, line } }) => ({ title, file: shortenTestPath(file), line }));
}

/**
 * Returns the rules that may find a requirement broken, then the functions that judge it in each answer, then the code
 * that chooses it.
 */
export async function locateRules(id: string): Promise<CodePlace[]> {
  const files = await filesOfRules();
  const rules = RULES.filter(({ verifies }) => verifies.some((each) => each === id)).map((rule) => {
    const file = files.get(rule) ?? 'fixtures/rules/judge-exchanges.ts';
    const isOfRule = (line: string) => line.includes(`id: '${rule.id}'`);
    return { title: `${rule.id}: ${rule.statement}`, file, ...findLine(file, isOfRule) };
  });
  const callers = CALLERS.flatMap(({ declaration, does: { [id]: does } }) =>
    does === undefined
      ? []
      : [
          {
            title: `${declaration} ${does}`,
            file: ANSWERS,
            ...findLine(ANSWERS, (line) => DECLARATION.exec(line)?.[1] === declaration),
          },
        ],
  );
  const others = findNaming(id)
    .filter(({ does }) => does !== 'none')
    .map(({ declaration, does, file, line }) => ({ title: `${declaration} ${does}`, file, line }));
  return [...rules, ...callers, ...others];
}

/** Returns the file of each export in `fixtures/rules/`. */
async function filesOfRules(): Promise<ReadonlyMap<unknown, string>> {
  const room = 'fixtures/rules';
  const exported = await Promise.all(
    compiledIn(room).map(async (name) => {
      const module = (await import(new URL(`${room}/${name}`, ROOT).href)) as Readonly<
        Record<string, unknown>
      >;
      const file = `${room}/${sourceName(name)}`;
      return Object.values(module).map((each): [unknown, string] => [each, file]);
    }),
  );
  return new Map(exported.flat());
}
