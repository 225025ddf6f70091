/**
 * The process that serves the reference for a measurement of `npm run bench`. It waits for a message with the traits of the
 * target, and sends back its address and key.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../fixtures/reference/call.ts';
import { FAULTS } from '../../fixtures/implementations/faults/index.ts';
import type { Fault } from '../../fixtures/implementations/variant.ts';
import { drawKey } from '../../fixtures/reference/random-key.ts';
import { Reference, type Vary } from '../../fixtures/reference/reference-service.ts';
import { serve } from '../../fixtures/reference/serve.ts';

/** How the target differs from the reference. */
export interface Traits {
  /** Milliseconds before each answer. */
  delay?: number;
  /** The number of animals of others in its store. */
  others?: number;
  /** The number of faults, at most one for each promise. */
  violations?: number;
}

/** Address and key of the target. */
export interface BenchTarget {
  baseUrl: string;
  key: string;
}

/** Promises that the target keeps also with many faults. If they were broken, a run could judge little else. */
const KEPT_PROMISES = /^authentication\.|\.answers-2|^list-pets\.not-empty/;
const STATUSES = ['available', 'pending', 'sold'] as const;

/** Makes a service with these traits. `vary` of a fault and `addTraits` each return a subclass of `Base` that overrides some methods. */
function makeService({ delay = 0, others = 0, violations = 0 }: Traits): typeof Reference {
  const addTraits: Vary = (Base) =>
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
        await super.handle(call);
      }
    };
  // One fault for each promise: the last one in the catalogue.
  const faultByPromise = new Map(FAULTS.filter(isUsable).map((fault) => [fault.breaks, fault]));
  const faults = [...faultByPromise.values()].slice(0, violations);
  return addTraits(faults.reduce<typeof Reference>((Base, { vary }) => vary(Base), Reference));
}

/** True if a usual run finds the fault: it has no own key, settings or path, and no `beyondReach`. False for a fault of KEPT_PROMISES. */
function isUsable({ key, settings, basePath, beyondReach, breaks }: Fault): boolean {
  const isPlain = [key, settings, basePath, beyondReach].every((each) => each === undefined);
  return isPlain && !KEPT_PROMISES.test(breaks);
}

process.on('disconnect', () => process.exit());
process.once('message', (traits: Traits) => {
  const key = drawKey();
  void serve({ key, Service: makeService(traits) }).then(({ baseUrl }) =>
    process.send?.({ baseUrl, key } satisfies BenchTarget),
  );
});
