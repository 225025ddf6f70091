/**
 * Tests in simulated time, in which a wait of an hour ends at once. They have the tag `@simulated`. The project `worlds` of
 * tests/self/playwright.config.ts runs them, because the processes of other projects must keep the real time.
 */
import { test } from '@playwright/test';
import { collectSuite } from '../../../bin/run/selection/collect-suite.ts';
import type { NetworkTraits } from '../../../bin/prove/world/simulated-network.ts';

/** The `test` of these files. A test with the tag has its own world: clock, network and random values of bin/prove/world. */
export const simulatedTest = test.extend<{ world: void }>({
  world: [
    async ({}, use, { tags }) => {
      if (!tags.includes('@simulated')) return use();
      // The modules of a run are loaded in real time.
      await Promise.all([collectSuite(), import('../../../bin/run/printed-run.ts')]);
      await liveIn({}, async () => {
        let hasEnded = false;
        // While a command reads files, `tick` keeps an immediate pending, which holds the clock of the world.
        // Else it sleeps 20 ms of the world's time and looks again.
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

/** Runs the work in a new world. Unless `world` says otherwise: seed 1, a round trip of 0 ms, and no impairments of the network. */
export async function liveIn<T>(world: Partial<NetworkTraits>, work: () => Promise<T>): Promise<T> {
  const real = readTimers();
  // Imported here, because the import changes the clock of the process, and the process that lists tests keeps its own
  const { runInWorld } = await import('../../../bin/prove/world/world.ts');
  // The first import has replaced the timers of the process. They are kept for later worlds.
  simulatedTimers ??= readTimers();
  Object.assign(globalThis, simulatedTimers);
  try {
    return await runInWorld({ seed: 1, roundTrip: 0, impairments: {}, ...world }, work);
  } finally {
    // The runner sets timers between two files: they must be real
    Object.assign(globalThis, real);
  }
}

const readTimers = () => {
  const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = globalThis;
  return { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate };
};
let simulatedTimers: ReturnType<typeof readTimers> | null = null;

/** True while a command reads files or modules. The time of a world has to wait for that. */
const isReading = () => process.getActiveResourcesInfo().some((each) => /^FSReq|^MessagePort/.test(each));
