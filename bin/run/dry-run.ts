/**
 * The option `--dry-run`: counts the requests and animals of a run with these settings, without a request to the target.
 * It prints a line for each requirement: `list-pets.limit   12   3` means 12 requests, of which 3 added animals.
 */
import type { Settings } from '../../fixtures/settings/settings.ts';
import { countNoun } from '../../reports/shown/words/verdict-words.ts';
import { collectSuite } from './selection/collect-suite.ts';
import { selectIds, selectTests } from './selection/selection.ts';
import { judgeTarget } from './judge-target.ts';
import { stopOnSignals } from './this-process.ts';
import { warnOfPace } from './time-limit.ts';

/**
 * Judges the embedded reference in a whole run with these settings, and prints how many requests and animals that took.
 * @returns the exit code
 */
export async function performDryRun(settings: Settings, out: (text: string) => void): Promise<number> {
  // The reference knows no category of the target, needs no proxy and may be asked at full speed.
  const embedded = {
    ...settings,
    embedded: true,
    categoryIds: null,
    maxRps: null,
    network: { ...settings.network, headers: {}, proxy: null },
  };
  const { tests } = selectTests(settings, await collectSuite());
  const run = await judgeTarget(embedded, tests, {
    opened: ({ engine }) => stopOnSignals((why) => engine.stop(why)),
  });
  const { stopped, requests, animalsCreated } = run.report([], selectIds(settings)).run;
  if (stopped !== null) {
    out(`The dry run did not come to its end: ${stopped}\n`);
    return 3;
  }
  out(
    `A run like this on an empty store that answers at once would send ${countNoun(requests, 'request')} and add ${animalsCreated} animals.\n`,
  );
  const slow = warnOfPace(settings, requests);
  if (slow !== null) out(`${slow}\n`);
  out('Requests and animals by requirement (what several share is counted for the first of them):\n');
  const costs: Record<string, { requests: number; animals: number }> = {};
  // The purpose of a request is the id of the requirement for which a test sent it.
  for (const { ask, response } of run.engine.allExchanges) {
    const cost = (costs[ask.purpose ?? 'animals that many tests share'] ??= { requests: 0, animals: 0 });
    cost.requests += 1;
    cost.animals += Number(response?.status === 201);
  }
  for (const [id, { requests: sent, animals }] of Object.entries(costs))
    out(`  ${id.padEnd(44)} ${String(sent).padStart(5)} ${String(animals).padStart(5)}\n`);
  return 0;
}
