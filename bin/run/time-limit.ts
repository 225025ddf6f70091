import type { Phases } from '../../fixtures/session/phases.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';

/** When a run is looked at for the first time, in milliseconds: one that cannot end is stopped then. */
const FIRST_LOOK = 75_000;
/** A run that would take this many times RUN_TIMEOUT is stopped early. */
const HOPELESS = 3;
/** Requests of a run on an empty store, about; `--dry-run` counts them. */
export const USUAL_REQUESTS = 1_300;

/** Stops the run at RUN_TIMEOUT; and after little more than a minute where the target is so slow that it would be far from done. @returns what ends the watch */
export function watchTimeLimit(engine: { phases: Phases; stop(reason: string): void }, { runTimeout, maxRps }: Pick<Settings, 'runTimeout' | 'maxRps'>): () => void {
  const limit = setTimeout(() => engine.stop(`RUN_TIMEOUT (${runTimeout / 1_000} s) is over`), runTimeout).unref();
  const look = () => {
    const { ended, all } = engine.phases.progress;
    const minutes = Math.round(((FIRST_LOOK / 60_000) * all) / Math.max(ended, 1));
    if (maxRps === null && minutes * 60_000 > HOPELESS * runTimeout) {
      engine.stop(`the target answers so slowly that a run would take about ${minutes} minutes; RUN_TIMEOUT=${Math.ceil(minutes * 60)} would let it`);
    }
  };
  const first = setTimeout(look, FIRST_LOOK).unref();
  return () => [limit, first].forEach((timer) => clearTimeout(timer));
}

/** A warning if MAX_RPS makes the run take a minute or more, or null. */
export function paceWarning({ maxRps, runTimeout, only }: Pick<Settings, 'maxRps' | 'runTimeout' | 'only'>, requests = USUAL_REQUESTS): string | null {
  if (maxRps === null || only.length > 0) return null;
  const seconds = Math.round(requests / maxRps);
  if (seconds < 60) return null;
  const within = seconds * 1_000 < runTimeout ? '' : `, which is longer than RUN_TIMEOUT (${runTimeout / 1_000} s): raise it, or some requirements stay undecided`;
  return `MAX_RPS=${maxRps} makes a run of about ${requests} requests take ${Math.ceil(seconds / 60)} minutes${within}.`;
}
