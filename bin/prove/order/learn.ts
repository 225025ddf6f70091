/**
 * Measures for `bin/order.ts` what each case (one test, or one example of a test) costs in requests, and which faults it finds.
 * `order-cases.ts` then chooses the cases of quick runs.
 */
import { createHash } from 'node:crypto';
import type { CollectedTest } from '../../../fixtures/asking/lanes/collection.ts';
import { findBase, drawBase, REFERENCE } from '../../../fixtures/implementations/bases.ts';
import { serveVariant } from '../../../fixtures/implementations/judge-variant.ts';
import type { Fault } from '../../../fixtures/implementations/variant.ts';
import { isMust } from '../../../fixtures/interface/requirements.ts';
import type { Exchange } from '../../../fixtures/exchange/exchange.ts';
import { isWrongToken } from '../../../fixtures/situations/credentials/credentials.ts';
import { nameCase } from '../../../fixtures/asking/lanes/case-order.ts';
import { runInProcess } from '../../../fixtures/asking/lanes/in-process.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import type { SessionSettings } from '../../../fixtures/session/session-settings.ts';
import { runInWorld } from '../world/world.ts';
import { openRun, type OpenRun } from '../../run/run.ts';
import { makeSettings } from '../judge-task.ts';
import { groupQuick, type CaseCost, type NamedFault } from './order-cases.ts';

/** Limits with room for all cases that a quick run may ask. Cases that need long lists do not fit into 60 animals, and are left out. */
const ROOM: Partial<SessionSettings> = {
  profile: 'quick',
  maxRequests: 5_000,
  maxWrongKeys: 60,
  maxAnimals: 60,
  maxBadAnimals: 20,
};
/** Test bodies that run at the same time. */
const BODIES_TOGETHER = 24;
/** In milliseconds. */
const ROUND_TRIP = 5;
/** Costs are measured for the first own requests of a case, from one to this many, and for all of them. A quick run sends one of these parts. */
const MOST_OWN_REQUESTS = 8;

/**
 * Returns several costs of each case in a run on the reference: with its first own request alone, with its first two, and so on, and
 * with all. Own requests are those that the test itself sends; the others prepare it.
 * Example: a case has 7 exchanges, and those at 0, 3 and 5 are own requests. With one own request it costs the exchanges before the
 * second one, which are 3; with two it costs 5; with all it costs 7.
 */
export async function measureCosts(suite: readonly CollectedTest[]): Promise<CaseCost[]> {
  // By the name of the case (`nameCase`: its file and title): the ids of its exchanges.
  const asked = new Map<string, readonly string[]>();
  const run = await judgeBriefly(null, suite, (name, exchanges) => asked.set(name, exchanges));
  const leftOut = new Set(
    run.engine.found.findings.flatMap(({ verdict, test }) =>
      verdict === 'left-out' ? [nameCase({ place: test })] : [],
    ),
  );
  const findIds = (isMeant: (exchange: Exchange) => boolean) =>
    new Set(run.engine.allExchanges.filter(isMeant).map(({ id }) => id));
  const wrongKeys = findIds(({ ask }) => isWrongToken(ask.credential));
  const own = findIds(isOwn);
  const creations = findIds(({ response }) => response?.status === 201);
  return suite
    .filter((test) => !leftOut.has(nameCase(test)))
    .flatMap((test) => {
      const all = [...new Set(asked.get(nameCase(test)))];
      // In the example [0, 3, 5]: one own request is sent before the exchange at 3, two before the exchange at 5.
      const ownIndexes = all.flatMap((each, index) => (own.has(each) ? [index] : []));
      const makeCost = (ownRequests: number, end: number) => {
        const exchanges = all.slice(0, end);
        return {
          key: nameCase(test),
          ownRequests,
          musts: test.declared.verifies.filter(isMust),
          exchanges,
          wrongKeys: exchanges.filter((each) => wrongKeys.has(each)),
          creations: exchanges.filter((each) => creations.has(each)),
        };
      };
      return [
        ...ownIndexes.slice(1, MOST_OWN_REQUESTS + 1).map((end, index) => makeCost(index + 1, end)),
        makeCost(Infinity, all.length),
      ];
    });
}

/** True if the test itself has sent the request. Without a purpose, the session has sent it for one or several tests. */
function isOwn({ ask }: Exchange): boolean {
  return ask.purpose !== undefined;
}

/**
 * Returns the cases that find the fault: a must is broken in an answer that the case got. Each has the number of own requests that it
 * had sent by then (`ownRequests`).
 */
export async function findNamingCases(fault: Fault, suite: readonly CollectedTest[]): Promise<NamedFault> {
  // By the name of the case: the ids of its exchanges.
  const asked = new Map<string, readonly string[]>();
  const { engine } = await judgeBriefly(fault, suite, (name, exchanges) => asked.set(name, exchanges));
  const own = new Set(engine.allExchanges.filter(isOwn).map(({ id }) => id));
  // By the id of an exchange: the first case that got it.
  const askedBy = new Map<string, NamedFault['cases'][number]>();
  for (const [name, exchanges] of asked) {
    let ownRequests = 0;
    for (const each of exchanges) {
      if (own.has(each)) ownRequests += 1;
      if (!askedBy.has(each)) askedBy.set(each, { key: name, ownRequests });
    }
  }
  const cases = engine.found.findings
    .filter(({ verdict, requirement }) => verdict === 'fail' && isMust(requirement))
    // The first exchange of a finding is the wrong answer. Others often add animals.
    .flatMap(({ evidence: [wrong = ''] }) => askedBy.get(wrong) ?? []);
  // Findings of one wrong answer have the same entry of `askedBy`: the set keeps it once.
  return { id: fault.id, breaks: fault.breaks, cases: [...new Set(cases)] };
}

/**
 * Runs the cases in a simulated world.
 * @param fault the fault on its base; null: the reference
 * @param noteAsked called after each case, with its name and the ids of its exchanges
 */
async function judgeBriefly(
  fault: Fault | null,
  suite: readonly CollectedTest[],
  noteAsked: (caseName: string, exchanges: readonly string[]) => void,
): Promise<OpenRun> {
  const base = fault === null ? REFERENCE : drawBase(fault).name;
  const name = `brief ${fault?.id ?? base}`;
  const seed = createHash('sha256').update(name).digest().readUInt32LE();
  return runInWorld({ seed, roundTrip: ROUND_TRIP, impairments: {} }, async () => {
    const { key = drawKey(), vary = (Base) => Base, settings, basePath } = fault ?? ({} as Partial<Fault>);
    const served = await serveVariant({
      key,
      vary: (Base) => vary(findBase(base).vary(Base)),
      ...(basePath !== undefined && { basePath }),
    });
    const run = await openRun(makeSettings(served.baseUrl, { key, ...settings, ...ROOM }), () => undefined);
    // An obstacle is the reason why a run is not possible, e.g. the target refuses the key.
    if ((await run.findObstacle()) === null) {
      await runInProcess(suite, run.engine, {
        laneCount: BODIES_TOGETHER,
        groups: groupQuick(suite),
        ended: ({ test, asked }) => noteAsked(nameCase(test), asked),
      });
      await run.engine.conclude();
    }
    await run.close();
    await served.close();
    return run;
  });
}
