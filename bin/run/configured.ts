import { proxyFor } from '../../fixtures/transport.ts';
import { readSettings } from '../../fixtures/settings/read.ts';
import type { Options, Settings } from '../../fixtures/settings.ts';
import { tryOut } from './artifacts.ts';
import { readStanding, type Standing } from './standing.ts';

/** No option of the command is given. */
export const NO_OPTIONS: Options = { only: [], replay: null, dryRun: false, acceptWaivers: false, lock: false };

/** All that a run reads before it asks anything, or what is wrong with it, a line each. */
export function readConfigured(options: Options): { settings: Settings; standing: Standing; notes: readonly string[] } | { mistakes: string[] } {
  const configured = readSettings({ env: process.env, cwd: process.cwd(), options, proxyFor });
  if ('mistakes' in configured) return configured;
  const { settings, notes } = configured;
  const standing = readStanding(settings);
  if ('mistakes' in standing) return standing;
  try {
    tryOut(settings.reportDir);
  } catch (error) {
    return { mistakes: [`REPORT_DIR cannot be written to: ${(error as Error).message}`] };
  }
  return { settings, standing, notes };
}
