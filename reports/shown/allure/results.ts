/**
 * Makes the leaves of the Allure tree from the report and the tests of its run. A leaf is one requirement, with its tests as
 * steps. A `whole` is the result of the report, a step the result of one test. Pure.
 */
import type { Evidence } from '../../../fixtures/exchange/exchange.ts';
import type { Finding } from '../../../fixtures/judgement/finding.ts';
import type { Leaf, RanTest, LeafSubject, Word } from './leaf-model.ts';
import { makeLeaf, makeQuestionsLeaf } from './leaf.ts';
import { isBlocked } from '../words/blocked.ts';
import { isQuestionAsked } from '../words/profile-words.ts';
import { makeEvidenceFinder } from '../words/evidence-lines.ts';
import { findFailures, findWarnings, type Cause } from '../../document/causes.ts';
import type { Report, RequirementResult } from '../../document/report-document.ts';
import { findSmallest } from '../../document/shown-exchange.ts';
import type { Reason } from '../../../fixtures/judgement/reason.ts';
import { chooseCause } from '../../document/verdicts.ts';
import { describeReason } from '../../document/reasons/reason-words.ts';

/** The most exchanges that a leaf has beside the exchanges of its steps. */
const MOST_EXCHANGES = 4;
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
 * Returns one leaf for each requirement, with its tests as steps, and one leaf for all open questions. One leaf of each cause
 * fails; the others of this cause are skipped.
 */
export function makeLeaves(report: Report, ran: readonly RanTest[]): Leaf[] {
  const causes = [...findFailures(report), ...findWarnings(report)];
  const inTime = ran.toSorted((one, other) => one.start - other.start);
  const leaves = report.requirements.map((about) => {
    const steps = inTime
      .filter(({ requirements }) => requirements.includes(about.id))
      .map((test) => makeStep(about, test));
    const whole = makeWhole(report, about, steps);
    const behind = describeCauseElsewhere(report, about, causes);
    return {
      word: whole.word,
      behind,
      leaf: makeLeaf(report, whole, { steps: addOwnStep(whole, steps), behind }),
    };
  });
  // A leaf that another leaf's failure explains (`behind`) comes after the undecided ones: its rank is a little higher than theirs.
  const rank = ({ word, behind }: { word: Word; behind: string | null }) =>
    behind === null ? rankWord(word) : rankWord('inconclusive') + (rankWord(word) + 1) / 10;
  const sorted = leaves.toSorted((one, other) => rank(one) - rank(other)).map((each) => each.leaf);
  const questions = report.observations.filter(isQuestionAsked).map((about) => ({
    about,
    exchanges: makeList(findSmallest(makeEvidenceFinder(report)(about))),
  }));
  return questions.length === 0 ? sorted : [...sorted, makeQuestionsLeaf(report, questions)];
}

function rankWord(word: Word): number {
  return WORST_FIRST.indexOf(word);
}

/**
 * Adds the report's own result as a step if no step has its word. For example, only tests of other requirements found the promise
 * broken.
 */
function addOwnStep(whole: LeafSubject, steps: readonly LeafSubject[]): readonly LeafSubject[] {
  return steps.some(({ word }) => word === whole.word) ? steps : [...steps, whole];
}

/** Says which failure of another leaf explains this verdict; null if none does. */
function describeCauseElsewhere(
  report: Report,
  { id, verdict, cause, reason }: RequirementResult,
  causes: readonly Cause[],
): string | null {
  if (verdict === 'inconclusive') return isBlocked(report, { verdict, cause }) ? reason : null;
  const first = causes.find((each) => each.some((result) => result.id === id))?.[0];
  return first === undefined || first.id === id ? null : `broken by the same cause as ${first.id}`;
}

/** Returns the result of one test about a requirement: the finding of this test replaces the result of the whole run. */
function makeStep(result: RequirementResult, test: RanTest): LeafSubject {
  const { findings = [], exchanges = [] } = test.found ?? {};
  const finding = findings.find(
    ({ requirement, verdict }) => requirement === result.id && verdict !== 'pass',
  );
  const word = chooseWord(result, test, finding);
  const { flaw = null, replay = null } = finding ?? {};
  const evidence = [...(flaw?.evidence ?? [])];
  return {
    word,
    about: { ...result, ...makeReason(test, finding?.reason ?? null), ...flaw, replay, evidence },
    exchanges:
      word === 'pass'
        ? makeList(findSmallest(exchanges))
        : exchanges.filter(({ id }) => evidence.includes(id)),
    test,
  };
}

function makeReason(
  { message }: RanTest,
  reason: Reason | null,
): Pick<RequirementResult, 'reason' | 'cause'> {
  return reason === null
    ? { reason: message, cause: null }
    : { reason: describeReason(reason), cause: chooseCause([reason]) };
}

/**
 * Words for a test without a finding. It is skipped if it generates input and MAX_ANIMALS had no room: plain tests ask the same.
 */
const WITHOUT_FINDING = {
  passed: 'pass',
  skipped: 'not-applicable',
  failed: 'suite-error',
} as const satisfies Record<RanTest['ended'], Word>;

function chooseWord({ level }: RequirementResult, test: RanTest, finding: Finding | undefined): Word {
  if (finding === undefined) return WITHOUT_FINDING[test.ended];
  if (finding.verdict === 'fail') return level === 'must' ? 'fail' : 'warn';
  if (finding.verdict === 'left-out') return 'not-applicable';
  return finding.reason?.kind === 'suite-broke' ? 'suite-error' : finding.verdict;
}

/** Returns the result of the report. An undecided requirement gets the word `suite-error` if the suite broke in one of its tests. */
function makeWhole(report: Report, about: RequirementResult, steps: readonly LeafSubject[]): LeafSubject {
  const isBroken = about.verdict === 'inconclusive' && steps.some(({ word }) => word === 'suite-error');
  return {
    word: isBroken ? 'suite-error' : about.verdict,
    about,
    exchanges: makeEvidenceFinder(report)({
      evidence: about.expected === null ? [] : about.evidence.slice(0, MOST_EXCHANGES),
    }),
    test: null,
  };
}

function makeList(exchange: Evidence | undefined): Evidence[] {
  return exchange === undefined ? [] : [exchange];
}
