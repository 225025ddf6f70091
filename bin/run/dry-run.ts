import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../fixtures/settings.ts';
import { Progress } from './progress-line.ts';
import { run, type Stop } from './run.ts';
import { paceWarning } from './watch.ts';

/** Prints what a run would send, measured on the embedded reference with the same settings. Nothing goes to the target. */
export async function dryRun(settings: Settings, out: (text: string) => void): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-dry-'));
  const stand = { ...settings, embedded: true, categoryIds: null, maxRps: null, network: { ...settings.network, headers: {}, proxy: null } };
  let stop: Stop | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop?.('interrupted', true));
  const outcome = await run(stand, { allureResults: join(folder, 'results'), evidence: () => undefined, progress: new Progress(false, () => undefined), onStop: (given) => (stop = given) }).finally(() => rmSync(folder, { recursive: true, force: true }));
  if (!('report' in outcome)) return outcome.obstacle.exitCode;
  const { report, spending } = outcome;
  if (report.run.stopped !== null) {
    out(`The dry run did not come to its end: ${report.run.stopped}\n`);
    return 3;
  }
  out(`A run like this on an empty store that answers at once would send ${report.run.requests} requests and add ${report.run.animalsCreated} animals.\n`);
  const slow = paceWarning(settings, report.run.requests);
  if (slow !== null) out(`${slow}\n`);
  out('Requests and animals by requirement (what several share is counted where it is first needed):\n');
  for (const [id, { requests, animals }] of Object.entries(spending)) out(`  ${id.padEnd(44)} ${String(requests).padStart(5)} ${String(animals).padStart(5)}\n`);
  return 0;
}
