/** What fails a run, by its causes: the one that explains most comes first. */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import { readJson } from '../../fixtures/exchange/json.ts';
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import { brokenInWords, errorsInWords } from '../words/reasons/broken.ts';
import type { Report, RequirementResult } from './report.ts';
import { showing } from './shown-exchange.ts';

/** Results that one cause explains. The first one lends the cause its name. */
export type Cause = readonly [first: RequirementResult, ...others: RequirementResult[]];

/** What causes are found in. */
export interface Broken extends Pick<Report, 'requirements' | 'exchanges'> {
  run: Pick<Report['run'], 'strict'>;
}

/** What fails a run, the first cause first; what one cause explains is one failure. In strict mode a warning is a failure. Every report counts these. */
export function failuresOf(report: Broken): Cause[] {
  const { requirements, run } = report;
  return causesOf(
    report,
    requirements.filter(({ verdict }) => verdict === 'fail' || (run.strict && verdict === 'warn')),
  );
}

/** The warnings that fail nothing. */
export function warningsOf(report: Broken): Cause[] {
  const { requirements, run } = report;
  return run.strict
    ? []
    : causesOf(
        report,
        requirements.filter(({ verdict }) => verdict === 'warn'),
      );
}

/** What is wrong, in a few plain words. */
export function causeInWords(report: Broken, cause: Cause): string {
  const [{ id, statement }] = cause;
  const status = statusOfErrors(report, cause);
  return status === null ? brokenInWords(id, statement) : errorsInWords(status);
}

/** The tests that a cause made fail, each once. */
export function testsOf(cause: Cause): RequirementResult['tests'] {
  return [
    ...new Map(
      cause.flatMap(({ tests }) => tests).map((test) => [`${test.file}:${test.line} ${test.title}`, test]),
    ).values(),
  ];
}

/**
 * The broken promises that alone kept a requirement from being decided, also by way of others that they kept undecided; none
 * if something else did too, or nobody knows: reports before version 4 do not say.
 */
export function blockersIn(
  requirements: Broken['requirements'],
): (result: Pick<RequirementResult, 'cause'>) => string[] {
  const byId = new Map(requirements.map((each) => [each.id, each]));
  const rootsOf = (id: string, seen: readonly string[]): string[] => {
    const blocker = byId.get(id);
    if (blocker?.verdict !== 'inconclusive' || seen.includes(id)) return [id];
    const further = directly(blocker);
    return further.length === 0 ? [id] : further.flatMap((each) => rootsOf(each, [...seen, id]));
  };
  return (result) => [...new Set(directly(result).flatMap((id) => rootsOf(id, [])))];
}

function directly({ cause }: Pick<RequirementResult, 'cause'>): string[] {
  return cause?.requirement === undefined ? [] : [cause.requirement, ...(cause.also ?? [])];
}

function causesOf(report: Broken, results: readonly RequirementResult[]): Cause[] {
  const ordered = inOrder(report, results);
  const byAnswer = groups(ordered, (each) => answerOf(each));
  const errors = byAnswer.map(([first]) => errorOf(report, first));
  return groups([...byAnswer.entries()], ([index, [first]]) => {
    const status = errors[index] ?? null;
    const isShared = errors.filter((each) => each === status).length > 1;
    return status !== null && isShared ? JSON.stringify([status, first.level, first.waiver]) : `${index}`;
  }).map((same) => same.flatMap(([, group]) => group) as unknown as Cause);
}

/** What shows a result: one place in one answer, or the same expectation of a whole answer; a waiver holds for its own. */
function answerOf({ id, evidence, pointer, expected, received, waiver }: RequirementResult): string {
  const [shown] = evidence;
  if (shown === undefined) return JSON.stringify(id);
  return JSON.stringify(pointer ? [shown, pointer, waiver] : [shown, expected, received, waiver]);
}

/** Who takes any token takes odd ones too. */
const WRONG_KEYS = (['list-pets', 'create-pet', 'get-pet'] as const).map(
  (each) => `authentication.${each}-wrong-key`,
);
/**
 * Promises that a plainer one explains if both are broken: that of odd values if ordinary ones go wrong, that of all
 * lists if only empty ones do (were all wrong, the promise of empty ones would be undecided), that of what reads show
 * if two animals share an identifier, that of the form if only exactness is lost.
 */
const PLAINER: Readonly<Record<string, readonly string[]>> = {
  'authentication.truncated-key': WRONG_KEYS,
  'authentication.extended-key': WRONG_KEYS,
  'authentication.changed-key': WRONG_KEYS,
  'authentication.letter-case': WRONG_KEYS,
  'authentication.bytes-beyond-ascii': WRONG_KEYS,
  'authentication.wrapped-key': WRONG_KEYS,
  'representation.pet-category-id': ['create-pet.category-id-exact', 'get-pet.category-id-exact'],
  'representation.escapes': ['create-pet.status'],
  'create-pet.category-id-exact': ['create-pet.category-id'],
  'create-pet.other-members': ['create-pet.name-missing', 'create-pet.category-id-missing'],
  'get-pet.same-id': ['get-pet.not-found-at-ends'],
  // a name that cannot be written breaks every list from then on; it is sent last
  'list-pets.answers-200': ['list-pets.empty', 'create-pet.broken-characters'],
  'list-pets.bare-array': ['list-pets.empty'],
  'list-pets.agrees-with-create': ['create-pet.unique-id'],
  'list-pets.name-exact': ['list-pets.agrees-with-create'],
  'list-pets.category-id-exact': ['list-pets.agrees-with-create'],
  'list-pets.status-missing': ['list-pets.agrees-with-create'],
  'list-pets.shows-added': ['list-pets.not-empty', 'list-pets.longer-limit'],
  'get-pet.agrees-with-create': ['create-pet.unique-id'],
  'get-pet.name-exact': ['get-pet.agrees-with-create'],
  'get-pet.category-id-exact': ['get-pet.agrees-with-create'],
  'store-orders.wrong-key': ['store-orders.missing-key'],
};

/**
 * What no plainer promise explains comes first: core promises, then what keeps most from being decided, then what most tests
 * have met. What is waived, or only should be kept, comes after the rest.
 */
function inOrder({ requirements }: Broken, results: readonly RequirementResult[]): RequirementResult[] {
  const blocked = new Map<string, number>();
  for (const id of requirements.flatMap(blockersIn(requirements)))
    blocked.set(id, (blocked.get(id) ?? 0) + 1);
  const broken = new Set(results.map(({ id }) => id));
  const weights = ({ id, level, waiver, tests }: RequirementResult) => [
    Number(waiver === null),
    Number(level === 'must'),
    Number(!PLAINER[id]?.some((each) => broken.has(each))),
    Number(REQUIREMENTS[id]?.core === true),
    blocked.get(id) ?? 0,
    tests.length,
  ];
  return results.toSorted((one, other) => {
    const [left, right] = [weights(one), weights(other)];
    const place = left.findIndex((weight, index) => weight !== right[index]);
    return place === -1 ? 0 : (right[place] ?? 0) - (left[place] ?? 0);
  });
}

/** The status of success with which errors come; null if they do not, or only one does. */
function statusOfErrors(report: Broken, cause: Cause): number | null {
  const [first] = cause;
  const isShared = cause.some((each) => answerOf(each) !== answerOf(first));
  return isShared ? errorOf(report, first) : null;
}

/** The status of success with which an Error came that shows the failure, or null. */
function errorOf({ exchanges }: Broken, result: RequirementResult): number | null {
  const shown = showing(
    exchanges.filter(({ id }) => result.evidence.includes(id)),
    result,
  );
  const { response = null } = shown ?? {};
  return response !== null && response.status < 300 && holdsError(response) ? response.status : null;
}

function holdsError({ body }: NonNullable<Evidence['response']>): boolean {
  try {
    const { value } = readJson(body);
    const { code, message } = (value ?? {}) as Record<string, unknown>;
    return typeof code === 'string' && typeof message === 'string';
  } catch {
    return false;
  }
}

/** Items in groups of one key each, in the order of their first ones. */
function groups<T>(items: readonly T[], keyOf: (item: T) => string): [T, ...T[]][] {
  const found = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = found.get(keyOf(item));
    if (group === undefined) found.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...found.values()];
}
