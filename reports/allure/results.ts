/** Report and the runner's tests -> leaves of the Allure tree. Pure. */
import type { Evidence } from '../../fixtures/exchange/exchange.ts';
import type { Finding } from '../../fixtures/judgement/finding.ts';
import { SUITE_BROKE } from '../../fixtures/client/scope.ts';
import type { Leaf, RanTest, Subject, Word } from './model.ts';
import { leaf } from './leaf.ts';
import { evidenceIn } from '../words/evidence-lines.ts';
import type { Report, RequirementResult } from '../document/report.ts';
import { smallest } from '../document/shown-exchange.ts';

/** Exchanges that a leaf made from the report alone shows at most. */
const SHOWN = 4;
/** What a leaf is called after where its test says several things, the worst first. */
const WORST_FIRST: readonly Word[] = ['fail', 'warn', 'suite-error', 'inconclusive', 'not-applicable', 'pass', 'observed', 'excused'];

/**
 * One leaf for each test, and one for each verdict of the report that no test of the requirement tells: what others found,
 * what nobody could test. What wants a look comes first, so that it keeps its exchanges where there is no room for all.
 */
export function allureLeaves(report: Report, ran: readonly RanTest[]): Leaf[] {
  const told = ran.map((test) => ({ test, subjects: [...ofRequirements(report, test), ...ofSilences(report, test)].toSorted((one, other) => rankOf(one.word) - rankOf(other.word)) }));
  const all = told.flatMap(({ subjects }) => subjects);
  const untold = report.requirements.filter(({ id, verdict }) => !all.some(({ about, word }) => about.id === id && tells(word, verdict)));
  const leaves = [
    ...told.flatMap(({ test, subjects: [first, ...others] }) => (first === undefined ? [] : [{ word: first.word, leaf: leaf(report, [first, ...others], test) }])),
    ...untold.map((result) => ({ word: result.verdict, leaf: leaf(report, [ofReport(report, result)], null) })),
  ];
  return leaves.toSorted((one, other) => rankOf(one.word) - rankOf(other.word)).map((each) => each.leaf);
}

function rankOf(word: Word): number {
  return WORST_FIRST.indexOf(word);
}

function ofRequirements(report: Report, test: RanTest): Subject[] {
  return test.requirements.flatMap((id) => {
    const result = report.requirements.find((each) => each.id === id);
    if (result === undefined) return [];
    const finding = test.found?.findings.find(({ requirement, verdict }) => requirement === id && verdict !== 'pass');
    const word = wordOf(result, test, finding);
    const about = { ...result, reason: finding?.reason ?? test.message, ...finding?.flaw, replay: finding?.replay ?? null, evidence: [...(finding?.flaw?.evidence ?? [])] };
    const exchanges = test.found?.exchanges ?? [];
    return [{ word, about, exchanges: word === 'pass' ? one(smallest(exchanges)) : exchanges.filter((each) => about.evidence.includes(each.id)) }];
  });
}

function wordOf({ level }: RequirementResult, test: RanTest, finding: Finding | undefined): Word {
  if (finding === undefined) return test.passed ? 'pass' : 'suite-error';
  if (finding.verdict === 'fail') return level === 'must' ? 'fail' : 'warn';
  if (finding.verdict === 'left-out') return 'not-applicable';
  return finding.reason?.startsWith(SUITE_BROKE) === true ? 'suite-error' : finding.verdict;
}

function ofSilences(report: Report, test: RanTest): Subject[] {
  return test.silences.flatMap((id) => {
    const about = report.observations.find((each) => each.id === id);
    if (about === undefined) return [];
    return [{ word: test.passed ? 'observed' : 'not-applicable', about, exchanges: one(smallest(evidenceIn(report)(about))) }];
  });
}

function ofReport(report: Report, result: RequirementResult): Subject {
  return { word: result.verdict, about: result, exchanges: evidenceIn(report)({ evidence: result.expected === null ? [] : result.evidence.slice(0, SHOWN) }) };
}

function one(exchange: Evidence | undefined): Evidence[] {
  return exchange === undefined ? [] : [exchange];
}

function tells(word: Word, verdict: RequirementResult['verdict']): boolean {
  return word === verdict || (word === 'suite-error' && verdict === 'inconclusive');
}
