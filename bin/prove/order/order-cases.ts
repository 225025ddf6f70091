/** Which cases to ask, and in which order, so that a request finds most: a greedy weighted cover. Pure. */

/** A case as a brief run on the reference asked it. */
export interface CaseCost {
  key: string;
  /** Musts that it verifies. */
  musts: readonly string[];
  /** The exchanges that it rests on; several cases may share one. */
  exchanges: readonly string[];
  /** Exchanges among them that present a wrong key. */
  guesses: readonly string[];
  /** Exchanges among them that add an animal. */
  creations: readonly string[];
}

/** A fault and the cases that fail a must for it. */
export interface NamedFault {
  id: string;
  /** The promise that it breaks: its kind. */
  breaks: string;
  cases: readonly string[];
}

/** Limits requests and animals of all cases together. */
interface Room {
  requests: number;
  wrongKeys: number;
  animals: number;
}

/** The worth of the first case of a promise, in kinds of faults: a promise that was never asked was never judged. */
const WORTH_OF_FIRST = 10;
/** The worth of the second case about a promise; the third is worth half of it. Faults that nobody has written weigh much. */
const WORTH_OF_NEXT = 2;
/** The worth of another case that finds a fault again: there are similar faults that nobody has written. */
const WORTH_OF_SECOND = 1;
/** A case costs something also if its requests were sent before. */
const LEAST_COST = 0.4;

/** Returns the cases in their order, as many as there is room for. What is free once another case was asked comes with it. */
export function orderCases(cases: readonly CaseCost[], faults: readonly NamedFault[], room: Room): string[] {
  const worth = new Worth(faults);
  const sent = new Set<string>();
  const guessed = new Set<string>();
  const added = new Set<string>();
  const left = new Set(cases);
  const order: string[] = [];
  const withFree = (first: CaseCost) => {
    const after = new Set([...sent, ...first.exchanges]);
    const free = [...left].filter((each) => each !== first && unsent(each.exchanges, after) === 0);
    return [first, ...free];
  };
  for (;;) {
    const next = best(left, (each) => {
      const isTooMuch =
        sent.size + unsent(each.exchanges, sent) > room.requests ||
        guessed.size + unsent(each.guesses, guessed) > room.wrongKeys ||
        added.size + unsent(each.creations, added) > room.animals;
      return isTooMuch ? 0 : worth.of(withFree(each)) / (unsent(each.exchanges, sent) + LEAST_COST);
    });
    if (next === null) return order;
    const taken = withFree(next);
    worth.take(taken);
    for (const each of taken) {
      left.delete(each);
      order.push(each.key);
    }
    for (const each of next.exchanges) sent.add(each);
    for (const each of next.guesses) guessed.add(each);
    for (const each of next.creations) added.add(each);
  }
}

/** The worth of each case beside those that were taken before it. */
class Worth {
  private readonly byCase = new Map<string, NamedFault[]>();
  private readonly weights = new Map<NamedFault, number>();
  private readonly times = new Map<NamedFault, number>();
  private readonly asked = new Map<string, number>();

  constructor(faults: readonly NamedFault[]) {
    for (const fault of faults) {
      // a kind weighs the same, however many faults of it somebody has written
      this.weights.set(fault, 1 / faults.filter(({ breaks }) => breaks === fault.breaks).length);
      for (const key of fault.cases) this.byCase.set(key, [...(this.byCase.get(key) ?? []), fault]);
    }
  }

  of(cases: readonly CaseCost[]): number {
    const found = new Set(cases.flatMap(({ key }) => this.byCase.get(key) ?? []));
    const worth = [...found].map((fault) => {
      const times = this.times.get(fault) ?? 0;
      return (this.weights.get(fault) ?? 0) * (times === 0 ? 1 : WORTH_OF_SECOND / times);
    });
    const unasked = new Set(cases.flatMap(({ musts }) => musts.filter((id) => !this.asked.has(id))));
    const again = cases.flatMap(({ musts: [about = ''] }) => this.asked.get(about) ?? []);
    return (
      addUp(worth) + WORTH_OF_FIRST * unasked.size + WORTH_OF_NEXT * addUp(again.map((times) => 1 / times))
    );
  }

  take(cases: readonly CaseCost[]): void {
    const found = new Set(cases.flatMap(({ key }) => this.byCase.get(key) ?? []));
    for (const fault of found) this.times.set(fault, (this.times.get(fault) ?? 0) + 1);
    for (const id of cases.flatMap(({ musts }) => musts)) this.asked.set(id, (this.asked.get(id) ?? 0) + 1);
  }
}

function addUp(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}

function unsent(exchanges: readonly string[], sent: ReadonlySet<string>): number {
  return exchanges.filter((each) => !sent.has(each)).length;
}

/** Returns the one that is worth most for its cost, the first of equals; null: none is worth anything. */
function best(cases: Iterable<CaseCost>, value: (each: CaseCost) => number): CaseCost | null {
  let [found, most]: [CaseCost | null, number] = [null, 0];
  for (const each of cases) {
    const own = value(each);
    if (own > most) [found, most] = [each, own];
  }
  return found;
}
