/** Makes the leaves of the Allure tree from the report and the tests of its run. Pure. */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import type { Finding } from '../../fixtures/judgement/finding.ts';
import type { Leaf, RanTest, LeafSubject, Word } from './leaf-model.ts';
import { makeLeaf, makeQuestionsLeaf } from './leaf.ts';
import { isBlocked } from '../words/blocked.ts';
import { wasAsked } from '../words/profile-words.ts';
import { makeEvidenceFinder } from '../words/evidence-lines.ts';
import { findFailures, findWarnings, type Cause } from '../document/causes.ts';
import type { Report, RequirementResult } from '../document/report-document.ts';
import { findSmallest } from '../document/shown-exchange.ts';
import type { Reason } from '../../fixtures/judgement/reason.ts';
import { chooseCause } from '../document/verdicts.ts';
import { describeReason } from '../words/reasons/reason-words.ts';

/** The most exchanges that a leaf shows of the report itself. */
const SHOWN = 4;
/** Words in the order of the leaves. The first leaves keep their exchanges if there is no room for all. */
const WORST_FIRST: readonly Word[] = [
  'fail',
  'warn',
  'suite-error',
  'inconclusive',
  'not-applicable',
  'pass',
  'excused',
];

/**
 * Returns one leaf for each requirement, with its tests as steps, and one leaf for all open questions. One leaf
 * of each cause fails; the others of this cause are skipped.
 */
export function makeLeaves(report: Report, ran: readonly RanTest[]): Leaf[] {
  const causes = [...findFailures(report), ...findWarnings(report)];
  const inTime = ran.toSorted((one, other) => one.start - other.start);
  const leaves = report.requirements.map((about) => {
    const steps = inTime
      .filter(({ requirements }) => requirements.includes(about.id))
      .map((test) => ofTest(about, test));
    const whole = ofReport(report, about, steps);
    const behind = failureBefore(report, about, causes);
    return {
      word: whole.word,
      behind,
      leaf: makeLeaf(report, whole, { steps: withOwnStep(whole, steps), behind }),
    };
  });
  // Leaves behind the failure of another leaf come after the undecided ones.
  const rank = ({ word, behind }: { word: Word; behind: string | null }) =>
    behind === null ? rankOf(word) : rankOf('inconclusive') + (rankOf(word) + 1) / 10;
  const sorted = leaves.toSorted((one, other) => rank(one) - rank(other)).map((each) => each.leaf);
  const questions = report.observations.filter(wasAsked).map((about) => ({
    about,
    exchanges: one(findSmallest(makeEvidenceFinder(report)(about))),
  }));
  return questions.length === 0 ? sorted : [...sorted, makeQuestionsLeaf(report, questions)];
}

function rankOf(word: Word): number {
  return WORST_FIRST.indexOf(word);
}

/**
 * Adds a step for the report's own result if no test has this word, for example for a breach that tests of
 * other requirements found.
 */
function withOwnStep(whole: LeafSubject, steps: readonly LeafSubject[]): readonly LeafSubject[] {
  return steps.some(({ word }) => word === whole.word) ? steps : [...steps, whole];
}

/** Returns the failure of another leaf that explains this verdict; null if there is none. */
function failureBefore(
  report: Report,
  { id, verdict, cause, reason }: RequirementResult,
  causes: readonly Cause[],
): string | null {
  if (verdict === 'inconclusive') return isBlocked(report, { verdict, cause }) ? reason : null;
  const first = causes.find((each) => each.some((result) => result.id === id))?.[0];
  return first === undefined || first.id === id ? null : `broken by the same cause as ${first.id}`;
}

/** Returns the result of one test about a requirement: the finding of this test in place of the result of the run. */
function ofTest(result: RequirementResult, test: RanTest): LeafSubject {
  const { findings = [], exchanges = [] } = test.found ?? {};
  const finding = findings.find(
    ({ requirement, verdict }) => requirement === result.id && verdict !== 'pass',
  );
  const word = wordOf(result, test, finding);
  const { flaw = null, replay = null } = finding ?? {};
  const evidence = [...(flaw?.evidence ?? [])];
  return {
    word,
    about: { ...result, ...whyOf(test, finding?.reason ?? null), ...flaw, replay, evidence },
    exchanges:
      word === 'pass' ? one(findSmallest(exchanges)) : exchanges.filter(({ id }) => evidence.includes(id)),
    test,
  };
}

function whyOf({ message }: RanTest, reason: Reason | null): Pick<RequirementResult, 'reason' | 'cause'> {
  return reason === null
    ? { reason: message, cause: null }
    : { reason: describeReason(reason), cause: chooseCause([reason]) };
}

/**
 * A test that is skipped without a finding generates input and had no room for animals: plain tests ask the
 * same.
 */
const WITHOUT_FINDING = {
  passed: 'pass',
  skipped: 'not-applicable',
  failed: 'suite-error',
} as const satisfies Record<RanTest['ended'], Word>;

function wordOf({ level }: RequirementResult, test: RanTest, finding: Finding | undefined): Word {
  if (finding === undefined) return WITHOUT_FINDING[test.ended];
  if (finding.verdict === 'fail') return level === 'must' ? 'fail' : 'warn';
  if (finding.verdict === 'left-out') return 'not-applicable';
  return finding.reason?.kind === 'suite-broke' ? 'suite-error' : finding.verdict;
}

/** Returns the result of the report. If the suite broke in a test of an undecided requirement, that comes first. */
function ofReport(report: Report, about: RequirementResult, steps: readonly LeafSubject[]): LeafSubject {
  const isBroken = about.verdict === 'inconclusive' && steps.some(({ word }) => word === 'suite-error');
  return {
    word: isBroken ? 'suite-error' : about.verdict,
    about,
    exchanges: makeEvidenceFinder(report)({
      evidence: about.expected === null ? [] : about.evidence.slice(0, SHOWN),
    }),
    test: null,
  };
}

function one(exchange: Evidence | undefined): Evidence[] {
  return exchange === undefined ? [] : [exchange];
}
