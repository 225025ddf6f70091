/**
 * Chooses for `bin/order.ts` the cases of quick runs and their order, so that few requests find many kinds of faults. It always
 * takes next the case that is worth most for each of its requests (a greedy weighted cover). `groupQuick` groups the cases. Pure.
 */
import { createHash } from 'node:crypto';
import { nameCase } from '../../../fixtures/asking/lanes/case-order.ts';
import type { CollectedTest } from '../../../fixtures/asking/lanes/collection.ts';
import { isMust, REQUIREMENTS } from '../../../fixtures/interface/requirements.ts';

/**
 * A case (a test, or an example of a test) with its costs in a run on the reference. There are several for each case: a quick run may
 * send only its first own requests. The test itself sends its own requests; the session sends others before, e.g. to add animals.
 */
export interface CaseCost {
  /** The name of the case (`nameCase`). */
  key: string;
  /** The number of own requests that the case sends. Infinity: all. */
  ownRequests: number;
  /** Requirements of level `must` that the case verifies. The first one is its main subject. */
  musts: readonly string[];
  /** Ids of the exchanges that the case needs. Several cases may need the same exchange. */
  exchanges: readonly string[];
  /** The part of `exchanges` that has a wrong key. */
  wrongKeys: readonly string[];
  /** The part of `exchanges` that adds an animal. */
  creations: readonly string[];
}

/** A fault, and the cases that find it. `ownRequests`: how many own requests the case needs for that. */
export interface NamedFault {
  id: string;
  /** The broken promise. Faults that break the same promise are one kind. */
  breaks: string;
  cases: readonly { key: string; ownRequests: number }[];
}

/** The most requests, wrong keys and added animals of all cases together. */
interface Room {
  requests: number;
  wrongKeys: number;
  animals: number;
}

// The worth of a case is a sum. All faults of one promise are a kind, and to find all faults of a kind is worth 1.

/** The first case that verifies a promise is worth this much in addition: without it the promise is not judged at all. */
const WORTH_OF_FIRST_CASE = 10;
/** A case whose main subject has one case already is worth this much in addition, with two already half of it: it may find faults that nobody has written. */
const WORTH_OF_NEXT_CASE = 2;
/** A fault that is found for the second time is worth as much as the first time. The third time is worth one half. */
const WORTH_OF_SECOND_FIND = 1;
/** The cost of a case, in requests, if all its requests were sent before. */
const LEAST_COST = 0.4;

/**
 * Returns the chosen cases in their order: first the present cases, then others while there is room. Cases that need no further
 * request come directly behind the case that has sent their requests.
 * @param present the cases of the order that is used today, in their order, with the numbers of their own requests
 * @returns by the key of a case: the number of own requests that a quick run sends for it
 */
export function orderCases(
  cases: readonly CaseCost[],
  faults: readonly NamedFault[],
  room: Room,
  present: ReadonlyMap<string, number>,
): Map<string, number> {
  const worth = new Worth(cases, faults);
  // Ids of exchanges of the taken cases: all of them, those with a wrong key, and those that add an animal.
  const [sent, sentWrongKeys, added] = [new Set<string>(), new Set<string>(), new Set<string>()];
  // The cases that are not taken yet.
  const left = new Set(cases);
  const order = new Map<string, number>();
  // Returns the case, and the cases that are free after it: all requests of a free case were sent already, or are requests of `first`.
  const listWithFree = (first: CaseCost) => {
    const after = new Set([...sent, ...first.exchanges]);
    const free = [...left].filter(
      (each) => each.key !== first.key && countUnsent(each.exchanges, after) === 0,
    );
    return [first, ...free];
  };
  const hasRoom = ({ exchanges, wrongKeys, creations }: CaseCost) =>
    sent.size + countUnsent(exchanges, sent) <= room.requests &&
    sentWrongKeys.size + countUnsent(wrongKeys, sentWrongKeys) <= room.wrongKeys &&
    added.size + countUnsent(creations, added) <= room.animals;
  // Example: a case that is worth 3 and needs 2 further requests has the value 3 / (2 + 0.4) = 1.25.
  const measureValue = (each: CaseCost) =>
    worth.measureWorth(listWithFree(each)) / (countUnsent(each.exchanges, sent) + LEAST_COST);
  const markSent = ({ exchanges, wrongKeys, creations }: CaseCost) => {
    for (const each of exchanges) sent.add(each);
    for (const each of wrongKeys) sentWrongKeys.add(each);
    for (const each of creations) added.add(each);
  };
  // A case that sends 5 own requests sends its first 3 too. So the same case with 3 is deleted from `left`.
  const addToOrder = (key: string, ownRequests: number) => {
    order.set(key, Math.max(ownRequests, order.get(key) ?? 0));
    for (const each of left) if (each.key === key && each.ownRequests <= ownRequests) left.delete(each);
  };
  for (const [key, ownRequests] of present) {
    addToOrder(key, ownRequests);
    // `cases` has the costs of a case by rising `ownRequests`. If this number is not among them, the next larger one is taken.
    const cost = cases.find((each) => each.key === key && each.ownRequests >= ownRequests);
    if (cost === undefined) continue;
    worth.take([cost]);
    markSent(cost);
  }
  for (;;) {
    const next = findBest([...left].filter(hasRoom), measureValue);
    if (next === null) return order;
    const taken = listWithFree(next);
    worth.take(taken);
    // The free cases send nothing new.
    markSent(next);
    for (const each of taken) addToOrder(each.key, each.ownRequests);
  }
}

/**
 * The groups of a quick run, in their order.
 * - `empty`: cases that need an empty store.
 * - `adds`: cases that add animals, also in unusual forms, e.g. a chunked body.
 * - `odd`: odd names and further wrong bodies. They come after `adds`, because a run may add only few animals: if a case of `adds` fails,
 *   the run adds one more animal in the usual form, to compare.
 * - `reads`: cases that only read.
 * - `breaks`: cases that may break the store for ever, or stop the service.
 */
const GROUPS = ['empty', 'adds', 'odd', 'reads', 'breaks'] as const;

/**
 * Returns the cases of a quick run in groups (`GROUPS`): one group runs after the other.
 * In a group the first case of each `must` comes before all others, core promises first: a service that lags leaves fewer requests.
 */
export function groupQuick<Test extends CollectedTest>(tests: readonly Test[]): Test[][] {
  const firstOfMust = new Map<string, Test>();
  for (const test of tests) {
    const [subject] = test.declared.verifies;
    if (subject !== undefined && isMust(subject) && !firstOfMust.has(subject)) firstOfMust.set(subject, test);
  }
  const first = new Set(firstOfMust.values());
  const chooseGroup = (test: Test): (typeof GROUPS)[number] => {
    const { phase, slot, verifies } = test.declared;
    if (/^has-(broken|stopped)-/.test(slot)) return 'breaks';
    if (phase === 'first' && verifies[0] === 'list-pets.empty') return 'empty';
    if (!/create-?pet/i.test(nameCase(test))) return 'reads';
    // The first case of a promise is never put off.
    const isOdd = slot === 'odd-values' || test.place.file.includes('.refusals.');
    return isOdd && !first.has(test) ? 'odd' : 'adds';
  };
  const isCore = ({ declared: { verifies } }: Test) => REQUIREMENTS[verifies[0] ?? '']?.core === true;
  // 0: the first case of a core promise. 1: the first case of another promise. 2: any other case.
  const rank = (test: Test) => (first.has(test) ? Number(!isCore(test)) : 2);
  return GROUPS.map((group) =>
    tests.filter((test) => chooseGroup(test) === group).toSorted((one, other) => rank(one) - rank(other)),
  );
}

/** Computes the worth of cases after the cases that were taken already. */
class Worth {
  /** The faults that each case finds. */
  private readonly byCase: ReadonlyMap<CaseCost, readonly NamedFault[]>;
  /** The part that each fault has in its kind: all faults of one promise together weigh 1. */
  private readonly weights = new Map<NamedFault, number>();
  /** How many times the taken cases have found each fault. */
  private readonly finds = new Map<NamedFault, number>();
  /** By promise: how many taken cases are about it. */
  private readonly casesAbout = new Map<string, number>();

  constructor(cases: readonly CaseCost[], faults: readonly NamedFault[]) {
    // Example: of the 4 faults that break one promise, each weighs 0.25.
    for (const fault of faults)
      this.weights.set(fault, 1 / faults.filter(({ breaks }) => breaks === fault.breaks).length);
    this.byCase = new Map(
      cases.map((cost) => [
        cost,
        faults.filter((fault) =>
          fault.cases.some(({ key, ownRequests }) => key === cost.key && ownRequests <= cost.ownRequests),
        ),
      ]),
    );
  }

  /** Returns the worth of these cases together. */
  measureWorth(cases: readonly CaseCost[]): number {
    const found = new Set(cases.flatMap((each) => this.byCase.get(each) ?? []));
    const worthOfFinds = [...found].map((fault) => {
      const finds = this.finds.get(fault) ?? 0;
      // Example: a fault of weight 0.25 that was found twice is worth 0.25 * 1 / 2.
      return (this.weights.get(fault) ?? 0) * (finds === 0 ? 1 : WORTH_OF_SECOND_FIND / finds);
    });
    const unasked = new Set(cases.flatMap(({ musts }) => musts.filter((id) => !this.casesAbout.has(id))));
    // For each case whose main subject is asked already: the number of taken cases about this subject.
    const casesBefore = cases.flatMap(({ musts: [subject = ''] }) => this.casesAbout.get(subject) ?? []);
    const worthOfMore = WORTH_OF_NEXT_CASE * addUp(casesBefore.map((count) => 1 / count));
    return addUp(worthOfFinds) + WORTH_OF_FIRST_CASE * unasked.size + worthOfMore;
  }

  take(cases: readonly CaseCost[]): void {
    const found = new Set(cases.flatMap((each) => this.byCase.get(each) ?? []));
    for (const fault of found) this.finds.set(fault, (this.finds.get(fault) ?? 0) + 1);
    for (const id of cases.flatMap(({ musts }) => musts))
      this.casesAbout.set(id, (this.casesAbout.get(id) ?? 0) + 1);
  }
}

function addUp(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}

function countUnsent(exchanges: readonly string[], sent: ReadonlySet<string>): number {
  return exchanges.filter((each) => !sent.has(each)).length;
}

/** Returns the case with the highest value, the first of equals. Null if no value is above 0. */
function findBest(cases: readonly CaseCost[], measure: (each: CaseCost) => number): CaseCost | null {
  let [best, most]: [CaseCost | null, number] = [null, 0];
  for (const each of cases) {
    const value = measure(each);
    if (value > most) [best, most] = [each, value];
  }
  return best;
}

/**
 * True for the half of the faults that is held back. `order.ts` chooses the cases of quick runs by the other half. How much
 * quick runs find is measured on this half.
 */
export function isHeldBack(fault: string): boolean {
  return createHash('sha256').update(`half ${fault}`).digest().readUInt8() % 2 === 1;
}
