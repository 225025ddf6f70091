/** Judges a target without writing files. The proof and dry runs use this; a user's run is in `reported-run.ts`. */
import type { CollectedTest } from '../../fixtures/asking/lanes/collection.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';
import { openRun, type OpenRun } from './run.ts';

interface JudgingOptions {
  /** Gets the text of evidence.jsonl, a few lines at a time. */
  evidence?: (text: string) => void;
  /** Called before the first request. */
  opened?: (run: OpenRun) => void;
  /** Called after each answer. */
  answered?: (run: OpenRun) => void;
  /** Called after each test; returns true if nothing more need be asked. */
  isDecided?: (run: OpenRun) => boolean;
}

/**
 * Sends the preflight requests, runs the tests, and makes the last reads. If the preflight finds an obstacle, no test runs.
 * @returns the closed run, which can make its report
 */
export async function judgeTarget(
  settings: Settings,
  tests: readonly CollectedTest[],
  { evidence = () => undefined, opened, answered, isDecided = () => false }: JudgingOptions = {},
): Promise<OpenRun> {
  const run = await openRun(settings, evidence);
  opened?.(run);
  run.engine.onAnswer = () => answered?.(run);
  try {
    if ((await run.findObstacle()) !== null) return run;
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
