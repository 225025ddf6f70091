/**
 * Judges a target without writing files: preflight, tests, last reads. The proof uses this; a user's run is in
 * `reported-run.ts`.
 */
import type { CollectedTest } from '../../fixtures/asking/lanes/collection.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';
import { openRun, type OpenRun } from './run.ts';

/** Options of `judgeTarget`. */
interface JudgingOptions {
  /** Gets the text of evidence.jsonl, a few lines at a time. */
  evidence?: (text: string) => void;
  /** Called after each answer. */
  answered?: (run: OpenRun) => void;
  /** Called after each test; returns true if nothing more need be asked. */
  isDecided?: (run: OpenRun) => boolean;
}

/**
 * Runs the tests, unless the preflight finds an obstacle.
 * @returns the closed run, which can make its report
 */
export async function judgeTarget(
  settings: Settings,
  tests: readonly CollectedTest[],
  { evidence = () => undefined, answered, isDecided = () => false }: JudgingOptions = {},
): Promise<OpenRun> {
  const run = await openRun(settings, evidence);
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
