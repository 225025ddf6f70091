/**
 * Chooses the cases of quick runs, and their order, so that few requests find many kinds of faults. The method is a greedy
 * weighted cover: it always takes next the case that is worth most for its requests. Pure.
 */
import { createHash } from 'node:crypto';
import { nameCase } from '../../../fixtures/asking/lanes/case-order.ts';
import type { CollectedTest } from '../../../fixtures/asking/lanes/collection.ts';
import { isMust } from '../../../fixtures/interface/requirements.ts';

/** A case (a test, or an example of a test), or the first requests of it, with its costs in a run on the reference. */
export interface CaseCost {
  key: string;
  /** The number of requests of its own that the case sends. Infinity: all. */
  rows: number;
  /** Requirements of level `must` that the case verifies. The first one is its main subject. */
  musts: readonly string[];
  /** Ids of the exchanges that the case needs. Several cases may need the same exchange. */
  exchanges: readonly string[];
  /** The part of `exchanges` that has a wrong key. */
  guesses: readonly string[];
  /** The part of `exchanges` that adds an animal. */
  creations: readonly string[];
}

/** A fault, and the cases that find it, each with the number of requests of its own that it needs for that. */
export interface NamedFault {
  id: string;
  /** The broken promise. Faults that break the same promise are one kind. */
  breaks: string;
  cases: readonly { key: string; rows: number }[];
}

/** Limits requests and animals of all cases together. */
interface Room {
  requests: number;
  wrongKeys: number;
  animals: number;
}

/**
 * Worth is counted in kinds of faults: to find one more kind is worth 1. The first case about a promise is worth this much
 * in addition, because without it the promise is not judged at all.
 */
const WORTH_OF_FIRST = 10;
/** The second case about a promise adds this much, the third one half of it: it may find faults that nobody has written. */
const WORTH_OF_NEXT = 2;
/**
 * To find a fault again is worth this much of its first find, divided by the number of earlier finds: the second find counts
 * as much as the first one, the third one half. It may find faults that nobody has written.
 */
const WORTH_OF_SECOND = 1;
/** The cost of a case, in requests, if all its requests were sent before. */
const LEAST_COST = 0.4;

/**
 * Returns the cases in their order, as many as there is room for, each with the number of its own requests. Cases that need no further
 * request come directly behind the case that has sent their requests.
 */
export function orderCases(
  cases: readonly CaseCost[],
  faults: readonly NamedFault[],
  room: Room,
): Map<string, number> {
  const worth = new Worth(cases, faults);
  // Ids of exchanges of the taken cases: all of them, those with a wrong key, and those that add an animal.
  const [sent, guessed, added] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const left = new Set(cases);
  // By the key of a case: the number of its own requests that the quick run sends.
  const order = new Map<string, number>();
  // Returns the case, and all cases that need no further request after it.
  const withFree = (first: CaseCost) => {
    const after = new Set([...sent, ...first.exchanges]);
    const free = [...left].filter(
      (each) => each.key !== first.key && countUnsent(each.exchanges, after) === 0,
    );
    return [first, ...free];
  };
  for (;;) {
    const next = findBest(left, (each) => {
      const isTooMuch =
        sent.size + countUnsent(each.exchanges, sent) > room.requests ||
        guessed.size + countUnsent(each.guesses, guessed) > room.wrongKeys ||
        added.size + countUnsent(each.creations, added) > room.animals;
      return isTooMuch
        ? 0
        : worth.measureWorth(withFree(each)) / (countUnsent(each.exchanges, sent) + LEAST_COST);
    });
    if (next === null) return order;
    const taken = withFree(next);
    worth.take(taken);
    // A case is among `cases` several times, with more requests each time. The longer one has the requests of the shorter ones.
    for (const { key, rows } of taken) order.set(key, Math.max(rows, order.get(key) ?? 0));
    for (const each of left) if (each.rows <= (order.get(each.key) ?? -1)) left.delete(each);
    for (const each of next.exchanges) sent.add(each);
    for (const each of next.guesses) guessed.add(each);
    for (const each of next.creations) added.add(each);
  }
}

/**
 * The groups of a quick run, in their order.
 * - `empty`: cases that need an empty store.
 * - `adds`: cases that add animals, also in unusual forms.
 * - `odd`: odd names and further wrong bodies. They come late: if a form failed, its controls have had room for animals.
 * - `reads`: cases that only read.
 * - `breaks`: cases that may break the store for ever, or stop the service.
 */
const GROUPS = ['empty', 'adds', 'odd', 'reads', 'breaks'] as const;

/**
 * Returns the cases of a quick run in groups (`GROUPS`): one group runs after the other.
 * In a group the first case of each `must` comes before all others: a service that lags leaves fewer requests.
 */
export function groupQuick<Test extends CollectedTest>(tests: readonly Test[]): Test[][] {
  const asked = new Set<string>();
  const isFirst = ({ declared: { verifies } }: Test) => {
    const [subject] = verifies;
    if (subject === undefined || !isMust(subject) || asked.has(subject)) return false;
    return asked.add(subject).has(subject);
  };
  const first = new Set(tests.filter(isFirst));
  const chooseGroup = (test: Test): (typeof GROUPS)[number] => {
    const { phase, slot, verifies } = test.declared;
    if (/^has-(broken|stopped)-/.test(slot)) return 'breaks';
    if (phase === 'first' && verifies[0] === 'list-pets.empty') return 'empty';
    if (!/create-?pet/i.test(nameCase(test))) return 'reads';
    const isOdd = slot === 'odd-values' || test.place.file.includes('.refusals.');
    return isOdd && !first.has(test) ? 'odd' : 'adds';
  };
  return GROUPS.map((group) => {
    const cases = tests.filter((test) => chooseGroup(test) === group);
    return [...cases.filter((test) => first.has(test)), ...cases.filter((test) => !first.has(test))];
  });
}

/** A case with more requests that no early case has sent comes last: its first requests find most, and the others take long. */
const LONG = 6;
/**
 * The early cases of a whole run send this many requests and add this many animals: then it reads a small store with every limit.
 */
const EARLY = { requests: 280, animals: 21 } as const;

/**
 * Returns the order of cases of a whole run. The first ones, `early`, begin before all others.
 * @param ranked all cases in the order in which they find most for a request
 * @param cases the costs of the cases that may begin early
 */
export function arrangeWhole(
  ranked: readonly string[],
  cases: readonly CaseCost[],
): { early: number; cases: string[] } {
  const costs = new Map(cases.filter(({ rows }) => rows === Infinity).map((each) => [each.key, each]));
  const [sent, added] = [new Set<string>(), new Set<string>()];
  const [early, short, long]: [string[], string[], string[]] = [[], [], []];
  for (const key of new Set([...ranked, ...costs.keys()])) {
    const { exchanges, creations } = costs.get(key) ?? { exchanges: [], creations: [] };
    const isLong = countUnsent(exchanges, sent) > LONG;
    const hasRoom =
      sent.size + countUnsent(exchanges, sent) <= EARLY.requests &&
      added.size + countUnsent(creations, added) <= EARLY.animals;
    // A case without costs may not begin early.
    if (isLong || !hasRoom || !costs.has(key)) (isLong ? long : short).push(key);
    else {
      early.push(key);
      for (const each of exchanges) sent.add(each);
      for (const each of creations) added.add(each);
    }
  }
  return { early: early.length, cases: [...early, ...short, ...long] };
}

/** Computes the worth of cases after the cases that were taken already. */
class Worth {
  /** The faults that each case finds. */
  private readonly byCase: ReadonlyMap<CaseCost, readonly NamedFault[]>;
  /** The weight of each fault. */
  private readonly weights = new Map<NamedFault, number>();
  /** How many times a taken case has found the fault. */
  private readonly times = new Map<NamedFault, number>();
  /** By promise: how many taken cases are about it. */
  private readonly asked = new Map<string, number>();

  constructor(cases: readonly CaseCost[], faults: readonly NamedFault[]) {
    // All faults of a kind together weigh 1.
    for (const fault of faults)
      this.weights.set(fault, 1 / faults.filter(({ breaks }) => breaks === fault.breaks).length);
    this.byCase = new Map(
      cases.map((cost) => [
        cost,
        faults.filter((fault) => fault.cases.some(({ key, rows }) => key === cost.key && rows <= cost.rows)),
      ]),
    );
  }

  /** Returns the worth of these cases together. */
  measureWorth(cases: readonly CaseCost[]): number {
    const found = new Set(cases.flatMap((each) => this.byCase.get(each) ?? []));
    const worth = [...found].map((fault) => {
      const times = this.times.get(fault) ?? 0;
      return (this.weights.get(fault) ?? 0) * (times === 0 ? 1 : WORTH_OF_SECOND / times);
    });
    const unasked = new Set(cases.flatMap(({ musts }) => musts.filter((id) => !this.asked.has(id))));
    // For each case whose main subject was asked before: how many taken cases have asked it.
    const askedBefore = cases.flatMap(({ musts: [subject = ''] }) => this.asked.get(subject) ?? []);
    const worthOfMore = WORTH_OF_NEXT * addUp(askedBefore.map((times) => 1 / times));
    return addUp(worth) + WORTH_OF_FIRST * unasked.size + worthOfMore;
  }

  /** Notes that these cases are taken. */
  take(cases: readonly CaseCost[]): void {
    const found = new Set(cases.flatMap((each) => this.byCase.get(each) ?? []));
    for (const fault of found) this.times.set(fault, (this.times.get(fault) ?? 0) + 1);
    for (const id of cases.flatMap(({ musts }) => musts)) this.asked.set(id, (this.asked.get(id) ?? 0) + 1);
  }
}

function addUp(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}

function countUnsent(exchanges: readonly string[], sent: ReadonlySet<string>): number {
  return exchanges.filter((each) => !sent.has(each)).length;
}

/** Returns the case with the highest value, the first of equals. Null if no value is above 0. */
function findBest(cases: Iterable<CaseCost>, value: (each: CaseCost) => number): CaseCost | null {
  let [found, most]: [CaseCost | null, number] = [null, 0];
  for (const each of cases) {
    const own = value(each);
    if (own > most) [found, most] = [each, own];
  }
  return found;
}

/**
 * True for the half of the faults that is held back. `order.ts` chooses the cases of quick runs by the other half. How much
 * quick runs find is measured on this half.
 */
export function isHeldBack(fault: string): boolean {
  return createHash('sha256').update(`half ${fault}`).digest().readUInt8() % 2 === 1;
}
