import { Undecided } from '../../fixtures/judgement/finding.ts';
import type { Ran } from '../../fixtures/lanes/in-process.ts';
import type { CollectedTest } from '../../fixtures/lanes/collection.ts';
import { reasonWithoutExamples } from '../../reports/words/reasons/reason-words.ts';
import { counted } from '../../reports/words/verdict-words.ts';

/** What exploring has sent and left so far. */
export interface Sent {
  seeds: number;
  requests: number;
  animals: number;
}

/** What was sent and found so far, in words. */
export function countsOf({ seeds, requests, animals }: Sent, counterexamples: number): string {
  return `${counted(seeds, 'seed')}, ${counted(requests, 'request')}, ${counted(animals, 'animal')} added, ${counted(counterexamples, 'counterexample')}`;
}

/** Reasons for not asking that are told. */
const TOLD = 3;

/** How often each property was asked to its end, and why it was not. */
export class Tally {
  /** Whether something was left out for the sake of MAX_ANIMALS. */
  lacksRoom = false;
  private decided = 0;
  private readonly missed = new Map<string, number>();

  /** To be called when a property has ended. What does not apply here was not missed. */
  take({ thrown }: Ran<CollectedTest>): void {
    if (!(thrown instanceof Undecided)) this.decided += 1;
    else if (thrown.verdict !== 'not-applicable') {
      // here there are no examples that would ask the same
      const reason = reasonWithoutExamples(thrown.reason);
      this.lacksRoom ||= thrown.reason.kind === 'budget' && thrown.reason.variable === 'MAX_ANIMALS';
      this.missed.set(reason, (this.missed.get(reason) ?? 0) + 1);
    }
  }

  /** Whether most of what should have been asked was not. */
  get isHollow(): boolean {
    return this.all === 0 || this.decided * 2 < this.all;
  }

  /** What was not asked and why, a line each; none where all was asked. */
  get lines(): string[] {
    const reasons = [...this.missed].toSorted(([, one], [, other]) => other - one);
    const left = this.all - this.decided;
    if (left === 0) return [];
    const more = reasons.length - TOLD;
    return [
      `Not asked to the end: ${left} of ${counted(this.all, 'time')} that a property was to be asked.`,
      ...reasons.slice(0, TOLD).map(([reason, times]) => `  ${counted(times, 'time')}: ${reason}`),
      ...(more > 0 ? [`  and for ${counted(more, 'more reason')}`] : []),
    ];
  }

  private get all(): number {
    return this.decided + [...this.missed.values()].reduce((sum, times) => sum + times, 0);
  }
}
