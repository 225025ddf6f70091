/** A varied reference that keeps count of what came to it and what it made. */
import type { Call } from '../../../fixtures/reference/call.ts';
import type { Reference, Vary } from '../../../fixtures/reference/reference-service.ts';

/** The requests of a service, counted on its own side. */
interface Seen {
  requests: number;
  methods: Set<string>;
  /** Animals that it holds of runs of this suite. */
  animals: number;
  wrongKeys: number;
  /** The most requests under way together. */
  together: number;
  /** When each request came, in milliseconds. */
  times: number[];
}

/** Counts, then does what the variation does. */
export function counted(vary: Vary): { vary: Vary; seen: Seen } {
  const seen: Seen = { requests: 0, methods: new Set(), animals: 0, wrongKeys: 0, together: 0, times: [] };
  let underWay = 0;
  const counting = (Base: typeof Reference): typeof Reference =>
    class extends vary(Base) {
      override async handle(call: Call): Promise<void> {
        seen.requests += 1;
        seen.methods.add(call.method);
        seen.times.push(Date.now());
        const [, token = this.key] = /^bearer (\S.*)/i.exec(call.headers.authorization ?? '') ?? [];
        if (token !== this.key) seen.wrongKeys += 1;
        underWay += 1;
        seen.together = Math.max(seen.together, underWay);
        try {
          await super.handle(call);
        } finally {
          underWay -= 1;
        }
      }

      override async add(...given: Parameters<Reference['add']>): Promise<void> {
        if (given[0].name !== 'foreign') seen.animals += 1;
        await super.add(...given);
      }
    };
  return { vary: counting, seen };
}
