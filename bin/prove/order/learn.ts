/** Judges a variant with the first example of every case, and says which cases failed a must. */
import { createHash } from 'node:crypto';
import type { CollectedTest } from '../../../fixtures/lanes/collection.ts';
import { findBase, drawBase, REFERENCE } from '../../../fixtures/implementations/bases.ts';
import { serveVariant } from '../../../fixtures/implementations/judge-variant.ts';
import type { Fault } from '../../../fixtures/implementations/variant.ts';
import { isMust } from '../../../fixtures/client/scope.ts';
import type { Exchange } from '../../../fixtures/exchange/exchange.ts';
import { isGuess } from '../../../fixtures/credentials/credentials.ts';
import { keyCase } from '../../../fixtures/lanes/case-order.ts';
import { runInProcess } from '../../../fixtures/lanes/in-process.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import { runInWorld } from '../../../fixtures/world/world.ts';
import { openRun, type OpenRun } from '../../run/run.ts';
import { makeSettings } from '../judge-task.ts';
import type { CaseCost, NamedFault } from './order-cases.ts';

/** Room for every case that a quick run may ask; what needs longer lists is left out. */
const ROOM = { maxRequests: 5_000, maxWrongKeys: 60, maxAnimals: 60, maxBadAnimals: 20 } as const;
const LANES = 24;
const ROUND_TRIP = 5;

/** Returns the costs of each case on the reference. */
export async function measureCosts(suite: readonly CollectedTest[]): Promise<CaseCost[]> {
  const asked = new Map<string, readonly string[]>();
  const run = await judgeBriefly(null, suite, (key, exchanges) => asked.set(key, exchanges));
  const left = new Set(
    run.engine.found.findings.flatMap(({ verdict, test }) =>
      verdict === 'left-out' ? [keyCase({ place: test })] : [],
    ),
  );
  const findIds = (is: (exchange: Exchange) => boolean) =>
    new Set(run.engine.allExchanges.filter(is).map(({ id }) => id));
  const guesses = findIds(({ ask }) => isGuess(ask.credential));
  const creations = findIds(({ response }) => response?.status === 201);
  return suite
    .filter((test) => !left.has(keyCase(test)))
    .map((test) => {
      const exchanges = [...new Set(asked.get(keyCase(test)))];
      return {
        key: keyCase(test),
        musts: test.declared.verifies.filter(isMust),
        exchanges,
        guesses: exchanges.filter((each) => guesses.has(each)),
        creations: exchanges.filter((each) => creations.has(each)),
      };
    });
}

/** Returns the cases that name the fault: by their own findings, or by findings of rules on requests of the case. */
export async function findNamingCases(fault: Fault, suite: readonly CollectedTest[]): Promise<NamedFault> {
  const askedBy = new Map<string, string>();
  const { engine } = await judgeBriefly(fault, suite, (key, exchanges) => {
    for (const each of exchanges) if (!askedBy.has(each)) askedBy.set(each, key);
  });
  const keys = new Set(suite.map(keyCase));
  const cases = engine.found.findings
    .filter(({ verdict, requirement }) => verdict === 'fail' && isMust(requirement))
    .flatMap(({ test, evidence }) => {
      const own = keyCase({ place: test });
      if (keys.has(own)) return [own];
      // The last exchange shows it: the animals before are added in every run.
      return askedBy.get(evidence.at(-1) ?? '') ?? [];
    });
  return { id: fault.id, breaks: fault.breaks, cases: [...new Set(cases)].toSorted() };
}

async function judgeBriefly(
  fault: Fault | null,
  suite: readonly CollectedTest[],
  asked: (key: string, exchanges: readonly string[]) => void,
): Promise<OpenRun> {
  const base = fault === null ? REFERENCE : drawBase(fault).name;
  const seed = createHash('sha256')
    .update(`brief ${fault?.id ?? base}`)
    .digest()
    .readUInt32LE();
  return runInWorld({ seed, roundTrip: ROUND_TRIP, impairments: {} }, async () => {
    const { key = drawKey(), vary = (Base) => Base, settings, basePath } = fault ?? ({} as Partial<Fault>);
    const served = await serveVariant({
      key,
      vary: (Base) => vary(findBase(base).vary(Base)),
      ...(basePath !== undefined && { basePath }),
    });
    const run = await openRun(
      makeSettings(served.baseUrl, { key, ...settings, profile: 'quick', ...ROOM }),
      () => undefined,
    );
    if ((await run.obstacle()) === null) {
      await runInProcess(suite, run.engine, {
        together: LANES,
        ended: ({ test, asked: exchanges }) => asked(keyCase(test), exchanges),
      });
      await run.engine.conclude();
    }
    await run.close();
    await served.close();
    return run;
  });
}
