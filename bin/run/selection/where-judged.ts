/**
 * Finds the code that judges a requirement, for the command `explain`: its tests, the rules over several answers, the
 * checks of each answer, and the code that chooses which promise an answer breaks.
 */
import { OF_EVERY_ERROR, OF_EVERY_PET } from '../../../fixtures/interface/blame.ts';
import type { RequirementId } from '../../../fixtures/interface/requirements.ts';
import type { ReadTest } from '../../../fixtures/asking/lanes/collection.ts';
import { REFUSED_BY } from '../../../fixtures/interface/request-oracle.ts';
import { shortenTestPath } from '../../../fixtures/judgement/finding.ts';
import { RULES } from '../../../fixtures/judgement/rules/judge-exchanges.ts';
import { findNaming } from './naming-code.ts';
import { listCompiled, DECLARATION, findLine, ROOT, nameSource } from './source-lines.ts';

/** A place in the project. */
interface CodePlace {
  title: string;
  /** The path from the root of the project. */
  file: string;
  line?: number;
}

/** Promises that `findAnswerFlaws` judges in every answer. */
const OF_EVERY_ANSWER: readonly RequirementId[] = [
  ...OF_EVERY_PET,
  'representation.base-path',
  'representation.pet-object',
  'list-pets.bare-array',
  'get-pet.same-id',
  'get-pet.id-exact',
  'get-pet.not-found',
  'get-pet.not-found-at-ends',
  'deprecation.removed',
  'deprecation.still-served',
  'deprecation.sunset',
  'deprecation.deprecation',
  'authentication.challenge',
  'authentication.scheme-case',
  'list-pets.answers-200',
  'list-pets.empty',
  'list-pets.limit-accepted',
  'list-pets.status-accepted',
  'create-pet.broken-characters',
  'create-pet.location-names-it',
  ...REFUSED_BY,
  'store-orders.error',
  ...OF_EVERY_ERROR,
  'errors.allow',
  'errors.no-content',
  'errors.no-server-error',
  'errors.undocumented',
];
/** Promises in `OF_EVERY_ANSWER` that rules or tests of their own judge. */
const JUDGED_APART: readonly string[] = [
  'representation.base-path',
  'authentication.head',
  'authentication.valid-key',
];
/** Promises that the checks of each answer judge, whatever the request was. */
const OF_EACH_ANSWER = OF_EVERY_ANSWER.filter((each) => !JUDGED_APART.includes(each));
/** Promises that standards make of answers that the document does not show, e.g. to OPTIONS. */
const OF_STANDARDS: readonly string[] = [
  'errors.allow',
  'errors.no-content',
  'errors.no-server-error',
  'errors.undocumented',
];
/** Promises about a valid list that gets another status than 200: all such lists are judged together. */
const OF_UNSERVED_LISTS: readonly string[] = [
  'list-pets.answers-200',
  'list-pets.limit-accepted',
  'list-pets.status-accepted',
  'list-pets.parameter-order',
  'list-pets.percent-encoding',
];

/** Promises for which only 400 is right. For the others, an unknown member in the body permits other 4xx too. */
const ONLY_400: readonly string[] = [
  'create-pet.name-missing',
  'create-pet.category-id-missing',
  'create-pet.body-missing',
  'create-pet.empty-object',
  'create-pet.body-not-object',
  'create-pet.body-malformed',
];
const ANSWERS = 'fixtures/judgement/rules/answers.ts';
/** Statuses that may be about a limit, a gateway, the client or the key: the checks of one answer do not charge them. */
const NOT_CHARGED =
  'but not 401, 403, 408, 425, 429, a 503 that asks to wait, or a 406 to an unannounced request';
/**
 * The functions that call the checks of one answer. `does`: by promise, the words that `explain` prints. To "charge" a
 * status is to report it as a broken promise.
 */
const CALLERS: readonly { declaration: string; does: Readonly<Record<string, string>> }[] = [
  {
    declaration: 'judgeDocumentedOperation',
    does: {
      ...sayOfEach(
        OF_EACH_ANSWER,
        'calls the checks below for every answer to a request whose answer the document shows, but for orders, bodies above 64 KiB, 429, and a 503 that asks to wait',
      ),
      ...sayOfEach(
        ['errors.code-not-empty', 'errors.message-not-empty'],
        'calls the checks below for every documented Error, and for every other 4xx if the client accepts JSON, but for orders and bodies above 64 KiB',
      ),
      ...sayOfEach(
        OF_STANDARDS,
        'calls the checks below for every answer that the document does not show, but for orders, bodies above 64 KiB, a 503 that asks to wait, and a 403 or 406 to an unannounced request',
      ),
      ...sayOfEach(ONLY_400, `charges a status other than 400, ${NOT_CHARGED}`),
      ...sayOfEach(
        REFUSED_BY.filter((each) => !ONLY_400.includes(each)),
        `charges a status other than 400, ${NOT_CHARGED}; beside a member that NewPet does not show, other 4xx are right`,
      ),
      'create-pet.other-members': 'charges a status other than a 4xx, but not a 503 that asks to wait',
      'create-pet.answers-201': 'charges a success other than 201',
      'get-pet.answers-200': `charges a status other than 200, 404 and 410, ${NOT_CHARGED}`,
      'get-pet.not-found': `charges a status other than 404 and 200, ${NOT_CHARGED}; also for 0 and other rare identifiers`,
      'get-pet.not-found-at-ends': `charges a status other than 404 and 200, ${NOT_CHARGED}; only at both ends of int64`,
      'deprecation.still-served': 'charges a 410 for an animal that exists',
    },
  },
  {
    declaration: 'blameUnservedLists',
    does: sayOfEach(
      OF_UNSERVED_LISTS,
      `charges valid lists that got another status than 200, ${NOT_CHARGED}`,
    ),
  },
];

function sayOfEach(ids: readonly string[], does: string): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, does]));
}

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
 * Returns the places that judge a requirement without its tests: rules that verify it, then callers of the checks of
 * each answer, then declarations that name it.
 */
export async function locateRules(id: string): Promise<CodePlace[]> {
  const files = await findRuleFiles();
  const rules = RULES.filter(({ verifies }) => verifies.some((each) => each === id)).map((rule) => {
    const file = files.get(rule) ?? 'fixtures/judgement/rules/judge-exchanges.ts';
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
