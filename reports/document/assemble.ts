/**
 * Makes the report, the document of one run, from what the run recorded. Runs call it at their end; `judge` and `certify` call it for
 * evidence. Pure.
 */
import type { Evidence, Exchange } from '../../fixtures/exchange/exchange.ts';
import { readSpan } from '../../fixtures/exchange/span.ts';
import { decide, isOfSuccess, LONE, type Decision, type Trial } from '../../fixtures/judgement/experiment.ts';
import type { Finding, Sighting } from '../../fixtures/judgement/finding.ts';
import { SILENCES } from '../../fixtures/interface/requirements.ts';
import { describeCause, findExamples, findFailures, findWarnings, type Cause } from './causes.ts';
import type { Circumstances } from './circumstances.ts';
import type { CauseSummary, Observation, Report, RequirementResult, Broken } from './report-document.ts';
import { findShownExchange } from './shown-exchange.ts';
import { makeTimeline } from './timeline.ts';
import { countVerdicts, makeResults, judgeRun, explainNotRun } from './verdicts.ts';

/** The facts that a run recorded for its report. */
interface RunRecord extends Pick<
  Report,
  'suite' | 'target' | 'run' | 'footprint' | 'explanations' | 'timings'
> {
  /** Full ids of the requirements that --only asked for; empty if the run asked for all. */
  only: readonly string[];
  findings: readonly Finding[];
  sightings: readonly Sighting[];
  /** The answers to experiments: requests that failed and were sent again, e.g. without one of their traits. */
  trials?: readonly Trial[];
  /** Prepares the search for what decides in all recorded answers. It takes time, so it is called only if a promise is broken. */
  readCircumstances?: () => Circumstances;
  /** Returns every exchange of the run, without secrets. */
  all?: () => readonly Exchange[];
  redact: (text: string) => string;
  /** Returns the exchanges with these ids, without secrets. */
  evidence: (ids: readonly string[]) => Evidence[];
}

/** The version of the interface description that the suite enforces. */
const SPECIFICATION_VERSION = '1.0.0';

export function assemble(record: RunRecord): Report {
  const { suite, target, run, only, redact } = record;
  const results = makeResults(record.findings, only, (ids) => record.evidence(ids), record.trials);
  const isBroken = results.some(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const circumstances = isBroken ? record.readCircumstances?.() : undefined;
  // `Circumstances` remembers which circumstances decide about several promises, and prefers these. So the first calls only fill its memory.
  results.forEach((each) => findDecision(each, record, circumstances));
  const requirements = explainNotRun(results, run.stopped).map((each) => ({
    ...redactResult(each, redact),
    ...findDecision(each, record, circumstances),
  }));
  const observations = listObservations(record.sightings, redact);
  const shown = new Set([...requirements, ...observations].flatMap(({ evidence }) => evidence));
  // By their numbers: `x9` comes before `x10`.
  const exchanges = record.evidence(
    [...shown].sort((left, right) => Number(left.slice(1)) - Number(right.slice(1))),
  );
  const timeline = makeTimeline(record.all?.() ?? [], findFailing(requirements, record.findings));
  const verdict = judgeRun(requirements, run, exchanges, only.length > 0);
  const causes = summarizeCauses({ requirements, exchanges, run }, record, circumstances);
  const before = new Set(causes.flatMap((each) => each.before ?? []).filter((id) => !shown.has(id)));
  return {
    schemaVersion: 6,
    suite,
    specification: { version: SPECIFICATION_VERSION },
    target,
    run,
    ...verdict,
    counts: { must: countVerdicts(requirements, 'must'), should: countVerdicts(requirements, 'should') },
    requirements,
    causes,
    observations,
    exchanges: [...exchanges, ...record.evidence([...before])],
    ...(record.explanations && { explanations: record.explanations }),
    timings: record.timings,
    ...(timeline && { timeline }),
    footprint: record.footprint.map(({ name, ...rest }) => ({ ...rest, name: redact(name) })),
  };
}

function summarizeCauses(report: Broken, record: RunRecord, circumstances?: Circumstances): CauseSummary[] {
  return [...findFailures(report), ...findWarnings(report)].map((cause) => {
    const [{ id }] = cause;
    const decision = joinDecisions(cause);
    const shown = findShownExchange(report, cause[0])?.id;
    const before = findBefore(shown, decision.experiments?.[0]?.without, record.all?.());
    return {
      id,
      title: describeCause(report, cause),
      promises: cause.map((each) => each.id),
      ...(circumstances?.count(id) ?? { wrong: null, of: null }),
      ...decision,
      examples: findExamples(report, cause).map((each) => each.id),
      ...(before && { before: before.id }),
    };
  });
}

/** Matches the name of a circumstance: `directly after a getPet that gets 404`, `as the first listPets after a request that gets 401`. */
const AFTER = /^(directly )?(?:as the first \w+ )?after a (\w+) that gets (\d+)( on its connection)?$/;

/** Returns the request that the circumstance names, if it came before the shown one. `all` is in the order of the ends. */
function findBefore(shownId = '', name = '', all: readonly Exchange[] = []): Exchange | undefined {
  const [, directly, operation = '', status, place] = AFTER.exec(name) ?? [];
  const shown = all.find(({ id }) => id === shownId);
  const onConnection = all.filter(({ connection }) => !place || connection === shown?.connection);
  const earlier = onConnection.filter((each) => readSpan(each).end < (shown?.begun ?? 0));
  const isNamed = ({ ask, response }: Exchange) =>
    String(response?.status) === status && ['request', ask.operation].includes(operation);
  return (directly ? earlier.slice(-1) : earlier).findLast(isNamed);
}

/**
 * Returns what decides if a promise is broken, as experiments and recorded answers show it. Example: it is broken in each 5th request of
 * a connection. Warnings have no experiments.
 */
function findDecision(
  result: RequirementResult,
  record: RunRecord,
  circumstances: Circumstances | undefined,
): Pick<RequirementResult, 'decision'> {
  if (result.verdict !== 'fail' && result.verdict !== 'warn') return {};
  const tried = decide(record.trials ?? [], result.id);
  const found = circumstances === undefined ? tried : circumstances.decide(result.id, tried);
  return found === null ? {} : { decision: correctByRecord(found, result, record) };
}

/**
 * Corrects `always` and `unknown` by the record. Example: the experiments leave open why a getPet fails (`unknown`), but no getPet of the
 * run got 200: then it is `always`. Or each repeat fails (`always`), but another getPet of the run got 200: then it is `unknown`.
 */
function correctByRecord(found: Decision, result: RequirementResult, record: RunRecord): Decision {
  if (found.kind === 'unknown' && isOfSuccess(result.id) && isEachTime(found, result, record))
    return { ...found, kind: 'always' };
  if (found.kind === 'always' && !isEachTime(found, result, record)) return { ...found, kind: 'unknown' };
  return found;
}

/** True if the promise is broken each time, as far as the record shows. */
function isEachTime(
  { experiments: [lone] }: Decision,
  { id, operation, statuses, evidence }: RequirementResult,
  { all = () => [] }: RunRecord,
): boolean {
  const isPromised = ({ ask, response }: Exchange) =>
    ask.operation === operation && response?.status === statuses?.promised;
  // The success of an operation, e.g. `get-pet.answers-200`: no getPet of the run got 200.
  if (isOfSuccess(id)) return !all().some(isPromised);
  // Experiments sent the failed request three times with no other request under way (`lone`).
  if ((lone?.of ?? 0) >= 3) return true;
  // A request without the key is sent again only once. It counts as each time in two cases: its 401 itself is wrong, e.g. has no Error, or
  // the promise is a 401 and no keyless request of the operation got one.
  const refused = all().filter(({ response }) => response?.status === 401);
  if (refused.some((each) => evidence.includes(each.id))) return true;
  const isRefusedRightly = refused.some((each) => each.ask.credential === 'none' && isPromised(each));
  return statuses?.promised === 401 && !isRefusedRightly;
}

/**
 * Returns the decision of a cause: the one of its promises that says most. Experiments that name what decides say most, then recorded
 * answers, then the most experiments. A warning counts only if no promise of the cause fails: it may be about unusual requests only.
 */
function joinDecisions(cause: Cause): Partial<Pick<CauseSummary, 'kind' | 'experiments'>> {
  const failed = cause.filter(({ verdict }) => verdict === 'fail');
  const decisions = (failed.length > 0 ? failed : cause).flatMap(({ decision }) => decision ?? []);
  const weigh = ({ kind, experiments }: Decision) => {
    if (experiments.length === 0) return 0;
    // Experiments begin with LONE (no other request under way), recorded answers do not. A promise has fewer than 1,000 experiments.
    if (experiments[0]?.without !== LONE) return 1_000;
    const isNamed = kind === 'feature' || kind === 'concurrency';
    return experiments.reduce((sum, { of }) => sum + of, isNamed ? 2_000 : 0);
  };
  return decisions.toSorted((one, other) => weigh(other) - weigh(one))[0] ?? {};
}

/** Returns the ids of all exchanges that show a failed promise, also of those that the report leaves out. A warning is no failure. */
function findFailing(
  requirements: Report['requirements'],
  findings: readonly Finding[],
): ReadonlySet<string> {
  const failed = new Set<string>(requirements.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : [])));
  return new Set(
    findings.flatMap(({ requirement, flaw }) => (failed.has(requirement) && flaw ? flaw.evidence : [])),
  );
}

/** Members of a result that may quote requests or answers, and so a secret. */
const QUOTING: readonly string[] = ['reason', 'expected', 'received', 'sent', 'difference', 'input'];

function redactResult(result: RequirementResult, redact: (text: string) => string): RequirementResult {
  const shown = Object.entries(result).map(([name, value]: [string, unknown]) => [
    name,
    QUOTING.includes(name) ? redactTexts(value, redact) : value,
  ]);
  return Object.fromEntries(shown) as RequirementResult;
}

/** Returns a copy of a JSON value without secrets in its texts. */
export function redactTexts<T>(value: T, redact: (text: string) => string): T {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'string' ? redact(each) : each,
  ) as T;
}

/** Returns an observation for each open question: `not-observed` if no test observed it. */
function listObservations(sightings: readonly Sighting[], redact: (text: string) => string): Observation[] {
  return Object.entries(SILENCES).map(([id, { section, question }]) => {
    const sighting = sightings.find(({ silence }) => silence === id);
    return {
      id,
      section,
      question,
      observed: redact(sighting?.observed ?? 'not-observed'),
      evidence: [...(sighting?.evidence ?? [])].slice(0, 6),
    };
  });
}
