import { readSettings } from '../../fixtures/settings/read-settings.ts';
import type { Options, Settings } from '../../fixtures/settings/settings.ts';
import { readBaseline, type Baseline } from './baseline.ts';

/** Options of `run` when none is given; Playwright's own command always uses them. */
export const NO_OPTIONS: Options = {
  only: [],
  replay: null,
  dryRun: false,
  acceptWaivers: false,
  lock: false,
};

/**
 * Reads settings, waivers and profile lock before the first request. Returns them, or one line for each mistake.
 * @param place the environment and the folder with the `.env` files; by default those of this process
 */
export function readConfiguration(
  options: Options,
  place: { env: NodeJS.ProcessEnv; cwd: string } = { env: process.env, cwd: process.cwd() },
): { settings: Settings; baseline: Baseline; notes: readonly string[] } | { mistakes: string[] } {
  const configured = readSettings({ ...place, options });
  if ('mistakes' in configured) return configured;
  const { settings, notes } = configured;
  const baseline = readBaseline(settings);
  if ('mistakes' in baseline) return baseline;
  return { settings, baseline, notes };
}
