/** Says which of several broken promises comes first in a report, and which broken promises keep a requirement undecided. Pure. */
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
import { isOfSuccess } from '../../fixtures/judgement/experiment.ts';
import { findSharedDecision } from './cause-keys.ts';
import type { Broken, RequirementResult } from './report-document.ts';

/**
 * Sorts broken promises: the one that says most about its cause comes first. A report names each cause by its first promise.
 * @param explained the ids of the broken promises that explain each of them, by its id
 */
export function sortResults(
  report: Broken,
  results: readonly RequirementResult[],
  explained: ReadonlyMap<string, readonly string[]>,
): RequirementResult[] {
  const { requirements } = report;
  // By the id of a broken promise: how many requirements it keeps undecided.
  const blocked = new Map<string, number>();
  for (const id of requirements.flatMap(findBlockers(requirements)))
    blocked.set(id, (blocked.get(id) ?? 0) + 1);
  const broken = new Set(results.map(({ id }) => id));
  // Two results are compared by the first of these numbers, then by the second, and so on. The higher number comes first.
  const weigh = (result: RequirementResult) => {
    const { id, level, waiver, tests, statuses } = result;
    const isServerErrorFor401 = statuses?.promised === 401 && statuses.came >= 500;
    return [
      // A waived failure comes last, a warning before it.
      Number(waiver === null),
      Number(level === 'must'),
      // A server error in place of a 401 says little about the check of the key.
      Number(!isServerErrorFor401),
      // A failure by chance, or without a known circumstance (`others`), comes later. Plain requests are excepted: those that an operation
      // must answer with success, and those without the key.
      Number(findSharedDecision(result) !== 'others' || isOfSuccess(id) || id.endsWith('-missing-key')),
      // A consequence comes after its cause.
      Number(!explained.get(id)?.length && !isCausedByStoredValue(report, result, broken)),
      Number(REQUIREMENTS[id]?.core === true),
      // How many requirements it keeps undecided, then how many tests found it broken.
      blocked.get(id) ?? 0,
      tests.length,
    ];
  };
  return results.toSorted((one, other) => {
    const [left, right] = [weigh(one), weigh(other)];
    const place = left.findIndex((weight, index) => weight !== right[index]);
    return place === -1 ? 0 : (right[place] ?? 0) - (left[place] ?? 0);
  });
}

/** Promises to refuse a value. A service that accepts such a value stores it, and may then fail to read it. */
const PROMISES_ABOUT_REFUSED_VALUES = [
  'create-pet.category-id-range',
  'create-pet.client-id',
  'create-pet.broken-characters',
  'create-pet.name-type',
];

/**
 * True if a stored value may be the reason for a server error to a read: other reads of the operation succeed, and the service accepted a
 * value that it had to refuse (`PROMISES_ABOUT_REFUSED_VALUES`).
 */
function isCausedByStoredValue(
  { exchanges }: Broken,
  { operation, statuses }: RequirementResult,
  broken: ReadonlySet<string>,
): boolean {
  return (
    statuses?.promised === 200 &&
    statuses.came >= 500 &&
    PROMISES_ABOUT_REFUSED_VALUES.some((each) => broken.has(each)) &&
    exchanges.some((each) => each.operation === operation && each.response?.status === 200)
  );
}

/**
 * Returns a function that lists what keeps a requirement undecided (its blockers): broken promises. If a blocker is itself undecided, its
 * own blockers take its place. It stays only if it has none, or if they lead in a circle (`seen`). The list is empty if the requirement
 * is undecided for another reason, and for reports before version 4, which lack `cause`.
 */
export function findBlockers(
  requirements: Broken['requirements'],
): (result: Pick<RequirementResult, 'cause'>) => string[] {
  const byId = new Map(requirements.map((each) => [each.id, each]));
  const findRoots = (id: string, seen: readonly string[]): string[] => {
    const blocker = byId.get(id);
    if (blocker?.verdict !== 'inconclusive' || seen.includes(id)) return [id];
    const further = listDirectBlockers(blocker);
    return further.length === 0 ? [id] : further.flatMap((each) => findRoots(each, [...seen, id]));
  };
  return (result) => [...new Set(listDirectBlockers(result).flatMap((id) => findRoots(id, [])))];
}

function listDirectBlockers({ cause }: Pick<RequirementResult, 'cause'>): string[] {
  return cause?.requirement === undefined ? [] : [cause.requirement, ...(cause.also ?? [])];
}
