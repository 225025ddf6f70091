/**
 * Tests in simulated time, in which a wait costs nothing. They bear the tag `@simulated`, by which the project `worlds` picks
 * them: its processes have no other time.
 */
import { test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import type { NetworkTraits } from '../../../bin/prove/world/simulated-network.ts';

/** The `test` of these files. A test with the tag lives in a world of its own. */
export const simulatedTest = test.extend<{ world: void }>({
  world: [
    async ({}, use, { tags }) => {
      if (!tags.includes('@simulated')) return use();
      // what a run loads is loaded in real time
      await Promise.all([collectSuite(), import('../../../bin/run/printed-run.ts')]);
      await liveIn({}, async () => {
        let hasEnded = false;
        // While a command reads files, an immediate is always due, so the clock stands. Else it moves by 20 ms at most
        // until the next look.
        const tick = (): void => {
          if (!hasEnded) void (isReading() ? setImmediate(tick) : setTimeout(tick, 20));
        };
        tick();
        await use();
        hasEnded = true;
      });
    },
    { auto: true },
  ],
});

/** Runs the work in a new world: with the seed 1, no round trip and a wire without faults, unless `world` has others. */
export async function liveIn<T>(world: Partial<NetworkTraits>, work: () => Promise<T>): Promise<T> {
  const real = readTimers();
  // imported here, because the import changes the clock of the process, and the process that lists tests keeps its own
  const { runInWorld } = await import('../../../bin/prove/world/world.ts');
  // The first import has replaced the timers of the process. They are kept for later worlds.
  simulated ??= readTimers();
  Object.assign(globalThis, simulated);
  try {
    return await runInWorld({ seed: 1, roundTrip: 0, impairments: {}, ...world }, work);
  } finally {
    // the runner sets timers between two files: they must be real
    Object.assign(globalThis, real);
  }
}

const readTimers = () => {
  const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = globalThis;
  return { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate };
};
let simulated: ReturnType<typeof readTimers> | null = null;

/** True while a command reads files or modules. The time of a world has to wait for that. */
const isReading = () => process.getActiveResourcesInfo().some((each) => /^FSReq|^MessagePort/.test(each));
