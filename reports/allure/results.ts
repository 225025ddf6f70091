/** Report and the tests of its run -> leaves of the Allure tree. Pure. */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import type { Finding } from '../../fixtures/judgement/finding.ts';
import type { Leaf, RanTest, Subject, Word } from './model.ts';
import { leaf } from './leaf.ts';
import { isBlocked } from '../words/blocked.ts';
import { evidenceIn } from '../words/evidence-lines.ts';
import { failuresOf, warningsOf, type Cause } from '../document/causes.ts';
import type { Observation, Report, RequirementResult } from '../document/report.ts';
import { smallest } from '../document/shown-exchange.ts';
import type { Reason } from '../../fixtures/judgement/reason.ts';
import { causeOf } from '../document/verdicts.ts';
import { reasonInWords } from '../words/reasons/reason-words.ts';

/** Exchanges that a leaf shows of the report itself at most. */
const SHOWN = 4;
/** What wants a look comes first, so that it keeps its exchanges if there is no room for all. */
const WORST_FIRST: readonly Word[] = [
  'fail',
  'warn',
  'suite-error',
  'inconclusive',
  'not-applicable',
  'pass',
  'observed',
  'excused',
];

/**
 * One leaf for each requirement of the report, and for each open question that a test looked at; the tests are its steps.
 * One leaf for each cause fails; what is behind it is skipped.
 */
export function allureLeaves(report: Report, ran: readonly RanTest[]): Leaf[] {
  const causes = [...failuresOf(report), ...warningsOf(report)];
  const inTime = ran.toSorted((one, other) => one.start - other.start);
  const leaves = [
    ...report.requirements.map((about) => {
      const steps = inTime
        .filter(({ requirements }) => requirements.includes(about.id))
        .map((test) => ofTest(about, test));
      const whole = ofReport(report, about, steps);
      const behind = failureBefore(report, about, causes);
      return {
        word: whole.word,
        behind,
        leaf: leaf(report, whole, { steps: withOwnStep(whole, steps), behind }),
      };
    }),
    ...report.observations.flatMap((about) => {
      const steps = inTime
        .filter(({ silences }) => silences.includes(about.id))
        .map((test) => ofSilence(about, test));
      const whole = steps.find(({ word }) => word === 'observed') ?? steps[0];
      if (whole === undefined) return [];
      const shown = { ...whole, exchanges: one(smallest(evidenceIn(report)(about))) };
      return [{ word: whole.word, behind: null, leaf: leaf(report, shown, { steps, behind: null }) }];
    }),
  ];
  // what is behind a failure that another leaf shows wants no look of its own
  const rank = ({ word, behind }: { word: Word; behind: string | null }) =>
    behind === null ? rankOf(word) : rankOf('inconclusive') + (rankOf(word) + 1) / 10;
  return leaves.toSorted((one, other) => rank(one) - rank(other)).map((each) => each.leaf);
}

function rankOf(word: Word): number {
  return WORST_FIRST.indexOf(word);
}

/** Where no test says what the report says, that is a step too: what was found while others were tested, what nobody could test. */
function withOwnStep(whole: Subject, steps: readonly Subject[]): readonly Subject[] {
  return steps.some(({ word }) => word === whole.word) ? steps : [...steps, whole];
}

/** Why a verdict is not a finding of its own: another leaf shows the failure that it shows, or that is in its way. Null: it is one. */
function failureBefore(
  report: Report,
  { id, verdict, cause, reason }: RequirementResult,
  causes: readonly Cause[],
): string | null {
  if (verdict === 'inconclusive') return isBlocked(report, { verdict, cause }) ? reason : null;
  const first = causes.find((each) => each.some((result) => result.id === id))?.[0];
  return first === undefined || first.id === id ? null : `broken by the same cause as ${first.id}`;
}

/** What a test says about one requirement: its own finding in the place of what the whole run found. */
function ofTest(result: RequirementResult, test: RanTest): Subject {
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
      word === 'pass' ? one(smallest(exchanges)) : exchanges.filter(({ id }) => evidence.includes(id)),
    test,
  };
}

function whyOf({ message }: RanTest, reason: Reason | null): Pick<RequirementResult, 'reason' | 'cause'> {
  return reason === null
    ? { reason: message, cause: null }
    : { reason: reasonInWords(reason), cause: causeOf([reason]) };
}

/** A test that was skipped without a finding left its question to others: generated input without room for animals. */
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

function ofSilence(about: Observation, test: RanTest): Subject {
  return { word: test.ended === 'passed' ? 'observed' : 'not-applicable', about, exchanges: [], test };
}

/** What the report says. Where it is undecided because the suite broke in a test, that is what wants a look. */
function ofReport(report: Report, about: RequirementResult, steps: readonly Subject[]): Subject {
  const isBroken = about.verdict === 'inconclusive' && steps.some(({ word }) => word === 'suite-error');
  return {
    word: isBroken ? 'suite-error' : about.verdict,
    about,
    exchanges: evidenceIn(report)({
      evidence: about.expected === null ? [] : about.evidence.slice(0, SHOWN),
    }),
    test: null,
  };
}

function one(exchange: Evidence | undefined): Evidence[] {
  return exchange === undefined ? [] : [exchange];
}
