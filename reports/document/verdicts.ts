/** Findings -> verdict of each requirement -> verdict of the target. Pure. */
import type { Finding } from '../../fixtures/judgement/finding.ts';
import { REQUIREMENTS, type Requirement } from '../../fixtures/interface/requirements.ts';
import type { Counts, Report, RequirementResult, Verdict } from './report.ts';

/** Evidence and reasons that one requirement keeps at most. */
const KEPT_EVIDENCE = 12;
const KEPT_REASONS = 3;
/** The reason of a test that met another broken promise. */
const BLOCKED = /^blocked by ([\w.-]+)$/;
const VERDICTS = [
  'pass',
  'fail',
  'warn',
  'inconclusive',
  'not-applicable',
  'excused',
] as const satisfies readonly Verdict[];

/** A result has these, with nothing in them, where nothing is wrong. */
const NO_FLAW = { expected: null, received: null, pointer: null, evidence: [] };

/** The verdict of every requirement that was asked for (`only`: ids; empty: all), and of every other one that is broken. */
export function requirementResults(
  findings: readonly Finding[],
  only: readonly string[] = [],
): RequirementResult[] {
  const byId = groupById(findings);
  const broken = new Set(withVerdict(findings, 'fail').map(({ requirement }): string => requirement));
  const isAsked = (id: string) => only.length === 0 || only.includes(id);
  return Object.entries(REQUIREMENTS)
    .filter(([id]) => isAsked(id) || broken.has(id))
    .map(([id, requirement]) => requirementResult(id, requirement, byId.get(id) ?? [], broken));
}

function requirementResult(
  id: string,
  { section, operation, level, statement, excused }: Requirement,
  all: readonly Finding[],
  broken: ReadonlySet<string>,
): RequirementResult {
  const counting = withoutBlocked(all, broken);
  const verdict = excused === undefined ? verdictOf(counting, level) : 'excused';
  const telling = counting.filter((each) => each.verdict === (verdict === 'warn' ? 'fail' : verdict));
  const { expected, received, pointer, evidence } =
    telling.find(({ flaw }) => flaw !== null)?.flaw ?? NO_FLAW;
  const tests = new Map(telling.map(({ test }) => [`${test.file} ${test.title}`, test]));
  const shown = new Set([...evidence, ...telling.flatMap((each) => each.evidence)]);
  return {
    id,
    level,
    section,
    operation,
    statement,
    verdict,
    reason: excused ?? reasonOf(verdict, all, telling),
    expected,
    received,
    pointer,
    tests: [...tests.values()],
    evidence: [...shown].slice(0, KEPT_EVIDENCE),
    replay: telling.find(({ replay }) => replay !== null)?.replay ?? null,
    partial: verdict === 'pass' ? partOf(all) : null,
    waiver: null,
  };
}

/** What a test met on its way hides nothing that others saw: it is told where it belongs, as a failure or as a warning. */
function withoutBlocked(findings: readonly Finding[], broken: ReadonlySet<string>): readonly Finding[] {
  const unblocked = findings.filter(
    ({ verdict, reason }) => verdict !== 'inconclusive' || !broken.has(blockerIn(reason)),
  );
  return withVerdict(unblocked, 'pass').length > 0 ? unblocked : findings;
}

/** What a pass leaves out because a budget had no room for it, and which MAX_ANIMALS would have it. */
function partOf(findings: readonly Finding[]): RequirementResult['partial'] {
  const left = withVerdict(findings, 'left-out');
  if (left.length === 0) return null;
  const needs = left.flatMap((each) => each.needs ?? []);
  return {
    reason: `${count(left.length, 'case')} left out: ${left[0]?.reason ?? ''}`,
    needs: needs.length === 0 ? null : Math.max(...needs),
  };
}

/** A failure outweighs all, then what could not be decided; a part that does not apply does not hide one that passed. */
function verdictOf(findings: readonly Finding[], level: 'must' | 'should'): Verdict {
  const has = (verdict: Finding['verdict']) => withVerdict(findings, verdict).length > 0;
  if (has('fail')) return level === 'must' ? 'fail' : 'warn';
  if (has('inconclusive') || findings.length === 0) return 'inconclusive';
  if (has('pass')) return 'pass';
  return has('left-out') ? 'inconclusive' : 'not-applicable';
}

function reasonOf(
  verdict: Verdict,
  findings: readonly Finding[],
  telling: readonly Finding[],
): string | null {
  if (findings.length === 0) return 'no test of it ran; a complete run would decide';
  const left = verdict === 'inconclusive' ? withVerdict(findings, 'left-out') : [];
  const reasons =
    verdict === 'pass' ? reasonsOfPass(findings) : reasonsOf([...telling, ...left]).slice(0, KEPT_REASONS);
  return reasons.length === 0 ? null : reasons.join('; ');
}

/** What limits a pass: its assumptions, what could not be decided, and what does not apply. */
function reasonsOfPass(findings: readonly Finding[]): string[] {
  const given = (verdict: Finding['verdict']) => [
    ...new Set(withVerdict(findings, verdict).map(({ reason }) => reason ?? '')),
  ];
  const aside = given('not-applicable');
  return [
    ...given('pass').filter(Boolean),
    ...given('inconclusive').map((reason) => `in part ${reason}`),
    ...(aside.length === 0 ? [] : [`not applicable in part: ${aside.join('; ')}`]),
  ];
}

/** The reasons given, each once. What is blocked comes last: where only that is told, there is nothing else. */
function reasonsOf(findings: readonly Finding[]): string[] {
  const given = findings.map(({ reason, needs }) => {
    const remedy = needs === undefined ? '' : `; MAX_ANIMALS=${needs} would decide`;
    return `${reason ?? ''}${remedy}`;
  });
  return [...new Set(given.filter(Boolean))].toSorted(
    (one, other) => Number(BLOCKED.test(one)) - Number(BLOCKED.test(other)),
  );
}

/** The requirement that a reason names as in the way, or nothing. */
function blockerIn(reason: string | null): string {
  return BLOCKED.exec(reason ?? '')?.[1] ?? '';
}

/** Whether nothing but the failures of these requirements kept it from being decided. */
export function isBlockedOnlyBy(
  { verdict, reason }: Pick<RequirementResult, 'verdict' | 'reason'>,
  ids: readonly string[],
): boolean {
  const blockers = blockersIn(reason);
  return verdict === 'inconclusive' && blockers.length > 0 && blockers.every((each) => ids.includes(each));
}

/** The requirements that the parts of a reason name as in the way; empty texts for parts that name none. */
export function blockersIn(reason: string | null): string[] {
  return reason?.split('; ').map(blockerIn) ?? [];
}

/** What the verdict of the target takes from the run, besides the requirements. */
interface JudgedRun {
  complete: boolean;
  stopped: string | null;
  partial: boolean;
  strict: boolean;
  readOnly: boolean;
  animalsCreated?: number;
}

/** The verdict of the target and the exit code that goes with it. */
export function targetVerdict(
  requirements: readonly RequirementResult[],
  run: JudgedRun,
): Pick<Report, 'verdict' | 'exitCode' | 'reason'> {
  const failed = withVerdict(requirements, 'fail');
  if (failed.length > 0) {
    const stopped = run.stopped === null ? '' : `; then the run stopped: ${run.stopped}`;
    const reason = `${count(failed.length, 'promise')} broken: ${list(failed)}${stopped}`;
    return { verdict: 'nonconforming', exitCode: 1, reason };
  }
  const undecided = whyUndecided(requirements, run);
  if (undecided !== null) return { verdict: 'inconclusive', exitCode: 3, reason: undecided };
  const kept = run.readOnly
    ? 'conforming as far as read-only asks'
    : 'every promise that applies here is kept';
  const reason = kept + inPart(requirements, run.animalsCreated ?? 0);
  const warned = withVerdict(requirements, 'warn');
  if (run.strict && warned.length > 0)
    return {
      verdict: 'conforming',
      exitCode: 1,
      reason: `${reason}, but strict mode fails on warnings: ${list(warned)}`,
    };
  return { verdict: 'conforming', exitCode: 0, reason };
}

/** Why a run in which nothing failed calls no target conforming, or null where it may. */
function whyUndecided(requirements: readonly RequirementResult[], run: JudgedRun): string | null {
  if (run.stopped !== null) return isSentence(run.stopped) ? run.stopped : `the run stopped: ${run.stopped}`;
  if (!run.complete) return 'the run did not come to its end';
  const open = withVerdict(requirements, 'inconclusive').filter(({ level }) => level === 'must');
  if (open.length > 0)
    return `${count(open.length, 'promise')} undecided: ${list(open)}${mostlyBecause(open)}`;
  if (run.partial) return 'only a part of the suite was asked for; a whole run would decide';
  const unserved = requirements.filter((each) => leavesUnserved(each, run));
  return unserved.length > 0 ? `no operation is called served without ${list(unserved)}` : null;
}

/** Some reasons for a stop are sentences of their own. */
function isSentence(stopped: string): boolean {
  return /^([A-Z]|the run was )/.test(stopped);
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

/** How much of it was judged in part, and what would judge it in full. */
function inPart(requirements: readonly RequirementResult[], animals: number): string {
  const parts = requirements.flatMap(({ partial }) => partial ?? []);
  if (parts.length === 0) return '';
  const needs = Math.max(0, ...parts.map((each) => each.needs ?? 0));
  const them = parts.length === 1 ? 'it' : 'them';
  const remedy = needs === 0 ? '' : ` (MAX_ANIMALS=${needs} judges ${them} in full)`;
  return `; judged with ${count(animals, 'animal')}: ${count(parts.length, 'promise')} in part${remedy}`;
}

/** Why most of them are undecided, in the words of one of them; empty where none says. */
function mostlyBecause(undecided: readonly RequirementResult[]): string {
  const reasons = undecided.flatMap(({ reason }) => reason ?? []);
  const times = (text: string) => reasons.filter((each) => each === text).length;
  const [common] = [...new Set(reasons)].toSorted((left, right) => times(right) - times(left));
  if (common === undefined) return '';
  return `; ${times(common) === undecided.length ? 'why' : 'most of all'}: ${common}`;
}

/** How many requirements of a level have each verdict. */
export function countVerdicts(requirements: readonly RequirementResult[], level: 'must' | 'should'): Counts {
  const own = requirements.filter((each) => each.level === level);
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, withVerdict(own, verdict).length]),
  ) as Record<Verdict, number>;
  return { ...counts, inPart: own.filter(({ partial }) => partial !== null).length };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function list(requirements: readonly RequirementResult[]): string {
  const ids = requirements.map(({ id }) => id);
  return ids.length > 5 ? `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more` : ids.join(', ');
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
