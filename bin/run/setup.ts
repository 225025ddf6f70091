import type { FullConfig } from '@playwright/test';
import { NO_OPTIONS, readConfigured } from './configured.ts';
import { Progress } from './progress-line.ts';
import { Sitting, sittingHere } from './sitting.ts';
import { isSteppedThrough } from './stepping.ts';
import { out } from './tell.ts';
import { paceWarning } from './watch.ts';

/** Mistakes in the settings, one line each. The runner's own command then ends with the exit code of ours. */
export class Refusal extends Error {}

/** The runner's global setup. Where the command has started the runner, everything is open already. */
export default async function setup(config: FullConfig): Promise<(() => Promise<void>) | undefined> {
  if (sittingHere() !== null) return undefined;
  const configured = readConfigured(NO_OPTIONS);
  if ('mistakes' in configured) throw new Refusal(configured.mistakes.join('\n'));
  const { settings, standing, notes } = configured;
  for (const note of notes) out(`${note}\n`);
  const isReported = config.reporter.some(([name]) => /[\\/]run[\\/]reporter\.[jt]s$/.test(name));
  out(`Judging ${settings.embedded ? 'the embedded reference service' : settings.baseUrl}\n`);
  const slow = paceWarning(settings);
  if (slow !== null) out(`${slow}\n`);
  const sitting = await Sitting.open({ settings, standing, progress: new Progress(process.stdout.isTTY === true, out), onLanes: isReported && !isSteppedThrough() });
  const obstacle = await sitting.meetsObstacle();
  if (obstacle !== null) throw new Refusal(obstacle.message);
  if (isReported) return undefined;
  out('--reporter takes the place of the reporter of the suite: no report is written.\n');
  sitting.begin({ tests: null, isWhole: false, ids: [] });
  return () => sitting.close();
}
