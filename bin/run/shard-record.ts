import type { Engine } from '../../fixtures/session/engine.ts';
import type { Shard } from '../../fixtures/settings/settings.ts';
import { catalogueDigest } from '../../reports/certificate/suite.ts';
import type { Report } from '../../reports/document/report.ts';
import type { ShardRecord } from '../../reports/document/shards.ts';

/** What this machine leaves for the report of all: findings, not verdicts, because a verdict needs those of the others. */
export function shardRecord(
  { index, count }: Shard,
  engine: Engine,
  report: Report,
  tests: readonly string[],
): ShardRecord {
  const { suite, target, run, footprint, exchanges } = report;
  // no path of this machine
  const findings = engine.findings.map((each) => ({
    ...each,
    test: { ...each.test, file: each.test.file.replace(/^.*[\\/](?=tests[\\/])/, '') },
  }));
  return {
    version: 2,
    index,
    count,
    suite,
    catalogue: catalogueDigest(),
    target,
    run,
    tests: [...tests],
    findings,
    sightings: [...engine.sightings],
    durations: engine.durations,
    footprint,
    exchanges,
  };
}
