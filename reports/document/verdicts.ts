/** Findings -> verdict of each requirement -> verdict of the target. Pure. */
import type { Finding } from '../../fixtures/judgement/finding.ts';
import { REQUIREMENTS } from '../../fixtures/interface/requirements.ts';
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

/** The verdict of every requirement that was asked for (`only`: ids; empty: all). */
export function requirementResults(
  findings: readonly Finding[],
  only: readonly string[] = [],
): RequirementResult[] {
  const byId = groupById(findings);
  const asked = Object.keys(REQUIREMENTS).filter((id) => only.length === 0 || only.includes(id));
  const broken = new Set(
    [...byId].filter(([, found]) => found.some(({ verdict }) => verdict === 'fail')).map(([id]) => id),
  );
  const alsoFailed = [...byId]
    .filter(([id, found]) => !asked.includes(id) && found.some(({ verdict }) => verdict === 'fail'))
    .map(([id]) => id);
  return Object.keys(REQUIREMENTS)
    .filter((id) => asked.includes(id) || alsoFailed.includes(id))
    .map((id) => requirementResult(id, byId.get(id) ?? [], broken));
}

function requirementResult(
  id: string,
  all: readonly Finding[],
  broken: ReadonlySet<string>,
): RequirementResult {
  const { section = '', operation = '', level = 'must', statement = '', excused } = REQUIREMENTS[id] ?? {};
  // what a test met on its way hides nothing that others saw, and is told where it belongs: as a failure, or as a warning
  const unblocked = all.filter(
    (each) => each.verdict !== 'inconclusive' || !broken.has(blockerIn(each.reason)),
  );
  const findings = unblocked.some((each) => each.verdict === 'pass') ? unblocked : all;
  const verdict = excused === undefined ? verdictOf(findings, level) : 'excused';
  const kind = verdict === 'warn' ? 'fail' : verdict;
  const telling = findings.filter((each) => each.verdict === kind);
  const flaw = telling.find((each) => each.flaw !== null)?.flaw ?? null;
  return {
    id,
    level,
    section,
    operation,
    statement,
    verdict,
    reason: excused ?? reasonOf(verdict, all, telling),
    expected: flaw?.expected ?? null,
    received: flaw?.received ?? null,
    pointer: flaw?.pointer ?? null,
    tests: unique(
      telling.map(({ test }) => test),
      ({ title, file }) => `${file} ${title}`,
    ),
    evidence: [...new Set([...(flaw?.evidence ?? []), ...telling.flatMap(({ evidence }) => evidence)])].slice(
      0,
      KEPT_EVIDENCE,
    ),
    replay: telling.find(({ replay }) => replay !== null)?.replay ?? null,
    partial: verdict === 'pass' ? partOf(all) : null,
    waiver: null,
  };
}

/** What a pass leaves out because a budget had no room for it, and which MAX_ANIMALS would have it. */
function partOf(findings: readonly Finding[]): RequirementResult['partial'] {
  const left = findings.filter(({ verdict }) => verdict === 'left-out');
  if (left.length === 0) return null;
  const needs = left.flatMap((each) => each.needs ?? []);
  return {
    reason: `${count(left.length, 'case')} left out: ${left[0]?.reason ?? ''}`,
    needs: needs.length === 0 ? null : Math.max(...needs),
  };
}

/** A failure outweighs all, then what could not be decided; a part that does not apply does not hide one that passed. */
function verdictOf(findings: readonly Finding[], level: 'must' | 'should'): Verdict {
  const has = (verdict: Finding['verdict']) => findings.some((each) => each.verdict === verdict);
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
  if (verdict === 'pass') {
    const aside = findings.filter((each) => each.verdict === 'not-applicable');
    const blocked = unique(
      findings.filter((each) => each.verdict === 'inconclusive').map(({ reason }) => reason ?? ''),
      String,
    ).map((reason) => `in part ${reason}`);
    const explained = unique(telling.map(({ reason }) => reason ?? '').filter(Boolean), String);
    const parts = [
      ...explained,
      ...blocked,
      ...(aside.length === 0
        ? []
        : [
            `not applicable in part: ${unique(
              aside.map(({ reason }) => reason ?? ''),
              String,
            ).join('; ')}`,
          ]),
    ];
    return parts.length === 0 ? null : parts.join('; ');
  }
  const left = verdict === 'inconclusive' ? findings.filter((each) => each.verdict === 'left-out') : [];
  const reasons = unique(
    [...telling, ...left]
      .map(
        ({ reason, needs }) =>
          `${reason ?? ''}${needs === undefined ? '' : `; MAX_ANIMALS=${needs} would decide`}`,
      )
      .filter(Boolean),
    String,
  );
  // what is blocked comes last: where only that is told, there is nothing else
  const told = [
    ...reasons.filter((each) => !BLOCKED.test(each)),
    ...reasons.filter((each) => BLOCKED.test(each)),
  ];
  return told.length === 0 ? null : told.slice(0, KEPT_REASONS).join('; ');
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

/** The verdict of the target and the exit code that goes with it. */
export function targetVerdict(
  requirements: readonly RequirementResult[],
  run: {
    complete: boolean;
    stopped: string | null;
    partial: boolean;
    strict: boolean;
    readOnly: boolean;
    animalsCreated?: number;
  },
): Pick<Report, 'verdict' | 'exitCode' | 'reason'> {
  const ids = (verdict: Verdict, level?: string) =>
    requirements
      .filter((each) => each.verdict === verdict && (level === undefined || each.level === level))
      .map(({ id }) => id);
  const failed = ids('fail');
  const open = ids('inconclusive', 'must');
  const warned = ids('warn');
  const core = requirements
    .filter(
      ({ id, verdict }) =>
        REQUIREMENTS[id]?.core === true &&
        verdict !== 'pass' &&
        !(run.readOnly && verdict === 'not-applicable') &&
        !mayBeRemoved(id, verdict),
    )
    .map(({ id }) => id);
  const inconclusive = (reason: string) => ({
    verdict: 'inconclusive' as const,
    exitCode: 3 as const,
    reason,
  });
  const stopped = run.stopped === null ? '' : `; then the run stopped: ${run.stopped}`;
  if (failed.length > 0)
    return {
      verdict: 'nonconforming',
      exitCode: 1,
      reason: `${count(failed.length, 'promise')} broken: ${list(failed)}${stopped}`,
    };
  // some reasons are sentences of their own
  if (run.stopped !== null)
    return inconclusive(
      /^([A-Z]|the run was )/.test(run.stopped) ? run.stopped : `the run stopped: ${run.stopped}`,
    );
  if (!run.complete) return inconclusive('the run did not come to its end');
  if (open.length > 0)
    return inconclusive(
      `${count(open.length, 'promise')} undecided: ${list(open)}${mostlyBecause(requirements, open)}`,
    );
  if (run.partial) return inconclusive('only a part of the suite was asked for; a whole run would decide');
  if (core.length > 0) return inconclusive(`no operation is called served without ${list(core)}`);
  const conforming =
    (run.readOnly ? 'conforming as far as read-only asks' : 'every promise that applies here is kept') +
    inPart(requirements, run.animalsCreated ?? 0);
  if (run.strict && warned.length > 0)
    return {
      verdict: 'conforming',
      exitCode: 1,
      reason: `${conforming}, but strict mode fails on warnings: ${list(warned)}`,
    };
  return { verdict: 'conforming', exitCode: 0, reason: conforming };
}

/** How much of it was judged in part, and what would judge it in full. */
function inPart(requirements: readonly RequirementResult[], animals: number): string {
  const parts = requirements.flatMap(({ partial }) => partial ?? []);
  if (parts.length === 0) return '';
  const needs = Math.max(0, ...parts.map((each) => each.needs ?? 0));
  return `; judged with ${count(animals, 'animal')}: ${count(parts.length, 'promise')} in part${needs === 0 ? '' : ` (MAX_ANIMALS=${needs} judges ${parts.length === 1 ? 'it' : 'them'} in full)`}`;
}

/** Why most of them are undecided, in the words of one of them; empty where none says. */
function mostlyBecause(requirements: readonly RequirementResult[], ids: readonly string[]): string {
  const reasons = requirements.flatMap(({ id, reason }) =>
    reason !== null && ids.includes(id) ? [reason] : [],
  );
  const times = (text: string) => reasons.filter((each) => each === text).length;
  const [common] = [...new Set(reasons)].toSorted((left, right) => times(right) - times(left));
  return common === undefined ? '' : `; ${times(common) === ids.length ? 'why' : 'most of all'}: ${common}`;
}

/** After its day of removal, nothing that needs getPet applies any more. */
function mayBeRemoved(id: string, verdict: Verdict): boolean {
  return verdict === 'not-applicable' && id.includes('get-pet');
}

/** How many requirements of a level have each verdict. */
export function countVerdicts(requirements: readonly RequirementResult[], level: 'must' | 'should'): Counts {
  const own = requirements.filter((each) => each.level === level);
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, own.filter((each) => each.verdict === verdict).length]),
  ) as Record<Verdict, number>;
  return { ...counts, inPart: own.filter(({ partial }) => partial !== null).length };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function list(ids: readonly string[]): string {
  return ids.length > 5 ? `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more` : ids.join(', ');
}

function unique<T>(values: readonly T[], key: (value: T) => string): T[] {
  return [...new Map(values.map((value) => [key(value), value])).values()];
}

function groupById(findings: readonly Finding[]): Map<string, Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings)
    (groups.get(finding.requirement) ?? groups.set(finding.requirement, []).get(finding.requirement))?.push(
      finding,
    );
  return groups;
}
