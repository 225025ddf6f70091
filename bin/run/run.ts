import type { Spending } from '../../fixtures/session/asking.ts';
import { Engine } from '../../fixtures/session/engine.ts';
import { drawMark } from '../../fixtures/session/mark.ts';
import { share } from '../../fixtures/session/remote.ts';
import { randomKey } from '../../fixtures/implementations/random-key.ts';
import { serve } from '../../fixtures/implementations/serve.ts';
import { readToken } from '../../fixtures/property/token.ts';
import { REQUIREMENTS, SILENCES } from '../../fixtures/requirements.ts';
import type { Settings } from '../../fixtures/settings.ts';
import { openWire } from '../../fixtures/transport.ts';
import { assemble } from '../../reports/assemble.ts';
import type { Report } from '../../reports/report.ts';
import suite from '../../package.json' with { type: 'json' };
import { commandHere, variablesOf } from './again.ts';
import { preflight, type Obstacle } from './preflight.ts';
import type { Progress } from './progress-line.ts';
import { startRunner } from './runner.ts';
import { watch } from './watch.ts';

/** How long a stopped run may take to wind down before its processes are ended, in milliseconds. */
const GRACE = 15_000;

/** What came of a run: its report, what each requirement cost, and the way to take its secrets out of a text; or why it could not begin. */
export type Outcome = { report: Report; spending: Spending; redact: (text: string) => string } | { obstacle: Obstacle; redact: (text: string) => string };

/** Stops the run, which then ends with its report; at once: it is not waited for tests that are under way. */
export type Stop = (reason: string, atOnce?: boolean) => void;

/** Judges the target of the settings, or the embedded reference, to the end or until it is stopped. Writes no report. */
export async function run(settings: Settings, options: { allureResults: string; evidence: (text: string) => void; onBegin?: () => void; progress: Progress; onStop: (stop: Stop) => void }): Promise<Outcome> {
  const key = settings.embedded ? randomKey() : settings.key;
  const embedded = settings.embedded ? await serve({ key }) : null;
  const baseUrl = embedded?.baseUrl ?? settings.baseUrl;
  const wire = openWire({ origin: new URL(baseUrl), timeout: settings.requestTimeout, network: settings.network });
  const engine = new Engine({ ...settings, baseUrl, key }, wire, drawMark());
  const redact = (text: string) => engine.redactor.redact(text);
  const startedAt = new Date();
  const only = asked(settings);
  const unwatch = watch(engine, settings);
  engine.keepEvidence(options.evidence);
  try {
    options.onStop((reason, atOnce) => {
      engine.stop(reason);
      if (atOnce) engine.onAbandon?.();
    });
    const obstacle = await preflight(engine);
    if (obstacle?.exitCode === 2) return { obstacle: { ...obstacle, message: redact(obstacle.message) }, redact };
    options.onBegin?.();
    if (obstacle !== null) {
      engine.stop(obstacle.message);
      return { report: reportOf(engine, settings, { baseUrl, startedAt, only }), spending: {}, redact };
    }
    const words = await runTests(engine, only, options).catch((error: Error) => error.message);
    if (engine.breakage === null && !engine.phases.complete && engine.stopped === null) engine.breakage = words.trim().slice(-2_000) || 'the runner ended before its tests';
    await engine.conclude();
    const report = reportOf(engine, settings, { baseUrl, startedAt, only });
    return { report, spending: engine.spending, redact };
  } finally {
    unwatch();
    wire.close();
    await embedded?.close();
  }
}

async function runTests(engine: Engine, only: readonly string[], { allureResults, progress }: { allureResults: string; progress: Progress }): Promise<string> {
  const shared = await share(engine);
  const runner = startRunner({ session: shared.path, only, allureResults, isSecret: (value) => engine.redactor.leaks(value) });
  engine.onProgress = () => progress.show(engine.phases.progress, engine.budget);
  engine.onStop = () => setTimeout(() => runner.kill(), GRACE).unref();
  engine.onWait = (what, milliseconds) => progress.wait(what, milliseconds);
  engine.onAbandon = () => runner.kill();
  if (engine.stopped !== null) engine.onStop(); // while the preflight was under way
  try {
    return (await runner.ended).words;
  } finally {
    runner.kill();
    shared.close();
    progress.end();
  }
}

function reportOf(engine: Engine, settings: Settings, { baseUrl, startedAt, only }: { baseUrl: string; startedAt: Date; only: readonly string[] }): Report {
  const { animals, requests } = engine.limits();
  const stopped = engine.stopped ?? (engine.breakage === null ? null : `the suite itself broke: ${engine.redactor.redact(engine.breakage)}`);
  const report = assemble({
    suite: { name: suite.name, version: suite.version, command: commandHere() },
    target: { baseUrl: engine.redactor.redact(baseUrl), embedded: settings.embedded, environment: settings.environment },
    run: {
      id: engine.runId,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      mode: settings.mode,
      strict: settings.strict,
      seed: settings.seed,
      only: [...settings.only],
      complete: engine.phases.complete && engine.breakage === null && stopped === null,
      stopped: stopped === null ? null : engine.redactor.redact(stopped),
      requests: engine.budget.requests,
      crossed: engine.crossed,
      animalsCreated: engine.knowledge.footprint.length,
      limits: { animals, requests, inFlight: settings.maxInFlight, rps: settings.maxRps, wrongKeys: settings.maxWrongKeys },
      lagMs: engine.knowledge.lag,
      putOff: { ...engine.putOff },
      lastAsked: engine.lastAsked,
      progress: engine.phases.progress,
      variables: variablesOf(settings),
    },
    only,
    findings: engine.findings,
    sightings: engine.sightings,
    durations: engine.durations,
    footprint: engine.knowledge.footprint,
    redact: (text) => engine.redactor.redact(text),
    evidence: (ids) => engine.evidenceNow(ids),
  });
  return settings.replay === null ? report : { ...report, exitCode: replayed(report, engine.findings) };
}

/** A counterexample is seen again (also one of a promise that only should be kept), or not seen any more; or it was not asked to its end. */
function replayed({ requirements, run }: Report, findings: Engine['findings']): Report['exitCode'] {
  if (requirements.some(({ verdict }) => verdict === 'fail' || verdict === 'warn')) return 1;
  const isDecided = findings.some(({ verdict }) => verdict === 'pass') && findings.every(({ verdict }) => verdict === 'pass' || verdict === 'not-applicable');
  return run.complete && isDecided ? 0 : 3;
}

/** Stems become their ids; open questions of a stem are asked with it. A replay asks for one property alone. */
function asked({ only, replay }: Settings): string[] {
  if (replay !== null) return [`property.${readToken(replay)?.id}`];
  const all = [...Object.keys(REQUIREMENTS), ...Object.keys(SILENCES)];
  return only.flatMap((each) => (each.includes('.') ? [each] : all.filter((id) => id.startsWith(`${each}.`))));
}
