/** Report and the runner's tests -> leaves of the Allure tree. Pure. */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import type { Finding } from '../../fixtures/judgement/finding.ts';
import type { Leaf, RanTest, Subject, Word } from './model.ts';
import { fullNameOf, isFailure, leaf } from './leaf.ts';
import { isBlocked } from '../words/blocked.ts';
import { evidenceIn } from '../words/evidence-lines.ts';
import { failuresOf, warningsOf, type Cause } from '../document/causes.ts';
import type { Report, RequirementResult } from '../document/report.ts';
import { smallest } from '../document/shown-exchange.ts';
import type { Reason } from '../../fixtures/judgement/reason.ts';
import { causeOf } from '../document/verdicts.ts';
import { reasonInWords } from '../words/reasons/reason-words.ts';

/** Exchanges that a leaf made from the report alone shows at most. */
const SHOWN = 4;
/** What a leaf is called after where its test says several things, the worst first. */
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

/** A test, and all that it says. */
interface Told {
  test: RanTest;
  subjects: Subject[];
}

/**
 * One leaf for each test, and one for each verdict of the report that no test of the requirement tells: what others found,
 * what nobody could test. One leaf for each cause fails; what stands behind it is skipped. What wants a look comes first,
 * so that it keeps its exchanges where there is no room for all.
 */
export function allureLeaves(report: Report, ran: readonly RanTest[]): Leaf[] {
  const all = ran.map((test): Told => ({
    test,
    subjects: [...ofRequirements(report, test), ...ofSilences(report, test)],
  }));
  const shown = shownBy([...failuresOf(report), ...warningsOf(report)], all);
  const told = all.map(({ test, subjects }) => ({
    test,
    subjects: subjects
      .map((each) => behind(report, each, test, shown))
      .toSorted((one, other) => rankOf(one) - rankOf(other)),
  }));
  const isTold = ({ id, verdict }: RequirementResult) =>
    told.some(({ subjects }) => subjects.some(({ about, word }) => about.id === id && tells(word, verdict)));
  const untold = report.requirements.filter(
    (each) => !isTold(each) || [...shown].some(([[first], test]) => first === each && test === null),
  );
  const leaves = [
    ...told.flatMap(({ test, subjects: [first, ...others] }) =>
      first === undefined ? [] : [{ first, leaf: leaf(report, [first, ...others], test) }],
    ),
    ...untold
      .map((result) => behind(report, ofReport(report, result), null, shown))
      .map((first) => ({ first, leaf: leaf(report, [first], null) })),
  ];
  return leaves.toSorted((one, other) => rankOf(one.first) - rankOf(other.first)).map((each) => each.leaf);
}

/** The test whose leaf shows a cause: of those that found it and show no other, the first by its name, in every run. Null: none, so the report shows it. */
function shownBy(causes: readonly Cause[], told: readonly Told[]): Map<Cause, RanTest | null> {
  const shown = new Map<Cause, RanTest | null>();
  const byName = told.toSorted((one, other) => fullNameOf(one.test).localeCompare(fullNameOf(other.test)));
  for (const cause of causes) {
    const taken = new Set(shown.values());
    const free = byName.find(
      ({ test, subjects }) =>
        !taken.has(test) && subjects.some((each) => isFailure(each.word) && isOf(cause, each)),
    );
    shown.set(cause, free?.test ?? null);
  }
  return shown;
}

/** What a test (null: the report) says, with the failure that it stands behind. */
function behind(
  report: Report,
  subject: Subject,
  test: RanTest | null,
  shown: ReadonlyMap<Cause, RanTest | null>,
): Subject {
  const { word, about } = subject;
  if (!('statement' in about)) return subject;
  if (word === 'inconclusive')
    return {
      ...subject,
      behind: isBlocked(report, { verdict: word, cause: about.cause }) ? about.reason : null,
    };
  const [cause, by] = [...shown].find(([each]) => isFailure(word) && isOf(each, subject)) ?? [];
  if (cause === undefined || by === undefined) return subject;
  if (by === null ? test === null && cause[0].id === about.id : by === test) return subject;
  return {
    ...subject,
    behind:
      cause[0].id === about.id
        ? `The failure is shown ${by === null ? 'on its own' : `by ${fullNameOf(by)}`}.`
        : `broken by the same answer as ${cause[0].id}`,
  };
}

function isOf(cause: Cause, { about }: Subject): boolean {
  return cause.some(({ id }) => id === about.id);
}

function rankOf({ word, behind: failure }: Subject): number {
  const rank = WORST_FIRST.indexOf(word);
  return failure === null ? rank : WORST_FIRST.indexOf('inconclusive') + (rank + 1) / 10;
}

function ofRequirements(report: Report, test: RanTest): Subject[] {
  return test.requirements
    .flatMap((id) => report.requirements.find((each) => each.id === id) ?? [])
    .map((result) => ofRequirement(result, test));
}

/** What a test says about one requirement: its own finding in the place of what the whole run found. */
function ofRequirement(result: RequirementResult, test: RanTest): Subject {
  const { findings = [], exchanges = [] } = test.found ?? {};
  const finding = findings.find(
    ({ requirement, verdict }) => requirement === result.id && verdict !== 'pass',
  );
  const word = wordOf(result, test, finding);
  const { flaw = null, replay = null } = finding ?? {};
  const evidence = [...(flaw?.evidence ?? [])];
  return {
    word,
    about: {
      ...result,
      ...whyOf(test, finding?.reason ?? null),
      ...flaw,
      replay,
      evidence,
    },
    behind: null,
    exchanges:
      word === 'pass' ? one(smallest(exchanges)) : exchanges.filter(({ id }) => evidence.includes(id)),
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

function ofSilences(report: Report, test: RanTest): Subject[] {
  return test.silences.flatMap((id) => {
    const about = report.observations.find((each) => each.id === id);
    if (about === undefined) return [];
    return [
      {
        word: test.ended === 'passed' ? 'observed' : 'not-applicable',
        about,
        behind: null,
        exchanges: one(smallest(evidenceIn(report)(about))),
      },
    ];
  });
}

function ofReport(report: Report, result: RequirementResult): Subject {
  return {
    word: result.verdict,
    about: result,
    behind: null,
    exchanges: evidenceIn(report)({
      evidence: result.expected === null ? [] : result.evidence.slice(0, SHOWN),
    }),
  };
}

function one(exchange: Evidence | undefined): Evidence[] {
  return exchange === undefined ? [] : [exchange];
}

function tells(word: Word, verdict: RequirementResult['verdict']): boolean {
  return word === verdict || (word === 'suite-error' && verdict === 'inconclusive');
}
