/** A whole run in this process under the certification profile, as the command would write it. */
import { collectSuite } from '../../../bin/selection/suite.ts';
import { randomKey } from '../../../fixtures/reference/random-key.ts';
import { Reference, type Vary } from '../../../fixtures/reference/reference.ts';
import { serve } from '../../../fixtures/reference/serve.ts';
import { runInProcess } from '../../../fixtures/lanes/in-process.ts';
import { SETTINGS } from '../../../fixtures/implementations/judge-variant.ts';
import { Engine } from '../../../fixtures/session/engine.ts';
import { drawMark } from '../../../fixtures/store/run-mark.ts';
import { openWire } from '../../../fixtures/transport/transport.ts';
import suite from '../../../package.json' with { type: 'json' };
import { assemble } from '../../../reports/document/assemble.ts';
import { CERTIFICATION } from '../../../reports/certificate/certification-profile.ts';
import type { Report } from '../../../reports/document/report.ts';
import { stopInWords } from '../../../reports/words/reasons/stop-words.ts';

/** Judges the reference, varied. `evidence` is the text of evidence.jsonl. */
export async function certifiedRun({
  vary = (Base) => Base,
  asOf = null,
  propertyRuns = 200,
  maxAnimals = null,
}: { vary?: Vary; asOf?: Date | null; propertyRuns?: number; maxAnimals?: number | null } = {}): Promise<{
  report: Report;
  evidence: string;
}> {
  const key = randomKey();
  const served = await serve({ key, Service: vary(Reference) });
  const wire = openWire({ origin: new URL(served.baseUrl), timeout: 8_000, network: SETTINGS.network });
  const settings = {
    ...SETTINGS,
    baseUrl: served.baseUrl,
    key,
    seed: 1,
    seeds: [1, 77],
    propertyRuns,
    asOf,
    maxAnimals,
  };
  const engine = new Engine(settings, wire, drawMark());
  const startedAt = new Date();
  let evidence = '';
  engine.keepEvidence((text) => (evidence += text));
  await runInProcess(await collectSuite(), engine);
  await engine.conclude();
  wire.close();
  await served.close();
  const report = reportOf(engine, settings, startedAt);
  return { report, evidence };
}

function reportOf(
  engine: Engine,
  {
    baseUrl,
    seeds,
    propertyRuns,
    asOf,
  }: { baseUrl: string; seeds: number[]; propertyRuns: number; asOf: Date | null },
  startedAt: Date,
): Report {
  const { animals, requests } = engine.limits.now;
  return assemble({
    suite: { name: suite.name, version: suite.version },
    target: { baseUrl, embedded: false, environment: 'staging' },
    run: {
      id: engine.runId,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      mode: 'full',
      strict: false,
      seed: 1,
      seeds,
      propertyRuns,
      profile: { ...CERTIFICATION },
      ...(asOf === null ? {} : { clock: asOf.toISOString() }),
      only: [],
      complete: engine.stopped === null,
      stopped: engine.stopped && stopInWords(engine.stopped),
      requests: engine.budget.requests,
      animalsCreated: engine.knowledge.footprint.length,
      limits: { animals, requests, inFlight: 8, rps: null, wrongKeys: 60 },
      lagMs: engine.knowledge.lag,
    },
    only: [],
    findings: engine.findings,
    sightings: engine.sightings,
    durations: engine.durations,
    footprint: engine.knowledge.footprint,
    redact: (text) => engine.redactor.redact(text),
    evidence: (ids) => engine.evidenceNow(ids),
  });
}
