/**
 * Measures for `order.ts` what each case (one test, or one example of a test) costs in requests, and which faults it finds.
 * `order.ts` then chooses the cases of quick runs.
 */
import { createHash } from 'node:crypto';
import type { CollectedTest } from '../../../fixtures/asking/lanes/collection.ts';
import { findBase, drawBase, REFERENCE } from '../../../fixtures/implementations/bases.ts';
import { serveVariant } from '../../../fixtures/implementations/judge-variant.ts';
import type { Fault } from '../../../fixtures/implementations/variant.ts';
import { isMust } from '../../../fixtures/interface/requirements.ts';
import type { Exchange } from '../../../fixtures/exchange/exchange.ts';
import { isGuess } from '../../../fixtures/situations/credentials/credentials.ts';
import { nameCase } from '../../../fixtures/asking/lanes/case-order.ts';
import { runInProcess } from '../../../fixtures/asking/lanes/in-process.ts';
import { drawKey } from '../../../fixtures/reference/random-key.ts';
import type { SessionSettings } from '../../../fixtures/session/session-settings.ts';
import { runInWorld } from '../world/world.ts';
import { openRun, type OpenRun } from '../../run/run.ts';
import { makeSettings } from '../judge-task.ts';
import { groupQuick, type CaseCost, type NamedFault } from './order-cases.ts';

/** Limits with room for all cases that a quick run may ask. Cases that need long lists do not fit, and are left out. */
const ROOM: Partial<SessionSettings> = {
  profile: 'quick',
  maxRequests: 5_000,
  maxWrongKeys: 60,
  maxAnimals: 60,
  maxBadAnimals: 20,
};
/** Test bodies that run at the same time. */
const BODIES_TOGETHER = 24;
/** Milliseconds. */
const ROUND_TRIP = 5;
/** The most requests of its own that a quick run may send for one case. */
const MOST_OWN_REQUESTS = 8;

/**
 * Returns several costs of each case in a run on the reference: for its first own request alone, for its first two, and so on, and
 * for all. Example: of 7 exchanges, 0, 3 and 5 are own requests. The costs count 3, 5 and all 7 exchanges.
 * `rows` counts the own requests of a cost.
 * @param limits the settings of the run; default: the settings in which all quick cases have room
 */
export async function measureCosts(
  suite: readonly CollectedTest[],
  limits: Partial<SessionSettings> = ROOM,
): Promise<CaseCost[]> {
  // By the name of the case: the ids of its exchanges.
  const asked = new Map<string, readonly string[]>();
  const run = await judgeBriefly(null, suite, limits, (key, exchanges) => asked.set(key, exchanges));
  const leftOut = new Set(
    run.engine.found.findings.flatMap(({ verdict, test }) =>
      verdict === 'left-out' ? [nameCase({ place: test })] : [],
    ),
  );
  const findIds = (is: (exchange: Exchange) => boolean) =>
    new Set(run.engine.allExchanges.filter(is).map(({ id }) => id));
  const guesses = findIds(({ ask }) => isGuess(ask.credential));
  const own = findIds(isOwn);
  const creations = findIds(({ response }) => response?.status === 201);
  return suite
    .filter((test) => !leftOut.has(nameCase(test)))
    .flatMap((test) => {
      const all = [...new Set(asked.get(nameCase(test)))];
      // The places in `all` of the requests that the test has sent itself.
      const ownIndexes = all.flatMap((each, index) => (own.has(each) ? [index] : []));
      const cost = (rows: number, end: number) => {
        const exchanges = all.slice(0, end);
        return {
          key: nameCase(test),
          rows,
          musts: test.declared.verifies.filter(isMust),
          exchanges,
          guesses: exchanges.filter((each) => guesses.has(each)),
          creations: exchanges.filter((each) => creations.has(each)),
        };
      };
      // With one request of its own, a case sends all that comes before its second one; with two, all before its third one.
      return [
        ...ownIndexes.slice(1, MOST_OWN_REQUESTS + 1).map((end, index) => cost(index + 1, end)),
        cost(Infinity, all.length),
      ];
    });
}

/** True if a test has sent the exchange itself. The session sends other requests for it, and several tests share them. */
function isOwn({ ask }: Exchange): boolean {
  return ask.purpose !== undefined;
}

/**
 * Returns the cases that find the fault: a must fails in the case itself, or a rule over several answers finds the failure
 * in an answer that the case got.
 */
export async function findNamingCases(fault: Fault, suite: readonly CollectedTest[]): Promise<NamedFault> {
  // By the name of the case: the ids of its exchanges.
  const asked = new Map<string, readonly string[]>();
  const { engine } = await judgeBriefly(fault, suite, ROOM, (key, exchanges) => asked.set(key, exchanges));
  const own = new Set(engine.allExchanges.filter(isOwn).map(({ id }) => id));
  // By the id of the exchange: the first case that got it, and how many own requests the case had then sent.
  const askedBy = new Map<string, NamedFault['cases'][number]>();
  for (const [key, exchanges] of asked) {
    let rows = 0;
    for (const each of exchanges) {
      if (own.has(each)) rows += 1;
      if (!askedBy.has(each)) askedBy.set(each, { key, rows });
    }
  }
  const cases = engine.found.findings
    .filter(({ verdict, requirement }) => verdict === 'fail' && isMust(requirement))
    // Of the exchanges that a rule names, the last one is the wrong answer. The first ones often add animals.
    .flatMap(({ evidence }) => askedBy.get(evidence.at(-1) ?? '') ?? []);
  return { id: fault.id, breaks: fault.breaks, cases: [...new Set(cases)] };
}

/** Runs the cases on a fault (null: on the reference) in a simulated world. `noteAsked` gets the exchanges of each case. */
async function judgeBriefly(
  fault: Fault | null,
  suite: readonly CollectedTest[],
  limits: Partial<SessionSettings>,
  noteAsked: (key: string, exchanges: readonly string[]) => void,
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
    const run = await openRun(makeSettings(served.baseUrl, { key, ...settings, ...limits }), () => undefined);
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
