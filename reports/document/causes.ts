/** What fails a run, by its causes: the one that explains most comes first. */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import { readJson, type Json } from '../../fixtures/exchange/json.ts';
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import { brokenInWords, errorsInWords } from '../words/reasons/broken.ts';
import { departureOf, serverErrorOf, type Departure } from './departures.ts';
import { examplesOf } from './examples.ts';
import type { Report, RequirementResult } from './report.ts';
import { showing } from './shown-exchange.ts';

/** Results that one cause explains. The first one lends the cause its name. */
export type Cause = readonly [first: RequirementResult, ...others: RequirementResult[]];

/** What causes are found in. */
export interface Broken extends Pick<Report, 'requirements' | 'exchanges'> {
  run: Pick<Report['run'], 'strict'>;
}

/**
 * What fails a run, the first cause first; what one cause explains is one failure, with the warnings that the same change
 * would mend. In strict mode a warning is a failure. Every report counts these.
 */
export function failuresOf(report: Broken): Cause[] {
  return causesOf(report).filter((cause) => isFailure(report, cause));
}

/** The warnings that fail nothing, and that no failure explains. */
export function warningsOf(report: Broken): Cause[] {
  return causesOf(report).filter((cause) => !isFailure(report, cause));
}

function isFailure({ run }: Broken, cause: Cause): boolean {
  return run.strict || cause.some(({ verdict }) => verdict === 'fail');
}

/** What is wrong, in a few plain words. What several answers have in common says more than the first promise. */
export function causeInWords(report: Broken, cause: Cause): string {
  const [first] = cause;
  const status = statusOfErrors(report, cause);
  if (status !== null) return errorsInWords(status);
  return commonDeparture(report, cause)?.words ?? brokenInWords(first);
}

/** The departure of most results of a cause, if several answers show it. */
function commonDeparture(report: Broken, cause: Cause): Departure | null {
  const [first, ...others] = cause.map((each) => ({
    answer: answerOf(each),
    departure: departureOf(each, shownBy(report, each)),
  }));
  const isShared = others.some(
    ({ answer, departure }) => answer !== first?.answer && departure?.key === first?.departure?.key,
  );
  return isShared ? (first?.departure ?? null) : null;
}

/** The exchanges that show a cause: of each promise the smallest of each kind that failed. */
export function examplesIn({ exchanges }: Pick<Report, 'exchanges'>, cause: Cause): Evidence[] {
  const byId = new Map(exchanges.map((each) => [each.id, each]));
  const all = cause.flatMap((each) =>
    examplesOf(
      each.evidence.flatMap((id) => byId.get(id) ?? []),
      each,
    ),
  );
  return [...new Set(all)];
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

function causesOf(report: Broken): Cause[] {
  const broken = report.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const causes = joined(inOrder(report, broken), (each) => keysOf(report, each, broken));
  return withServerErrors(report, causes);
}

/** Open requests that get the same server error as documented ones are no cause of their own. */
function withServerErrors(report: Broken, causes: readonly Cause[]): Cause[] {
  const open = causes.find(([{ id }, ...others]) => id === 'errors.no-server-error' && others.length === 0);
  const error = open && serverErrorOf(shownBy(report, open[0]));
  const same =
    error &&
    causes.find(
      (each) =>
        each !== open &&
        each[0].waiver === null &&
        each.some((result) => serverErrorOf(shownBy(report, result)) === error),
    );
  if (open === undefined || same == null || open[0].waiver !== null) return [...causes];
  return causes.filter((each) => each !== open).map((each) => (each === same ? [...each, ...open] : each));
}

/** Everything that one change would mend has a key in common; a waiver holds for its own. */
function keysOf(report: Broken, result: RequirementResult, broken: readonly RequirementResult[]): string[] {
  const { level, waiver, id } = result;
  const status = errorOf(report, result);
  const departure = departureOf(result, shownBy(report, result));
  const changed = changedMember(result);
  const form = errorFormOf(result, shownBy(report, result));
  return [
    ['answer', answerOf(result)],
    ...(status === null ? [] : [['error', status, level]]),
    ...(departure === null ? [] : [['departure', departure.key]]),
    ...(form === null ? [] : [['error', form]]),
    ...openedBy(result).map((how) => ['opened', how]),
    ...(changed === null ? [] : [['changed', changed]]),
    ['explains', id],
    // one of them at most: what a check of two members lets pass makes these two no one cause
    ...(PLAINER[id] ?? [])
      .filter((each) => broken.some((other) => other.id === each))
      .slice(0, 1)
      .map((each) => ['explains', each]),
  ].map((key) => JSON.stringify([...key, waiver]));
}

/** What shows a result: one place in one answer, or the same expectation of a whole answer. */
function answerOf({ id, evidence, pointer, expected, received }: RequirementResult): string {
  const [shown] = evidence;
  if (shown === undefined) return id;
  return JSON.stringify(pointer ? [shown, pointer] : [shown, expected, received]);
}

/** An operation that is served without a right key: one check is missing, for that operation or for that kind of key. */
function openedBy({ id, statuses }: RequirementResult): string[] {
  const [, operation, kind] = /^authentication\.([a-z]+-pets?)-(missing|wrong)-key$/.exec(id) ?? [];
  if (operation === undefined || kind === undefined || statuses === undefined || statuses.came >= 300)
    return [];
  return [operation, `${kind} key`];
}

/** The names of the members of an Error that is wrong in its form, as what writes it writes all; null if it is not about that. */
function errorFormOf(
  { id, statuses, pointer }: RequirementResult,
  shown: Evidence | undefined,
): string | null {
  if (!ERROR_FORMS.includes(id) || statuses !== undefined || shown?.response == null) return null;
  const value = valueOf(shown.response);
  const isWhole = value === undefined || value === null || typeof value !== 'object';
  return isWhole ? `${pointer} no object` : Object.keys(value).sort().join();
}

/** What is missing from an Error, and what is odd about a whole one. */
const ERROR_FORMS = ['errors.json', 'errors.media-type', 'errors.undocumented', 'store-orders.error'].concat(
  ['code', 'message', 'status'].map((member) => `errors.${member}`),
);

/** The member of animals that is changed on its way; null if it is not about that. */
function changedMember({ id, pointer }: RequirementResult): string | null {
  const [, exact] = /\.(?:unusual-)?(name|category-id)-exact$/.exec(id) ?? [];
  if (exact !== undefined) return exact === 'name' ? 'name' : 'categoryId';
  const member = pointer?.split('/').at(-1) ?? '';
  return id.includes('.agrees-with-') && ['name', 'categoryId'].includes(member) ? member : null;
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
function inOrder(report: Broken, results: readonly RequirementResult[]): RequirementResult[] {
  const { requirements } = report;
  const blocked = new Map<string, number>();
  for (const id of requirements.flatMap(blockersIn(requirements)))
    blocked.set(id, (blocked.get(id) ?? 0) + 1);
  const broken = new Set(results.map(({ id }) => id));
  const weights = (result: RequirementResult) => {
    const { id, level, waiver, tests } = result;
    return [
      Number(waiver === null),
      Number(level === 'must'),
      Number(!PLAINER[id]?.some((each) => broken.has(each)) && !isAftermath(report, result, broken)),
      Number(REQUIREMENTS[id]?.core === true),
      blocked.get(id) ?? 0,
      tests.length,
    ];
  };
  return results.toSorted((one, other) => {
    const [left, right] = [weights(one), weights(other)];
    const place = left.findIndex((weight, index) => weight !== right[index]);
    return place === -1 ? 0 : (right[place] ?? 0) - (left[place] ?? 0);
  });
}

/** What is stored although it had to be refused, and breaks reads from then on. */
const POISONS = [
  'create-pet.category-id-range',
  'create-pet.client-id',
  'create-pet.broken-characters',
  'create-pet.name-type',
];
const READS = [
  'list-pets.answers-200',
  'list-pets.limit-accepted',
  'list-pets.status-accepted',
  'get-pet.answers-200',
];

/** True if reads fail with a server error, others of them were served, and something is taken that may break them. */
function isAftermath(
  { exchanges }: Broken,
  { id, operation, statuses }: RequirementResult,
  broken: ReadonlySet<string>,
): boolean {
  return (
    READS.includes(id) &&
    (statuses?.came ?? 0) >= 500 &&
    POISONS.some((each) => broken.has(each)) &&
    exchanges.some((each) => each.operation === operation && each.response?.status === 200)
  );
}

/** The status of success with which errors come; null if they do not, or only one answer shows it. */
function statusOfErrors(report: Broken, cause: Cause): number | null {
  const [first, ...others] = cause;
  const status = errorOf(report, first);
  const isShared = others.some(
    (each) => errorOf(report, each) === status && answerOf(each) !== answerOf(first),
  );
  return isShared ? status : null;
}

/** The status of success with which an Error came that shows the failure, or null. */
function errorOf(report: Broken, result: RequirementResult): number | null {
  const { response = null } = shownBy(report, result) ?? {};
  return response !== null && response.status < 300 && holdsError(response) ? response.status : null;
}

function shownBy({ exchanges }: Broken, result: RequirementResult): Evidence | undefined {
  return showing(
    exchanges.filter(({ id }) => result.evidence.includes(id)),
    result,
  );
}

function holdsError(response: NonNullable<Evidence['response']>): boolean {
  const { code, message } = (valueOf(response) ?? {}) as Record<string, unknown>;
  return typeof code === 'string' && typeof message === 'string';
}

function valueOf({ body }: NonNullable<Evidence['response']>): Json | undefined {
  try {
    return readJson(body).value;
  } catch {
    return undefined;
  }
}

/** Items in groups: those that share a key, also by way of others. Groups and their items keep their order. */
function joined<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): [T, ...T[]][] {
  const left = new Map(items.map((item) => [item, keysOf(item)]));
  return items.flatMap((first): [T, ...T[]][] => {
    const keys = new Set(left.get(first));
    if (!left.delete(first)) return [];
    const group = new Set<T>();
    for (let size = -1; size < group.size;) {
      size = group.size;
      for (const [item, own] of left) {
        if (!own.some((key) => keys.has(key))) continue;
        group.add(item);
        left.delete(item);
        own.forEach((key) => keys.add(key));
      }
    }
    return [[first, ...items.filter((each) => group.has(each))]];
  });
}
