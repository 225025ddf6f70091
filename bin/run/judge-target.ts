/** Judges a target from its first request to its verdict: preflight, all tests on as many lanes as users have, and the end of the session. */
import type { CollectedTest } from '../../fixtures/lanes/collection.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';
import { openRun, type Run } from './run.ts';

/** How a target is judged beside the settings. */
interface Judged {
  /** Takes the evidence, a few lines at a time. */
  evidence?: (text: string) => void;
  /** Looks at the run after each test; true: nothing more need be asked. */
  isDecided?: (run: Run) => boolean;
}

/** @returns the run, closed: its report can be asked for */
export async function judgeTarget(
  settings: Settings,
  tests: readonly CollectedTest[],
  { evidence = () => undefined, isDecided = () => false }: Judged = {},
): Promise<Run> {
  const run = await openRun(settings, evidence);
  try {
    if ((await run.obstacle()) !== null) return run;
    await run.judge(tests, {
      ended: () => {
        if (isDecided(run)) run.engine.stop({ kind: 'decided' });
      },
    });
    await run.engine.conclude();
    return run;
  } finally {
    await run.close();
  }
}
