/**
 * Turns the findings of a run into the verdict of each requirement, and these verdicts into the verdict of the target. Pure.
 * A finding is the verdict of one test or rule on one requirement. It may be `left-out`: the test did not ask its case, because of a
 * budget, the mode, or tact (care for animals of others).
 */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import type { Trial } from '../../fixtures/judgement/experiment.ts';
import type { Finding, Flaw } from '../../fixtures/judgement/finding.ts';
import { keepFirsts, RULES_PLACE, shortenTestPath } from '../../fixtures/judgement/finding.ts';
import { REQUIREMENTS, type Requirement } from '../../fixtures/interface/requirements.ts';
import { isWithheld, findNeeds, type Reason, type Stop } from '../../fixtures/judgement/reason.ts';
import {
  describeLeftOut,
  describeNotRun,
  describeOpen,
  describePass,
  VERDICT_REASONS,
} from './reasons/verdict-reasons.ts';
import { nameFirstFailure } from './causes.ts';
import { describeExchangeKind, findPlainest } from './shown-exchange.ts';
import {
  VERDICTS,
  type Counts,
  type Report,
  type RequirementResult,
  type Verdict,
} from './report-document.ts';

/** A report has at most this many exchanges of one requirement. */
const MOST_EVIDENCE = 12;
/** Returns the exchanges with these ids, as reports show them. */
type ReadEvidence = (ids: readonly string[]) => Evidence[];
/** `broken`: the ids of all broken promises. `repeated`: the request that failed again in an experiment on the promise, e.g. `GET /pets?limit=2`. */
type Known = { broken: ReadonlySet<string>; read: ReadEvidence; repeated: string | undefined };
/** The reason why a requirement without findings is undecided. */
const NOT_RUN: Reason = { kind: 'stopped', of: 'tests' };

/**
 * Returns the result of every requirement that was asked for, and of every other one that is broken.
 * @param only ids of the requirements that were asked for; empty if all were
 */
export function makeResults(
  findings: readonly Finding[],
  only: readonly string[] = [],
  read: ReadEvidence = () => [],
  trials: readonly Trial[] = [],
): RequirementResult[] {
  const broken = new Set(keepVerdict(findings, 'fail').map(({ requirement }): string => requirement));
  const isAsked = (id: string) => only.length === 0 || only.includes(id);
  return Object.entries(REQUIREMENTS)
    .filter(([id]) => isAsked(id) || broken.has(id))
    .map(([id, requirement]) => {
      const own = findings.filter((each) => each.requirement === id);
      const repeated = trials.find(({ promise, isWrong }) => promise === id && isWrong)?.request;
      return makeResult(id, requirement, own, { broken, read, repeated });
    })
    .map((each) => ({ ...each, evidence: keepExchanges(each, read) }));
}

/**
 * If no test of a requirement ran, its reason becomes the reason why the run stopped.
 * @param stopped the reason for the stop, in words; null if the run did not stop
 */
export function explainNotRun(results: RequirementResult[], stopped: string | null): RequirementResult[] {
  const isNotRun = ({ cause, tests }: RequirementResult) => cause?.kind === 'stopped' && tests.length === 0;
  return stopped === null
    ? results
    : results.map((each) => (isNotRun(each) ? { ...each, reason: describeNotRun(stopped) } : each));
}

/**
 * Makes the result of one requirement.
 * @param all the findings about it
 */
function makeResult(
  id: string,
  { section, operation, level, statement, excused }: Requirement,
  all: readonly Finding[],
  { broken, read, repeated }: Known,
): RequirementResult {
  const counting = dropBlocked(all, broken);
  const verdict = excused === undefined ? decideVerdict(counting, level) : 'excused';
  // The findings that are the reason for the verdict.
  const deciding = counting.filter((each) => isDeciding(each, verdict));
  const flaw = chooseFlaw(deciding, read, repeated);
  const tests = new Map(deciding.map(({ test }) => [`${test.file} ${test.title}`, test]));
  // Evidence of rules comes first: a rule names each situation once, tests name one situation many times.
  const ordered = [...deciding.filter(({ test }) => test.file === RULES_PLACE.file), ...deciding];
  const shown = new Set([...(flaw?.evidence ?? []), ...ordered.flatMap((each) => each.evidence)]);
  return {
    id,
    level,
    section,
    operation,
    statement,
    verdict,
    ...(excused === undefined ? explainVerdict(verdict, all, deciding) : { reason: excused, cause: null }),
    ...describeFlaw(flaw),
    ...nameAnswers(operation, isBroken(verdict) ? read([...shown]) : []),
    // An installed package has only compiled tests, `.js`. It names their sources, so that its reports are equal to those of a clone.
    tests: [...tests.values()].map(({ title, file }) => ({
      title,
      file: shortenTestPath(file).replace(/\.js$/, '.ts'),
    })),
    evidence: [...shown],
    ...(shown.size > 0 && { asked: shown.size }),
    replay: deciding.find(({ replay }) => replay !== null)?.replay ?? null,
    partial: verdict === 'pass' ? findLeftOut(all) : null,
    waiver: null,
  };
}

/**
 * Chooses the flaw that a card shows: the one whose request failed again in an experiment, e.g. `GET /pets?limit=2`. If there is none, it
 * chooses the flaw of the plainest request. Null if there is no flaw.
 */
function chooseFlaw(deciding: readonly Finding[], read: ReadEvidence, repeated?: string): Flaw | null {
  const flaws = deciding.flatMap(({ flaw }) => flaw ?? []);
  const plainest = findPlainest(read(flaws.flatMap(({ evidence }) => evidence.slice(0, 1))), repeated);
  return flaws.find(({ evidence }) => evidence[0] === plainest?.id) ?? flaws[0] ?? null;
}

/** Returns the members of a result that come from its flaw. */
function describeFlaw(flaw: Flaw | null) {
  if (flaw === null) return { expected: null, received: null, pointer: null };
  const { requirement: _id, evidence: _shown, status, promised, ...described } = flaw;
  return {
    ...described,
    ...(status !== undefined && promised !== undefined && { statuses: { promised, came: status } }),
  };
}

/**
 * Returns the ids of the exchanges that a report shows, at most MOST_EVIDENCE: the first ones. Of a broken requirement: the first two,
 * which show its flaw, then the first of each kind of request, then the next ones.
 */
function keepExchanges({ verdict, evidence }: RequirementResult, read: ReadEvidence): string[] {
  if (!isBroken(verdict) || evidence.length <= MOST_EVIDENCE) return evidence.slice(0, MOST_EVIDENCE);
  const firsts = keepFirsts(read(evidence), describeExchangeKind).map(({ id }) => id);
  return [...new Set([...evidence.slice(0, 2), ...firsts, ...evidence])].slice(0, MOST_EVIDENCE);
}

/** A warning is the failure of a should. */
function isBroken(verdict: Verdict): boolean {
  return verdict === 'fail' || verdict === 'warn';
}

/**
 * For a promise about several operations: names what all answers that break it share. Examples: `500`, `401 of createPet`, and
 * `answers of getPet` if their statuses differ.
 * @param operationText the operations of the promise, e.g. `every operation` or `listPets, createPet, getPet`
 */
function nameAnswers(operationText: string, shown: readonly Evidence[]): Pick<RequirementResult, 'answers'> {
  const isOfSeveral = operationText.startsWith('every ') || operationText.includes(', ');
  const [operation = 'other', ...operations] = new Set(shown.map((each) => each.operation));
  const [status, ...statuses] = new Set(shown.map(({ response }) => response?.status));
  const isOneStatus = status !== undefined && statuses.length === 0;
  const isOneOperation = operations.length === 0 && operation !== 'other';
  if (!isOfSeveral || (!isOneStatus && !isOneOperation)) return {};
  const what = isOneStatus ? String(status) : 'answers';
  const where = operation === 'storeOrders' ? 'GET /store/orders' : operation;
  return { answers: isOneOperation ? `${what} of ${where}` : what };
}

/** True if the finding is a reason for the verdict. A warning comes from findings with the verdict `fail`. */
function isDeciding(finding: Finding, verdict: Verdict): boolean {
  if (verdict === 'not-applicable' && isWithheldCase(finding)) return true;
  return finding.verdict === (verdict === 'warn' ? 'fail' : verdict);
}

/** True if the case was left out for tact or the mode: a larger budget would not help. */
function isWithheldCase({ verdict, reason }: Finding): boolean {
  return verdict === 'left-out' && reason !== null && isWithheld(reason);
}

/**
 * Leaves out findings that a broken promise blocked, if another finding passed. Example: one of two tests ended because createPet failed,
 * the other one passed: then the requirement passes, and createPet has a result of its own.
 */
function dropBlocked(findings: readonly Finding[], broken: ReadonlySet<string>): readonly Finding[] {
  const unblocked = findings.filter(
    ({ verdict, reason }) =>
      verdict !== 'inconclusive' || reason?.kind !== 'blocked-by' || !broken.has(reason.requirement),
  );
  return keepVerdict(unblocked, 'pass').length > 0 ? unblocked : findings;
}

/**
 * Says which cases a pass left out: for a budget, the mode or tact, or because lists end early (a cut); null if none. `needs` is the
 * MAX_ANIMALS with which all of them would be asked; null if more animals are not enough.
 */
function findLeftOut(findings: readonly Finding[]): RequirementResult['partial'] {
  const left = listLeftOutReasons(findings);
  if (left.length === 0) return null;
  const needs = left.flatMap((each) => findNeeds(each)?.value ?? []);
  const numbers = needs.filter((each) => typeof each === 'number');
  return {
    reason: describeLeftOut(left.length, left),
    needs: numbers.length === 0 || left.some(isWithheld) ? null : Math.max(...numbers),
  };
}

/** Returns the reasons why cases were left out: first tact and mode (-1), then budgets (0), last a cut (1), a trait of the target. */
function listLeftOutReasons(findings: readonly Finding[]): Reason[] {
  const left = collectReasons(keepVerdict(findings, 'left-out'));
  const rank = (reason: Reason) => Number(reason.kind === 'cut') - Number(isWithheld(reason));
  return left.toSorted((one, other) => rank(one) - rank(other));
}

/**
 * Returns the verdict of a requirement. One failure decides, else one undecided finding, else one pass. If there is none of these, a case
 * that a budget left out makes the requirement undecided. If there is no such case either, the requirement does not apply.
 */
function decideVerdict(findings: readonly Finding[], level: 'must' | 'should'): Verdict {
  const has = (verdict: Finding['verdict']) => keepVerdict(findings, verdict).length > 0;
  if (has('fail')) return level === 'must' ? 'fail' : 'warn';
  if (has('inconclusive') || findings.length === 0) return 'inconclusive';
  if (has('pass')) return 'pass';
  const isOpen = keepVerdict(findings, 'left-out').some((each) => !isWithheldCase(each));
  return isOpen ? 'inconclusive' : 'not-applicable';
}

/**
 * Returns the reason for the verdict in words, and the most important reason as data.
 * @param all the findings about the requirement, before `dropBlocked`
 * @param deciding the findings that are the reason for the verdict
 */
function explainVerdict(
  verdict: Verdict,
  all: readonly Finding[],
  deciding: readonly Finding[],
): Pick<RequirementResult, 'reason' | 'cause'> {
  const listReasons = (of: Finding['verdict']) => collectReasons(keepVerdict(all, of));
  const left = listLeftOutReasons(all);
  if (verdict === 'pass') {
    // The reasons of passes are assumptions, e.g. that others deleted an animal.
    const [assumed, open] = [listReasons('pass'), listReasons('inconclusive')];
    return {
      reason: describePass({ assumed, open, inapplicable: listReasons('not-applicable') }) || null,
      cause: chooseCause([...assumed, ...left, ...open]),
    };
  }
  const reasons = [
    ...(all.length === 0 ? [NOT_RUN] : collectReasons(deciding)),
    // A case that tact or the mode withholds keeps no requirement undecided.
    ...(verdict === 'inconclusive' ? left.filter((each) => !isWithheld(each)) : []),
  ];
  return { reason: describeOpen(reasons) || null, cause: chooseCause(reasons) };
}

/** Returns the first reason that is not a broken promise. If all are broken promises, returns these. Null if there is no reason. */
function chooseCause(reasons: readonly Reason[]): RequirementResult['cause'] {
  const other = reasons.find(({ kind }) => kind !== 'blocked-by');
  if (other !== undefined) {
    const needs = findNeeds(other);
    return { kind: other.kind, ...(needs && { needs }) };
  }
  const blockers = reasons.flatMap((each) => (each.kind === 'blocked-by' ? [each.requirement] : []));
  const [requirement, ...also] = new Set(blockers);
  return requirement === undefined
    ? null
    : { kind: 'blocked-by', requirement, ...(also.length > 0 && { also }) };
}

function collectReasons(findings: readonly Finding[]): Reason[] {
  return findings.flatMap(({ reason }) => reason ?? []);
}

/**
 * Returns the verdict of a quick run in which no must failed.
 * @param warned names the first warning in strict mode, which fails the run; null otherwise
 */
function judgeQuickRun(
  requirements: readonly RequirementResult[],
  { requests = 0, power }: JudgedRun,
  warned: string | null,
): Pick<Report, 'verdict' | 'exitCode' | 'reason'> {
  const isUnasked = ({ level, verdict, cause }: RequirementResult) =>
    level === 'must' && verdict === 'not-applicable' && cause?.kind === 'mode';
  const unasked = listIds(requirements.filter(isUnasked));
  const reason = VERDICT_REASONS.noneFound(requests, power?.share ?? null, unasked, warned);
  return { verdict: 'no-failure-found', exitCode: warned === null ? 0 : 1, reason };
}

/** The facts about the run on which the verdict of the target depends, apart from the results. */
type JudgedRun = Pick<Report['run'], 'complete' | 'stopped' | 'stoppedBy' | 'strict' | 'only'> &
  Partial<Pick<Report['run'], 'mode' | 'profile' | 'power' | 'requests' | 'animalsCreated'>>;

/**
 * Returns the verdict of the target with its exit code and reason.
 * @param exchanges the exchanges that show the failures
 * @param isPart true if only a part of the suite was asked
 */
export function judgeRun(
  requirements: RequirementResult[],
  run: JudgedRun,
  exchanges: Evidence[] = [],
  isPart = run.only.length > 0,
): Pick<Report, 'verdict' | 'exitCode' | 'reason'> {
  const failure = nameFirstFailure({ requirements, exchanges, run });
  if (keepVerdict(requirements, 'fail').length > 0)
    return { verdict: 'nonconforming', exitCode: 1, reason: VERDICT_REASONS.broken(failure, run.stopped) };
  // No must has failed. So from here on `failure` is a warning, which counts as a failure in strict mode only.
  const undecided = explainUndecided(requirements, run, isPart);
  if (undecided !== null) return { verdict: 'inconclusive', exitCode: 3, reason: undecided };
  if (run.profile?.name === 'quick') return judgeQuickRun(requirements, run, failure);
  // Requirements that no request was sent for, because each could harm animals of others.
  const keptBack = keepVerdict(requirements, 'not-applicable').filter(({ cause }) => cause?.kind === 'tact');
  const reason = VERDICT_REASONS.kept({
    readOnly: run.mode === 'read-only',
    parts: requirements.flatMap(({ partial }) => (partial ? [partial.needs] : [])),
    keptBack: listIds(keptBack),
    animals: run.animalsCreated ?? 0,
    warned: failure,
  });
  return { verdict: 'conforming', exitCode: failure === null ? 0 : 1, reason };
}

/** Kinds of stops whose reason is a sentence, e.g. `the run was interrupted`. Other reasons follow `the run stopped: `. */
const SENTENCE_KINDS: readonly (Stop['kind'] | undefined)[] = ['interrupted', 'time', 'obstacle'];

/** Returns the reason why a run without failures does not make the target conforming; null if it does. */
function explainUndecided(
  requirements: readonly RequirementResult[],
  run: JudgedRun,
  isPart: boolean,
): string | null {
  const { stopped, stoppedBy, complete } = run;
  if (stopped !== null) return VERDICT_REASONS.stopped(stopped, SENTENCE_KINDS.includes(stoppedBy));
  if (!complete) return VERDICT_REASONS.unfinished;
  const open = keepVerdict(requirements, 'inconclusive').filter(({ level }) => level === 'must');
  if (open.length > 0) return VERDICT_REASONS.open(open);
  // A part of the suite never makes a target conforming. If tact kept requests from being sent, that is the reason.
  const unsent = listIds(requirements.filter(({ cause }) => cause?.kind === 'tact'));
  if (isPart) return unsent.length === 0 ? VERDICT_REASONS.part : VERDICT_REASONS.unsent(unsent);
  const unserved = listIds(requirements.filter((each) => isUnseenCore(each, run)));
  return unserved.length > 0 ? VERDICT_REASONS.unserved(unserved) : null;
}

/**
 * True if the run did not see a core answer, such as the 200 of listPets: the operation may not work at all. An answer that does not
 * apply may be missing in a read-only run, or if it is of getPet, which is removed one day.
 */
function isUnseenCore({ id, verdict }: RequirementResult, { mode }: JudgedRun): boolean {
  if (REQUIREMENTS[id]?.core !== true || verdict === 'pass') return false;
  const mayBeMissing = mode === 'read-only' || id.includes('get-pet');
  return verdict !== 'not-applicable' || !mayBeMissing;
}

export function countVerdicts(requirements: readonly RequirementResult[], level: 'must' | 'should'): Counts {
  const own = requirements.filter((each) => each.level === level);
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, keepVerdict(own, verdict).length]),
  ) as Record<Verdict, number>;
  return { ...counts, inPart: own.filter(({ partial }) => partial !== null).length };
}

function listIds(requirements: readonly RequirementResult[]): string[] {
  return requirements.map(({ id }) => id);
}

function keepVerdict<T extends Finding | RequirementResult>(all: readonly T[], verdict: T['verdict']): T[] {
  return all.filter((each) => each.verdict === verdict);
}
