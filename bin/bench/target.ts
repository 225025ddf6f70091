/** A process of its own that serves the reference for a measurement: with a delay, with animals of others, or broken in many ways. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../fixtures/reference/call.ts';
import { FAULTS } from '../../fixtures/implementations/faults/index.ts';
import { randomKey } from '../../fixtures/reference/random-key.ts';
import { Reference, type Vary } from '../../fixtures/reference/reference.ts';
import { serve } from '../../fixtures/reference/serve.ts';

/** What the target is like. */
export interface Traits {
  /** Milliseconds before each answer. */
  delay?: number;
  /** Animals of others in its store. */
  others?: number;
  /** Faults that it has together, at most one for each promise. */
  violations?: number;
  /** Whether it answers nothing but server errors. */
  isHopeless?: boolean;
}

/** Where it is, and its key. */
export interface Target {
  baseUrl: string;
  key: string;
}

/** Promises that a target has to keep if anything is to be judged there. */
const KEEPS_OUT = /^authentication\.|\.answers-2|^list-pets\.not-empty/;
const STATUSES = ['available', 'pending', 'sold'] as const;

function varied({ delay = 0, others = 0, violations = 0, isHopeless = false }: Traits): typeof Reference {
  const like: Vary = (Base) =>
    class extends Base {
      override async start(): Promise<void> {
        await super.start();
        for (let count = 0; count < others; count += 1)
          await this.create({
            name: `other ${count}`,
            categoryId: 1n,
            status: STATUSES[count % 3] ?? 'sold',
          });
      }

      override async handle(call: Call): Promise<void> {
        if (delay > 0) await sleep(delay);
        if (isHopeless) call.outgoing.writeHead(500).end();
        else await super.handle(call);
      }
    };
  const broken = new Map(
    FAULTS.filter(
      ({ key, settings, basePath, beyondReach, breaks }) =>
        key === undefined &&
        settings === undefined &&
        basePath === undefined &&
        beyondReach === undefined &&
        !KEEPS_OUT.test(breaks),
    ).map((fault) => [fault.breaks, fault]),
  );
  const faults = [...broken.values()].slice(0, violations);
  return like(faults.reduce<typeof Reference>((Base, { vary }) => vary(Base), Reference));
}

process.on('disconnect', () => process.exit());
process.once('message', (traits: Traits) => {
  const key = randomKey();
  void serve({ key, Service: varied(traits) }).then(({ baseUrl }) =>
    process.send?.({ baseUrl, key } satisfies Target),
  );
});
