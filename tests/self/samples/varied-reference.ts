/** Serves a variant of the reference while a test runs, e.g. `withReference(exceedLimits, (target) => ...)`, or runs the command on it. */
import { replaceStep } from '../../../fixtures/implementations/operators.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import { Reference, type Vary } from '../../../fixtures/reference/reference-service.ts';
import { serve, type Served } from '../../../fixtures/reference/serve.ts';
import type { Call } from '../../../fixtures/reference/call.ts';
import { runCommand, makeFolder, type EndedCommand } from './command.ts';

export const unvaried: Vary = (Base) => Base;

/** Lists have one animal more than their limit. `replaceStep` replaces the step that cuts them; `usual` is the step before. */
export const exceedLimits = replaceStep('page', (usual) => (pets, limit) => usual(pets, limit + 1));

/** Serves the reference, varied, while the body runs. `target`: the variables that name it as the target of a run. */
export async function withReference<T>(
  vary: Vary,
  body: (target: { BASE_URL: string; API_KEY: string }, served: Served) => Promise<T>,
  basePath?: string,
): Promise<T> {
  const key = drawKey();
  const served = await serve({
    key,
    Service: vary(Reference),
    ...(basePath === undefined ? {} : { basePath }),
  });
  try {
    return await body({ BASE_URL: served.baseUrl, API_KEY: key }, served);
  } finally {
    await served.close();
  }
}

/** Runs `conformance` in this process on the reference, varied. */
export function runOnReference(
  vary: Vary,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  folder = makeFolder(),
): Promise<EndedCommand> {
  return withReference(vary, (target) => runCommand('conformance', args, { ...target, ...env }, folder));
}

/** Figures that a service counts on its own side. */
interface Seen {
  requests: number;
  methods: Set<string>;
  /** Animals that runs of this suite added; those of others have the name `foreign`. */
  animals: number;
  wrongKeys: number;
  /** The most requests that were under way at the same time. */
  together: number;
  /** When each request came, in milliseconds. */
  times: number[];
}

/** Adds counters to a variant. Serve the returned `vary`, and read `seen`, whose figures go up with each request. */
export function countAtService(vary: Vary): { vary: Vary; seen: Seen } {
  const seen: Seen = { requests: 0, methods: new Set(), animals: 0, wrongKeys: 0, together: 0, times: [] };
  let underWay = 0;
  const counting = (Base: typeof Reference): typeof Reference =>
    class extends vary(Base) {
      override async handle(call: Call): Promise<void> {
        seen.requests += 1;
        seen.methods.add(call.method);
        seen.times.push(Date.now());
        // A request without a bearer token counts as no wrong key
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
