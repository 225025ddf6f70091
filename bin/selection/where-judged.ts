/** Finds the code that judges a requirement: tests, rules over several answers, and checks of every answer. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { OF_EVERY_ANSWER } from '../../fixtures/evidence/recompute.ts';
import type { ReadTest } from '../../fixtures/lanes/collection.ts';
import { REFUSED_BY } from '../../fixtures/interface/request-oracle.ts';
import { OF_REMOVAL } from '../../fixtures/rules/answers.ts';
import { locateSource } from '../../fixtures/lanes/source-place.ts';
import { RULES } from '../../fixtures/rules/judge-exchanges.ts';

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
const OF_EACH_ANSWER: ReadonlySet<string> = new Set(
  OF_EVERY_ANSWER.filter((each) => !JUDGED_APART.includes(each)),
);
/** Promises about one answer to a determined request with the key. */
const DEMANDED: ReadonlySet<string> = new Set([
  ...REFUSED_BY,
  ...OF_REMOVAL,
  'create-pet.answers-201',
  'get-pet.answers-200',
  'get-pet.not-found',
  'get-pet.not-found-at-ends',
  'deprecation.still-served',
]);

/** Promises about a valid list that gets another status than 200: all such lists are judged together. */
const OF_UNSERVED_LISTS: ReadonlySet<string> = new Set([
  'list-pets.answers-200',
  'list-pets.limit-accepted',
  'list-pets.status-accepted',
  'list-pets.parameter-order',
  'list-pets.percent-encoding',
]);
/** Promises about answers that the document does not show. */
const OF_OPEN_ANSWERS: readonly string[] = [
  'errors.undocumented',
  'errors.no-server-error',
  'errors.allow',
  'errors.no-content',
];

/** Rooms whose code chooses the promise that an answer breaks. */
const JUDGING = ['fixtures/interface', 'fixtures/judgement', 'fixtures/rules'];
const ROOT = new URL('../../', import.meta.url);

/** Returns the path of a test file from the root of the project, such as `tests/list-pets.spec.ts`. */
export function shortenTestPath(file: string): string {
  return file.replaceAll('\\', '/').replace(/^.*\/(?=tests\/)/, '');
}

/**
 * Returns the places of tests. The plain test of the requirement comes first: a test in the file of its stem, with few
 * requirements. An installed package has only compiled tests, so its line numbers are of `.js` files.
 */
export function locateTests(tests: readonly ReadTest[], id: string): CodePlace[] {
  const [stem] = id.split('.');
  const distance = ({ place: { file } }: ReadTest) => {
    const path = shortenTestPath(file);
    if (!path.startsWith(`tests/${stem}.`)) return 2;
    return path === `tests/${stem}.spec.ts` ? 0 : 1;
  };
  return tests
    .toSorted(
      (one, other) =>
        distance(one) - distance(other) || one.declared.verifies.length - other.declared.verifies.length,
    )
    .map(({ place: { title, file, line } }) => ({ title, file: shortenTestPath(file), line }));
}

/**
 * Returns the rules that may find a requirement broken, then code that names it: the code that chooses the promise for an
 * answer, and the check of each answer that asks that code.
 */
export async function locateRules(id: string): Promise<CodePlace[]> {
  const files = await filesOfRules();
  const rules = RULES.filter(({ verifies }) => verifies.some((each) => each === id)).map((rule) => {
    const file = files.get(rule) ?? 'fixtures/rules/judge-exchanges.ts';
    const isOfRule = (line: string) => line.includes(`id: '${rule.id}'`);
    return { title: `${rule.id}: ${rule.statement}`, file, ...findLine(file, isOfRule) };
  });
  const isOfEveryAnswer = OF_EACH_ANSWER.has(id);
  const answers = OF_OPEN_ANSWERS.includes(id)
    ? 'answer that the document does not show'
    : 'documented answer';
  // A line with nothing but the id is an entry in a list of promises, which judges nothing.
  const names = (line: string) => line.includes(`'${id}'`) && line.trim() !== `'${id}',`;
  const others = JUDGING.flatMap((room) => compiledIn(room).map((name) => `${room}/${sourceName(name)}`))
    .filter((file) => !rules.some((rule) => rule.file === file))
    .flatMap((file) =>
      findLines(file, names).map(({ line, declaration }) => ({
        title: isOfEveryAnswer
          ? `${declaration}: checked in every ${answers}`
          : `${declaration} names this promise`,
        file,
        line,
      })),
    );
  return [
    ...rules,
    ...others,
    ...(isOfEveryAnswer || DEMANDED.has(id) ? locateInAnswers(COMPARISON) : []),
    ...(OF_UNSERVED_LISTS.has(id) ? locateInAnswers(LISTS) : []),
  ];
}

/** The functions that judge one answer and unserved lists: how each begins, and what it does. */
const COMPARISON = [
  'function judgeDocumentedOperation',
  'compares an answer with what the document shows for it',
] as const;
const LISTS = [
  'export function blameUnservedLists',
  'charges valid lists that got another status than 200',
] as const;

function locateInAnswers([begin, does]: readonly [string, string]): CodePlace[] {
  const file = 'fixtures/rules/answers.ts';
  return findLines(file, (line) => line.startsWith(begin)).map(({ line, declaration }) => ({
    title: `${declaration} ${does}`,
    file,
    line,
  }));
}

/** A line of a source, and the function or table that it is a part of. */
interface NamingLine {
  line: number;
  declaration: string;
}

/** Returns the first line of a source that fits; null if none does. */
function findLine(source: string, fits: (line: string) => boolean): { line: number } | null {
  const [first] = findLines(source, fits);
  return first === undefined ? null : { line: first.line };
}

/** Returns the lines of a source that fit, found in the file that runs; of each declaration the first. */
function findLines(source: string, fits: (line: string) => boolean): NamingLine[] {
  const compiled = fileURLToPath(new URL(source.replace(/\.ts$/, '.js'), ROOT));
  const file = existsSync(compiled) ? compiled : fileURLToPath(new URL(source, ROOT));
  const found = new Map<string, NamingLine>();
  let declaration = '';
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    declaration = DECLARATION.exec(line)?.[1] ?? declaration;
    if (!fits(line) || found.has(declaration)) continue;
    const { line: written } = locateSource({ file, line: index + 1, column: line.search(/\S/) + 1 });
    found.set(declaration, { line: written, declaration });
  }
  return [...found.values()];
}

/** A declaration at the beginning of a line. */
const DECLARATION = /^(?:export )?(?:async )?(?:function|const|class) (\w+)/;

function compiledIn(room: string): string[] {
  return readdirSync(new URL(room, ROOT)).filter((name) => /(?<!\.d)\.[jt]s$/.test(name));
}

function sourceName(name: string): string {
  return name.replace(/\.js$/, '.ts');
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
