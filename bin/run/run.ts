/** One run against a target, without files: it opens the session, runs the tests, and makes the report. */
import { randomInt } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { CollectedTest } from '../../fixtures/asking/lanes/collection.ts';
import { chooseQuick, QUICK_POWER } from '../../fixtures/asking/lanes/case-order.ts';
import { runInProcess, type Lanes } from '../../fixtures/asking/lanes/in-process.ts';
import type { EndedTest } from '../../fixtures/asking/lanes/run-body.ts';
import { DEFAULT_REQUESTS } from '../../fixtures/session/dispatch/budget.ts';
import { Engine } from '../../fixtures/session/engine.ts';
import type { SessionSettings } from '../../fixtures/session/session-settings.ts';
import { CERTIFICATION, QUICK, QUICK_PROFILE } from '../../fixtures/settings/profiles.ts';
import { deriveKeySalt, deriveSeeds } from '../../fixtures/settings/challenge.ts';
import { readKeyFile } from '../../fixtures/settings/target.ts';
import { drawMark, drawPlainMark, deriveMark } from '../../fixtures/judgement/store/run-mark.ts';
import { drawKey } from '../../fixtures/reference/random-key.ts';
import { serve } from '../../fixtures/reference/serve.ts';
import type { JudgedTarget } from '../../fixtures/evidence/log.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';
import { openWire } from '../../fixtures/session/transport/transport.ts';
import { computeTimings } from '../../reports/document/latency.ts';
import { assemble, redactTexts } from '../../reports/document/assemble.ts';
import { Circumstances } from '../../reports/document/circumstances.ts';
import type { Report } from '../../reports/document/report-document.ts';
import suite from '../../package.json' with { type: 'json' };
import { spellStart, keepOptions, keepVariables } from '../command-line/output/rerun-command.ts';
import { awaitTarget } from './preflight/await-target.ts';
import { checkTarget, type Obstacle } from './preflight/preflight.ts';
import { readLeftBefore } from '../command-line/output/earlier-runs.ts';
import { watchTimeLimit } from './time-limit.ts';
import { LEFT_BY_QUICK, type Stop } from '../../fixtures/judgement/reason.ts';
import type { Finding } from '../../fixtures/judgement/finding.ts';
import { TESTED } from '../../fixtures/interface/requirements.ts';
import { findStopRemedy, describeStop } from '../../reports/document/reasons/stop-words.ts';

/**
 * Lanes for each request that MAX_IN_FLIGHT permits: while one test body computes, or waits for other tests, another one sends. Example:
 * for 8 requests there are 24 lanes. Beside the tests that send chains of requests, the others have 8 lanes more.
 */
const LANES_PER_REQUEST = 3;

/** `ended` is called after each test. `abandoned` rejects when the run no longer waits for running tests. */
type Hooks<Test> = Pick<Lanes<Test>, 'ended' | 'abandoned'>;

/** One run against a target. `ReportedRun` adds the files; dry runs and the proof use it without files. */
export interface OpenRun {
  readonly settings: Settings;
  readonly engine: Engine;
  /** Returns the text without secrets. */
  redact(text: string): string;
  /**
   * Sends the preflight requests. Returns the reason why no test can run, or null. A reason with exit code 3 stops the
   * session, because a report shows it.
   */
  findObstacle(): Promise<Obstacle | null>;
  /** Runs the tests in an order of its own. A quick run leaves out tests that are not among its cases. */
  judge<Test extends CollectedTest>(tests: readonly Test[], hooks?: Hooks<Test>): Promise<void>;
  /**
   * Makes the report. Without parameters, it is about all requirements.
   * @param only the values of --only, e.g. `['list-pets']`
   * @param ids the full ids of these requirements, e.g. `['list-pets.limit', 'list-pets.empty', ...]`
   */
  report(only?: readonly string[], ids?: readonly string[]): Report;
  /** Closes the connection to the target and stops the embedded reference. */
  close(): Promise<void>;
}

/**
 * Opens a run against the target of the settings, or against the embedded reference. Nothing is sent yet. `wire` sends single requests
 * over HTTP. `engine` is the session: it permits and judges each request, and keeps the evidence.
 * @param evidence gets the text of evidence.jsonl, a few lines at a time
 */
export async function openRun(settings: Settings, evidence: (text: string) => void): Promise<OpenRun> {
  const key = settings.embedded ? drawKey() : settings.key;
  const reference = settings.embedded ? await serve({ key }) : null;
  const baseUrl = reference?.baseUrl ?? settings.baseUrl;
  const wire = openWire({
    origin: new URL(baseUrl),
    timeout: settings.requestTimeout,
    network: settings.network,
  });
  const seeds = chooseSeeds(settings);
  const session = makeSessionSettings(settings, { baseUrl, key, seeds });
  const engine = new Engine(session, wire, chooseMark(settings));
  const redact = (text: string) => engine.redactor.redact(text);
  const [startedAt, startTick] = [new Date(), performance.now()];
  // Ends the time limit, which `findObstacle` begins.
  let endTimeLimit = () => {};
  const { embedded, environment, subject } = settings;
  const target = redactTexts({ baseUrl, embedded, environment, subject }, redact);
  engine.keepEvidence(evidence, suite.version, target);
  return {
    settings,
    engine,
    redact,
    findObstacle: async () => {
      const isReady = await awaitTarget(engine, wire, { ...session, wait: settings.wait });
      endTimeLimit = watchTimeLimit(engine, settings);
      const found = await checkTarget(engine);
      if (found === null) return null;
      const waited = isReady ? '' : ` The run waited ${settings.wait / 1_000} s for it (WAIT).`;
      const obstacle = { ...found, message: engine.redactor.withhold(found.message) + waited };
      if (obstacle.exitCode === 3)
        engine.stop({ kind: 'obstacle', told: obstacle.message, remedy: obstacle.remedy ?? null });
      return obstacle;
    },
    judge: (tests, hooks) => runTests(engine, settings, tests, hooks),
    report: (only = [], ids = []) =>
      makeReport({ engine, settings, target, startedAt, startTick, seeds }, only, ids),
    close: async () => {
      endTimeLimit();
      wire.close();
      await reference?.close();
    },
  };
}

/** Runs the tests of a quick run in groups, the tests of any other run by their phases (`runInProcess`). */
async function runTests<Test extends CollectedTest>(
  engine: Engine,
  { profile, failFast, maxInFlight }: Settings,
  tests: readonly Test[],
  hooks: Hooks<Test> = {},
): Promise<void> {
  const ended = async (ran: EndedTest<Test>) => {
    await hooks.ended?.(ran);
    if (failFast && engine.isNonconforming()) engine.stop({ kind: 'failed' });
  };
  if (profile !== 'quick') {
    const lanes = { laneCount: maxInFlight * LANES_PER_REQUEST, laneCountOfOthers: maxInFlight };
    return runInProcess(putPropertiesFirst(tests), engine, { ...hooks, ended, ...lanes });
  }
  // A quick run asks only some cases of each promise, so a promise can only pass in part.
  engine.leaveOut(TESTED, 'the cases of whole runs', LEFT_BY_QUICK);
  const groups = chooseQuick(tests);
  // All bodies of a group begin at once: most wait for a connection, or for the answer to another body.
  return runInProcess(groups.flat(), engine, { ...hooks, ended, laneCount: Infinity, groups });
}

/** Returns the settings of the session: the settings of the run, with its address, key and seeds (`chooseSeeds`). */
function makeSessionSettings(
  settings: Settings,
  { baseUrl, key, seeds }: { baseUrl: string; key: string; seeds: number[] | undefined },
): SessionSettings {
  const { challenge, keyFile } = settings;
  return {
    ...settings,
    baseUrl,
    key,
    // The embedded reference is new in each run. A certificate must follow from its evidence alone. So neither reads earlier runs.
    leftBefore:
      settings.embedded || settings.profile === 'certification'
        ? []
        : readLeftBefore(settings.reportDir, baseUrl),
    // --seeds N: each seed may use as many requests as a run with one seed.
    ...(settings.seedCount > 1 &&
      settings.maxRequests === null && { maxRequests: settings.seedCount * DEFAULT_REQUESTS }),
    ...(seeds !== undefined && { seeds }),
    keySalt: challenge && deriveKeySalt(challenge.challenge),
    ...(keyFile !== undefined && { readKeyAgain: () => readKeyFile(keyFile) }),
  };
}

/**
 * Returns the two seeds of a certification run: derived from the challenge; without a challenge, SEED and a random one.
 * Undefined for other runs.
 */
function chooseSeeds({ profile, challenge, seed }: Settings): number[] | undefined {
  if (profile !== 'certification') return undefined;
  return challenge === null ? [seed, seed + randomInt(1, 2 ** 30)] : deriveSeeds(challenge.challenge);
}

/** Returns the mark of the run: letters in the names of its animals, by which they are recognized. */
function chooseMark({ challenge, incognito }: Settings): string {
  if (challenge !== null) return deriveMark(challenge.challenge.nonce);
  return incognito ? drawPlainMark() : drawMark();
}

/** Matches the paths of property tests, of `.opening.` files, and of all files. */
const FILES_IN_ORDER = [/[\\/]properties[\\/]/, /\.opening\./, /^/];

/**
 * Puts properties first: they take longest, and tests of long lists can use the animals that they add. This order decides only between
 * tests that `phase-order.ts` does not put in another order.
 */
function putPropertiesFirst<Test extends CollectedTest>(tests: readonly Test[]): Test[] {
  const rank = ({ place: { file } }: Test) => FILES_IN_ORDER.findIndex((each) => each.test(file));
  return tests.toSorted((one, other) => rank(one) - rank(other));
}

interface RunFacts {
  engine: Engine;
  settings: Settings;
  target: JudgedTarget;
  startedAt: Date;
  /** The start by `performance.now()`, in milliseconds: the duration is right even if somebody sets the clock. */
  startTick: number;
  /** Seeds of generated input in a certification run; undefined in other runs. */
  seeds: number[] | undefined;
}

function makeReport(facts: RunFacts, only: readonly string[], ids: readonly string[]): Report {
  const { engine, settings, target } = facts;
  const report = assemble({
    explanations: engine.judge.explanations(),
    trials: engine.judge.trials,
    readCircumstances: () => new Circumstances(engine.judge, engine.allExchanges),
    all: () => engine.allExchanges,
    suite: { name: suite.name, version: suite.version, command: spellStart() },
    target,
    run: makeRunPart(facts, only),
    only: ids,
    findings: engine.found.findings,
    sightings: engine.found.sightings,
    timings: computeTimings([...engine.found.exchanges.values()]),
    footprint: engine.footprint.leftAnimals,
    // `withhold` leaves nothing of a text in which a part of a secret is left after redaction.
    redact: (text) => engine.redactor.withhold(text),
    evidence: (cited) => engine.evidence(cited),
  });
  return settings.replay === null
    ? report
    : { ...report, exitCode: chooseReplayCode(report, engine.found.findings) };
}

/** Returns the profile of the run, and its seeds if it has several. */
function makeProfilePart(
  { profile, propertyRuns, seed, seedCount }: Settings,
  seeds: RunFacts['seeds'],
): Pick<Report['run'], 'profile' | 'propertyRuns' | 'seeds'> {
  if (seeds) return { seeds, propertyRuns, profile: { ...CERTIFICATION } };
  return {
    ...(profile === 'quick' && { profile: { ...QUICK_PROFILE } }),
    ...(seedCount > 1 && { seeds: Array.from({ length: seedCount }, (_, index) => seed + index) }),
  };
}

function makeRunPart(
  { engine, settings, startedAt, startTick, seeds }: RunFacts,
  only: readonly string[],
): Report['run'] {
  const { stopped: stop } = engine;
  const { last } = engine.dispatcher.sender;
  const remedy = stop && findStopRemedy(stop);
  // An error of Playwright or of the suite itself does not stop the run. The report names it like a stop.
  const breakage: Stop | null =
    engine.breakage === null ? null : { kind: 'suite-broke', error: engine.breakage };
  const endReason = stop ?? breakage;
  return {
    id: engine.runId,
    ...(settings.runId !== null && { name: settings.runId }),
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - startTick),
    mode: settings.mode,
    strict: settings.strict,
    seed: settings.seed,
    ...makeProfilePart(settings, seeds),
    power: measurePower(engine, settings),
    ...(settings.asOf && { clock: settings.asOf.toISOString() }),
    only: [...only],
    complete: engine.progress.ended === engine.progress.all && endReason === null,
    stopped: endReason && engine.redactor.withhold(describeStop(endReason)),
    ...(endReason && { stoppedBy: endReason.kind }),
    ...(remedy && { remedy }),
    requests: engine.budget.requests,
    animalsCreated: engine.footprint.leftAnimals.length,
    badAnimals: engine.footprint.badAnimals,
    ...(engine.idsAdoptedBefore.length > 0 && { adoptedBefore: engine.idsAdoptedBefore }),
    limits: {
      animals: engine.budget.limitAnimals(),
      requests: engine.budget.mostRequests,
      inFlight: settings.maxInFlight,
      rps: settings.maxRps,
      wrongKeys: settings.maxWrongKeys,
    },
    lagMs: engine.lag,
    putOff: engine.dispatcher.summary,
    lastAsked: last && engine.redactor.redact(`${last.method} ${last.path}`).slice(0, 300),
    progress: engine.progress,
    variables: keepVariables(settings),
    options: keepOptions(settings),
  };
}

/**
 * Returns the measured share of faults that a quick run finds. Null for other runs, and for a quick run that was
 * stopped, only read, or had fewer requests than the profile allows.
 */
function measurePower({ stopped, budget }: Engine, { profile, mode }: Settings): Report['run']['power'] {
  const isFull = stopped === null && mode === 'full' && budget.mostRequests >= QUICK.requests;
  return profile === 'quick' && isFull ? { ...QUICK_POWER } : null;
}

/** Returns the exit code of `--replay`. 1: the counterexample fails or warns again. 0: it passes. 3: it was not asked to its end. */
function chooseReplayCode({ requirements, run }: Report, findings: readonly Finding[]): Report['exitCode'] {
  if (requirements.some(({ verdict }) => verdict === 'fail' || verdict === 'warn')) return 1;
  const isDecided =
    findings.some(({ verdict }) => verdict === 'pass') &&
    findings.every(({ verdict }) => verdict === 'pass' || verdict === 'not-applicable');
  return run.complete && isDecided ? 0 : 3;
}
