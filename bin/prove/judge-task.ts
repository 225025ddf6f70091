/** Judges one variant of the reference, e.g. a fault, in a worker process of the proof. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parse } from 'node:path';
import type { CollectedTest } from '../../fixtures/asking/lanes/collection.ts';
import { findBase } from '../../fixtures/implementations/bases.ts';
import { FAULTS } from '../../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../../fixtures/implementations/freedoms/index.ts';
import { findHard } from '../../fixtures/implementations/hard-variants.ts';
import { findPair } from '../../fixtures/implementations/pairs.ts';
import { serveVariant, type Variant } from '../../fixtures/implementations/judge-variant.ts';
import { listNamingPromises, type Fault } from '../../fixtures/implementations/variant.ts';
import type { Finding } from '../../fixtures/judgement/finding.ts';
import { drawKey } from '../../fixtures/reference/random-key.ts';
import { readSettings } from '../../fixtures/settings/read-settings.ts';
import type { SessionSettings } from '../../fixtures/session/session-settings.ts';
import type { Settings } from '../../fixtures/settings/settings.ts';
import { findFailures, findWarnings } from '../../reports/document/causes.ts';
import type { Report } from '../../reports/document/report-document.ts';
import type { VariantOutcome } from '../../reports/shown/proof/kill-matrix.ts';
import { QUICK } from '../../fixtures/settings/profiles.ts';
import { NO_OPTIONS } from '../command-line/options.ts';
import { judgeTarget } from '../run/judge-target.ts';
import type { OpenRun } from '../run/run.ts';
import { makeResults, judgeRun } from '../../reports/document/verdicts.ts';
import { describeStop } from '../../reports/document/reasons/stop-words.ts';

/** The order to judge one variant. The main process of the proof sends it to a worker, which calls `judgeTask`. */
export interface Task {
  kind: VariantOutcome['kind'];
  /** Unique within its kind. A base: its name. A pair: `<freedom>+<freedom>`. A quick run: `fault <id>` or `freedom <id>`. */
  id: string;
  /** The name of the base under the variant. */
  base: string;
  seed: number;
  /** True if only tests with generated input run. */
  propertiesOnly: boolean;
  /** True if the run goes to its end. False if it stops when the promise of the fault has failed, which saves time. */
  whole: boolean;
  /** The round trip to the target, in milliseconds. */
  roundTrip: number;
  /** A bad condition of the simulated wire, e.g. `loss` (wire/conditions.ts); absent: only the round trip. */
  wire?: string;
  /** The file for the evidence; null if it is not kept. */
  evidence: string | null;
}

/** A variation that changes nothing. `vary` gets the class of the service and returns the class to serve, usually a subclass. */
const PLAIN: Variant = { vary: (Base) => Base };

/** Finds the variant of each kind by its id. */
const VARIANTS: Record<Task['kind'], (id: string) => Variant | undefined> = {
  base: () => PLAIN,
  fault: (id) => findFault({ kind: 'fault', id }),
  freedom: (id) => FREEDOMS.find((each) => each.id === id),
  pair: findPair,
  // A fault that is harder to see, e.g. one that acts in 1 % of the answers.
  hard: findHard,
  // E.g. `fault list-pets.default-21`.
  quick: (id) => {
    const [kind, ...words] = id.split(' ');
    return VARIANTS[kind === 'fault' ? 'fault' : 'freedom'](words.join(' '));
  },
};

/**
 * Returns the variant of a task, put on its base. `without` is the service without the fault: an oracle counts the answers that
 * differ from its answers.
 * @throws Error if no variant has this id
 */
function findVariant({ kind, id, base }: Task): Variant {
  const [variant, varyBase] = [VARIANTS[kind](id), findBase(base).vary];
  if (variant === undefined) throw new Error(`there is no ${kind} ${id}`);
  const { vary, without = PLAIN.vary } = variant;
  return {
    ...variant,
    vary: (Base) => vary(varyBase(Base)),
    without: (Base) => without(varyBase(Base)),
  };
}

/** Judges one variant as a user judges a target: all tests, with default settings unless the variant names others. */
export async function judgeTask(task: Task, suite: readonly CollectedTest[]): Promise<VariantOutcome> {
  const { kind, id, whole, propertiesOnly } = task;
  const begun = Date.now();
  const tests = propertiesOnly ? suite.filter(({ place }) => place.file.includes('/properties/')) : suite;
  const { key = drawKey(), ...variant } = findVariant(task);
  // The text of evidence.jsonl so far, e.g. a line for each exchange.
  let evidence = '';
  const served = await serveVariant({
    ...variant,
    key,
    // To count wrong answers, each answer is compared with the answer of the service without the fault.
    comparesAnswers: kind === 'fault' || kind === 'hard',
  });
  const fault = findFault(task);
  // Undefined: the run goes to its end.
  const stopsAtPromise = whole ? undefined : fault?.breaks;
  // Only quick runs look for their first failure after each answer: to look takes a fifth of the CPU time.
  const firstFailure = kind === 'quick' ? new FirstFailure() : null;
  const run = await judgeTarget(
    makeSettings(served.baseUrl, {
      key,
      seed: task.seed,
      ...variant.settings,
      ...(kind === 'quick' && limitToQuick(variant.settings)),
    }),
    tests,
    {
      answered: ({ engine }) => firstFailure?.note(engine),
      isDecided: (opened) => stopsAtPromise !== undefined && hasFoundBroken(opened, stopsAtPromise),
      evidence: (text) => (evidence += text),
    },
  );
  firstFailure?.note(run.engine);
  await served.close();
  if (task.evidence !== null) writeFileSync(task.evidence, evidence);
  return {
    id,
    kind,
    base: task.base,
    roundTrip: task.roundTrip,
    whole,
    ...makeResult(run, propertiesOnly),
    requests: run.engine.budget.requests,
    ...(firstFailure !== null && { firstFailure: firstFailure.requests }),
    animals: run.engine.footprint.animals,
    wrongAnswers: served.service.wrongAnswers,
    digest: digestExchanges(evidence),
    // A run may name the fault by one of several promises (`listNamingPromises`).
    ...(fault !== undefined && { byRules: isNamedByRules(listNamingPromises(fault), run) }),
    milliseconds: Date.now() - begun,
  };
}

/** Returns the fault that a task judges; undefined if its variant is not a fault. */
function findFault({ kind, id }: Pick<Task, 'kind' | 'id'>): Fault | undefined {
  return kind === 'fault' ? FAULTS.find((each) => each.id === id) : undefined;
}

/** True if a test has found the promise broken, or if the answers so far break it, whatever comes later. */
function hasFoundBroken({ engine }: OpenRun, promise: Fault['breaks']): boolean {
  const broken = engine.judge.listFinalFlaws(promise).map(({ requirement }) => requirement);
  return hasFailed([promise], engine.found.findings) || broken.includes(promise);
}

/** Counts the requests that a run had sent when the first must failed. */
class FirstFailure {
  /** Null: no must has failed. */
  requests: number | null = null;

  note(engine: OpenRun['engine']): void {
    if (this.requests === null && engine.isNonconforming()) this.requests = engine.budget.requests;
  }
}

/** Returns the settings of a quick run. A lower limit among the settings of the variant stays. */
function limitToQuick(settings: Partial<SessionSettings> = {}): Partial<SessionSettings> {
  const { maxRequests, maxWrongKeys } = settings;
  return {
    profile: 'quick',
    maxRequests: Math.min(maxRequests ?? QUICK.requests, QUICK.requests),
    maxWrongKeys: Math.min(maxWrongKeys ?? QUICK.wrongKeys, QUICK.wrongKeys),
  };
}

/** Returns a digest of the requests and answers, without judgements. */
function digestExchanges(evidence: string): string {
  const exchanges = evidence.split('\n').filter((line) => line.includes('"kind":"exchange"'));
  return createHash('sha256').update(exchanges.join('\n')).digest('hex').slice(0, 16);
}

/** True if rules alone find one of the promises broken; false if only tests find it. Null: neither rules nor tests find it. */
function isNamedByRules(promises: readonly string[], { engine }: OpenRun): boolean | null {
  return hasFailed(promises, engine.found.findings) ? hasFailed(promises, engine.judge.findings()) : null;
}

/** Returns the default settings of a run, with some values replaced. No `.env` file is read: the folder is the root. */
export function makeSettings(baseUrl: string, own: Partial<SessionSettings>): Settings {
  const read = readSettings({
    env: { BASE_URL: baseUrl, API_KEY: drawKey() },
    cwd: parse(process.cwd()).root,
    options: NO_OPTIONS,
  });
  if ('mistakes' in read) throw new Error(read.mistakes.join(' '));
  return { ...read.settings, ...own, network: { ...read.settings.network, ...own.network } };
}

/** True if a finding says that one of the promises is broken. */
function hasFailed(promises: readonly string[], findings: readonly Finding[]): boolean {
  return findings.some(({ requirement, verdict }) => verdict === 'fail' && promises.includes(requirement));
}

/** Returns the verdicts of the run that say something about the variant. @param isPart true if only a part of the tests ran */
function makeResult(run: OpenRun, isPart: boolean): Pick<VariantOutcome, 'verdicts' | 'exitCode' | 'first'> {
  const { engine, settings } = run;
  // A result is the verdict on one requirement. `judgeRun` returns the verdict on the target, with its exit code.
  const results = makeResults(engine.found.findings);
  const stopped = engine.stopped && describeStop(engine.stopped);
  const facts = { complete: true, stopped, strict: false, only: [], mode: settings.mode };
  // `[]`: no exchanges. They would only change the words of the reason, which the proof does not use.
  const { exitCode } = judgeRun(results, { ...facts, animalsCreated: engine.footprint.animals }, [], isPart);
  return {
    verdicts: results
      .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'excused')
      // The cause `tact`: the run asked less, because the store holds animals of others.
      .filter(({ cause }) => cause?.kind !== 'tact')
      // In a quick run, a promise that it did not ask is not applicable.
      .filter(({ verdict }) => verdict !== 'not-applicable' || settings.profile !== 'quick')
      .map(({ id, verdict, reason, expected, received, tests: [first] }) => ({
        id,
        verdict,
        why: [reason ?? `expected ${expected}, received ${received}`, first?.title ?? '']
          .filter(Boolean)
          .join(' | '),
      })),
    exitCode,
    first: findFirstCause(run.report()),
  };
}

function findFirstCause(report: Report): string | null {
  const [first] = [...findFailures(report), ...findWarnings(report)];
  return first?.[0].id ?? null;
}
