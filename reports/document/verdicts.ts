/** Findings -> verdict of each requirement -> verdict of the target. Pure. */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import { RULES_PLACE, type Finding, type Flaw } from '../../fixtures/judgement/finding.ts';
import { REQUIREMENTS, type Requirement } from '../../fixtures/interface/requirements.ts';
import { isWithheld, needsOf, type Reason, type Stop } from '../../fixtures/judgement/reason.ts';
import {
  leftOutInWords,
  notRunInWords,
  openInWords,
  passInWords,
  verdictInWords,
  type Grounds,
} from '../words/reasons/verdict-words.ts';
import { mostInWords } from '../words/reasons/broken.ts';
import { causeInWords, failuresOf, type Broken } from './causes.ts';
import type { Counts, Report, RequirementResult, Verdict } from './report.ts';

/** Evidence that one requirement keeps at most. */
const KEPT_EVIDENCE = 12;
/** Puts first what a reader has to see of the evidence of one requirement. */
type InOrder = (ids: readonly string[]) => readonly string[];
/** Why nothing is known of a requirement of which no test has ended. */
const NOT_RUN: Reason = { kind: 'stopped', of: 'tests' };
const VERDICTS = [
  'pass',
  'fail',
  'warn',
  'inconclusive',
  'not-applicable',
  'excused',
] as const satisfies readonly Verdict[];

/** What a result takes from the flaw that it shows. */
type Shown = Pick<
  RequirementResult,
  'expected' | 'received' | 'pointer' | 'statuses' | 'sent' | 'difference' | 'input' | 'evidence'
>;
/** A result has these, with nothing in them, if nothing is wrong. */
const NO_FLAW: Shown = { expected: null, received: null, pointer: null, evidence: [] };

/** The verdict of every requirement that was asked for (`only`: ids; empty: all), and of every other one that is broken. */
export function requirementResults(
  findings: readonly Finding[],
  only: readonly string[] = [],
  inOrder: InOrder = (ids) => ids,
): RequirementResult[] {
  const byId = groupById(findings);
  const broken = new Set(withVerdict(findings, 'fail').map(({ requirement }): string => requirement));
  const isAsked = (id: string) => only.length === 0 || only.includes(id);
  return Object.entries(REQUIREMENTS)
    .filter(([id]) => isAsked(id) || broken.has(id))
    .map(([id, requirement]) => requirementResult(id, requirement, byId.get(id) ?? [], broken))
    .map((each) => ({ ...each, evidence: keptOf(each, inOrder) }));
}

/** The same results. Where no test ran, the reason is why the run stopped, which is given in words, or null. */
export function whyNotRun(results: RequirementResult[], stopped: string | null): RequirementResult[] {
  const isNotRun = ({ cause, tests }: RequirementResult) => cause?.kind === 'stopped' && tests.length === 0;
  return stopped === null
    ? results
    : results.map((each) => (isNotRun(each) ? { ...each, reason: notRunInWords(stopped) } : each));
}

function requirementResult(
  id: string,
  { section, operation, level, statement, excused }: Requirement,
  all: readonly Finding[],
  broken: ReadonlySet<string>,
): RequirementResult {
  const counting = withoutBlocked(all, broken);
  const verdict = excused === undefined ? verdictOf(counting, level) : 'excused';
  const deciding = counting.filter((each) => decides(each, verdict));
  const { evidence, ...shownFlaw } = shownOf(deciding.find(({ flaw }) => flaw !== null)?.flaw ?? null);
  const tests = new Map(deciding.map(({ test }) => [`${test.file} ${test.title}`, test]));
  // rules show each situation once, tests the same one many times
  const ordered = [...deciding.filter(isOfRules), ...deciding];
  const shown = new Set([...evidence, ...ordered.flatMap((each) => each.evidence)]);
  return {
    id,
    level,
    section,
    operation,
    statement,
    verdict,
    ...(excused === undefined ? whyOf(verdict, all, deciding) : { reason: excused, cause: null }),
    ...shownFlaw,
    tests: [...tests.values()],
    evidence: [...shown],
    replay: deciding.find(({ replay }) => replay !== null)?.replay ?? null,
    partial: verdict === 'pass' ? partOf(all) : null,
    waiver: null,
  };
}

function shownOf(flaw: Flaw | null): Shown {
  if (flaw === null) return NO_FLAW;
  const { expected, received, pointer, evidence, status, promised, sent, difference, input } = flaw;
  return {
    expected,
    received,
    pointer,
    evidence: [...evidence],
    ...(status !== undefined && promised !== undefined && { statuses: { promised, came: status } }),
    ...(sent !== undefined && { sent }),
    ...(difference && { difference }),
    ...(input && { input }),
  };
}

/** What shows a result by itself stays first. */
function keptOf({ verdict, evidence }: RequirementResult, inOrder: InOrder): string[] {
  const isBroken = verdict === 'fail' || verdict === 'warn';
  const ordered = isBroken && evidence.length > KEPT_EVIDENCE ? inOrder(evidence) : evidence;
  return ordered.slice(0, KEPT_EVIDENCE);
}

function decides(finding: Finding, verdict: Verdict): boolean {
  if (verdict === 'not-applicable' && isWithheldCase(finding)) return true;
  return finding.verdict === (verdict === 'warn' ? 'fail' : verdict);
}

/** True if tact or the mode forbids the case: no budget would decide it. */
function isWithheldCase({ verdict, reason }: Finding): boolean {
  return verdict === 'left-out' && reason !== null && isWithheld(reason);
}

function isOfRules({ test }: Finding): boolean {
  return test.file === RULES_PLACE.file;
}

/** What a test met on its way hides nothing that others saw: it is shown where it belongs, as a failure or as a warning. */
function withoutBlocked(findings: readonly Finding[], broken: ReadonlySet<string>): readonly Finding[] {
  const unblocked = findings.filter(
    ({ verdict, reason }) =>
      verdict !== 'inconclusive' || reason?.kind !== 'blocked-by' || !broken.has(reason.requirement),
  );
  return withVerdict(unblocked, 'pass').length > 0 ? unblocked : findings;
}

/** What a pass leaves out for a budget, a mode, tact, or because lists are cut, and which MAX_ANIMALS would have it; null if no budget is the reason. */
function partOf(findings: readonly Finding[]): RequirementResult['partial'] {
  const left = leftOutOf(findings);
  if (left.length === 0) return null;
  const needs = left.flatMap((each) => needsOf(each)?.value ?? []);
  const numbers = needs.filter((each) => typeof each === 'number');
  return {
    reason: leftOutInWords(left.length, left),
    needs: numbers.length === 0 || left.some(isWithheld) ? null : Math.max(...numbers),
  };
}

/** Why cases were left out: tact and mode come first, because no budget would decide; what a cut hides comes last, because no other run shows it. */
function leftOutOf(findings: readonly Finding[]): Reason[] {
  const left = reasonsIn(withVerdict(findings, 'left-out'));
  const rank = (reason: Reason) => Number(reason.kind === 'cut') - Number(isWithheld(reason));
  return left.toSorted((one, other) => rank(one) - rank(other));
}

/** A failure outweighs all, then what could not be decided; a part that does not apply does not hide one that passed. */
function verdictOf(findings: readonly Finding[], level: 'must' | 'should'): Verdict {
  const has = (verdict: Finding['verdict']) => withVerdict(findings, verdict).length > 0;
  if (has('fail')) return level === 'must' ? 'fail' : 'warn';
  if (has('inconclusive') || findings.length === 0) return 'inconclusive';
  if (has('pass')) return 'pass';
  const isOpen = withVerdict(findings, 'left-out').some((each) => !isWithheldCase(each));
  return isOpen ? 'inconclusive' : 'not-applicable';
}

/** Why the verdict is what it is: as a sentence, and as the reason that weighs most. */
function whyOf(
  verdict: Verdict,
  findings: readonly Finding[],
  deciding: readonly Finding[],
): Pick<RequirementResult, 'reason' | 'cause'> {
  const reasons = (of: Finding['verdict']) => reasonsIn(withVerdict(findings, of));
  const left = leftOutOf(findings);
  if (verdict === 'pass') {
    const [assumed, open, inapplicable] = [
      reasons('pass'),
      reasons('inconclusive'),
      reasons('not-applicable'),
    ];
    return {
      reason: passInWords({ assumed, open, inapplicable }) || null,
      cause: causeOf([...left, ...assumed, ...open]),
    };
  }
  const all = [
    ...(findings.length === 0 ? [NOT_RUN] : reasonsIn(deciding)),
    ...(verdict === 'inconclusive' ? left : []),
  ];
  return { reason: openInWords(all) || null, cause: causeOf(all) };
}

/** The first reason that is not another broken promise; if there is none, the broken promises. */
export function causeOf(reasons: readonly Reason[]): RequirementResult['cause'] {
  const blockers = [
    ...new Set(reasons.flatMap((each) => (each.kind === 'blocked-by' ? [each.requirement] : []))),
  ];
  const [requirement, ...also] = blockers;
  const other = reasons.find(({ kind }) => kind !== 'blocked-by');
  if (other !== undefined) {
    const needs = needsOf(other);
    return { kind: other.kind, ...(needs && { needs }) };
  }
  return requirement === undefined
    ? null
    : { kind: 'blocked-by', requirement, ...(also.length > 0 && { also }) };
}

function reasonsIn(findings: readonly Finding[]): Reason[] {
  return findings.flatMap(({ reason }) => reason ?? []);
}

/** What the verdict of the target takes from the run, besides the requirements. */
interface JudgedRun {
  complete: boolean;
  stopped: string | null;
  /** Which is why `stopped` may be a sentence of its own; absent if several machines stopped. */
  stoppedBy?: Stop['kind'];
  partial: boolean;
  strict: boolean;
  readOnly: boolean;
  animalsCreated?: number;
  /** What shows the failures. */
  exchanges?: readonly Evidence[];
}

/** The run of a report, as its verdict takes it. */
export function judgedRun({ complete, stopped, stoppedBy, shards, ...run }: Report['run']): JudgedRun {
  return {
    complete,
    stopped,
    ...(stoppedBy !== undefined && shards === undefined && { stoppedBy }),
    partial: run.only.length > 0,
    strict: run.strict,
    readOnly: run.mode === 'read-only',
    animalsCreated: run.animalsCreated,
  };
}

/** The verdict of the target and the exit code that goes with it. */
export function targetVerdict(
  requirements: readonly RequirementResult[],
  run: JudgedRun,
): Pick<Report, 'verdict' | 'exitCode' | 'reason'> {
  const broken = mostOf({ requirements: [...requirements], exchanges: [...(run.exchanges ?? [])], run });
  if (withVerdict(requirements, 'fail').length > 0)
    return {
      verdict: 'nonconforming',
      exitCode: 1,
      reason: verdictInWords({ kind: 'broken', failure: broken, stopped: run.stopped }),
    };
  const undecided = whyUndecided(requirements, run);
  if (undecided !== null) return { verdict: 'inconclusive', exitCode: 3, reason: verdictInWords(undecided) };
  const reason = verdictInWords({
    kind: 'kept',
    readOnly: run.readOnly,
    parts: requirements.flatMap(({ partial }) => (partial ? [partial.needs] : [])),
    unsent: idsOf(requirements.filter(isUnsent)),
    animals: run.animalsCreated ?? 0,
    warned: broken,
  });
  return { verdict: 'conforming', exitCode: broken === null ? 0 : 1, reason };
}

/** The first of what fails the run, and how many more there are; null if nothing does. */
function mostOf(report: Broken): string | null {
  const [first, ...others] = failuresOf(report);
  return first === undefined ? null : mostInWords(causeInWords(report, first), others.length);
}

/** Stops whose words are a sentence of their own. */
const SENTENCES: readonly (Stop['kind'] | undefined)[] = ['interrupted', 'time', 'obstacle'];

/** Why a run in which nothing failed calls no target conforming, or null if it may. */
function whyUndecided(requirements: readonly RequirementResult[], run: JudgedRun): Grounds | null {
  const { stopped, stoppedBy } = run;
  if (stopped !== null) return { kind: 'stopped', stopped, isSentence: SENTENCES.includes(stoppedBy) };
  if (!run.complete) return { kind: 'unfinished' };
  const open = withVerdict(requirements, 'inconclusive').filter(({ level }) => level === 'must');
  if (open.length > 0)
    return { kind: 'open', ids: idsOf(open), reasons: open.flatMap(({ reason }) => reason ?? []) };
  if (run.partial) return partOfSuite(requirements);
  const unserved = requirements.filter((each) => leavesUnserved(each, run));
  return unserved.length > 0 ? { kind: 'unserved', ids: idsOf(unserved) } : null;
}

/** A part of the suite decides nothing; least of all what it was asked for and did not send. */
function partOfSuite(requirements: readonly RequirementResult[]): Grounds {
  const unsent = requirements.filter(({ cause }) => cause?.kind === 'tact');
  return unsent.length === 0 ? { kind: 'part' } : { kind: 'unsent', ids: idsOf(unsent) };
}

/** True if tact forbade all that would have decided it. */
function isUnsent({ verdict, cause }: RequirementResult): boolean {
  return verdict === 'not-applicable' && cause?.kind === 'tact';
}

/** Whether an answer without which no operation can be called served was not seen, though it had to be. */
function leavesUnserved({ id, verdict }: RequirementResult, { readOnly }: JudgedRun): boolean {
  if (REQUIREMENTS[id]?.core !== true || verdict === 'pass') return false;
  return verdict !== 'not-applicable' || !(readOnly || mayBeRemoved(id));
}

/** After its day of removal, nothing that needs getPet applies any more. */
function mayBeRemoved(id: string): boolean {
  return id.includes('get-pet');
}

/** How many requirements of a level have each verdict. */
export function countVerdicts(requirements: readonly RequirementResult[], level: 'must' | 'should'): Counts {
  const own = requirements.filter((each) => each.level === level);
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, withVerdict(own, verdict).length]),
  ) as Record<Verdict, number>;
  return { ...counts, inPart: own.filter(({ partial }) => partial !== null).length };
}

function idsOf(requirements: readonly RequirementResult[]): string[] {
  return requirements.map(({ id }) => id);
}

function withVerdict<T extends Finding | RequirementResult>(all: readonly T[], verdict: T['verdict']): T[] {
  return all.filter((each) => each.verdict === verdict);
}

function groupById(findings: readonly Finding[]): Map<string, Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings)
    (groups.get(finding.requirement) ?? groups.set(finding.requirement, []).get(finding.requirement))?.push(
      finding,
    );
  return groups;
}
