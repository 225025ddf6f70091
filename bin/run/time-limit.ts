/** Ends a run after RUN_TIMEOUT, and warns before a run that MAX_RPS makes slow. */
import type { Stop } from '../../fixtures/judgement/reason.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';

/** A run on an empty store sends about this many requests; `--dry-run` counts how many. */
const USUAL_REQUESTS = 1_300;

/**
 * Stops the run after RUN_TIMEOUT. The report of a slow target then shows what was decided until that moment.
 * @returns a function that ends this limit
 */
export function watchTimeLimit(
  engine: { stop(stop: Stop): void },
  { runTimeout }: Pick<Settings, 'runTimeout'>,
): () => void {
  const stop = () => engine.stop({ kind: 'time', seconds: runTimeout / 1_000 });
  const timer = setTimeout(stop, runTimeout).unref();
  return () => clearTimeout(timer);
}

/** Returns a warning if MAX_RPS makes the run take more than a minute. Null for shorter runs, for a part, and for a quick run. */
export function warnOfPace(settings: Settings, requests = USUAL_REQUESTS): string | null {
  const { maxRps, runTimeout, only, profile, replay } = settings;
  if (maxRps === null || only.length > 0 || profile === 'quick' || replay !== null) return null;
  const seconds = Math.round(requests / maxRps);
  if (seconds <= 60) return null;
  const excess =
    seconds * 1_000 < runTimeout
      ? ''
      : `, which is longer than RUN_TIMEOUT (${runTimeout / 1_000} s): raise it, or some requirements stay undecided`;
  return `MAX_RPS=${maxRps} makes a run of about ${requests} requests take ${Math.ceil(seconds / 60)} minutes${excess}.`;
}
