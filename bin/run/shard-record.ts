import type { Engine } from '../../fixtures/session/engine.ts';
import type { Shard } from '../../fixtures/settings/settings.ts';
import { digestCatalogue } from '../../reports/certificate/suite-digests.ts';
import type { Report } from '../../reports/document/report-document.ts';
import type { ShardRecord } from '../../reports/document/shards.ts';

/**
 * Makes `shard.json` of this machine (`--shard 2/3`). The command `merge` makes one report of all machines' records. A
 * record holds findings, because each verdict needs the findings of all machines.
 */
export function makeShardRecord(
  { index, count }: Shard,
  engine: Engine,
  report: Report,
  tests: readonly string[],
): ShardRecord {
  const { suite, target, run, footprint, exchanges } = report;
  // Only the part of the path from `tests/` on is equal on all machines.
  const findings = engine.found.findings.map((each) => ({
    ...each,
    test: { ...each.test, file: each.test.file.replace(/^.*[\\/](?=tests[\\/])/, '') },
  }));
  return {
    version: 2,
    index,
    count,
    suite,
    catalogue: digestCatalogue(),
    target,
    run,
    tests: [...tests],
    findings,
    sightings: [...engine.found.sightings],
    durations: engine.dispatcher.sender.durations,
    footprint,
    exchanges,
  };
}
