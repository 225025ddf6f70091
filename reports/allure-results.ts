/** Report and the runner's tests -> leaves of the Allure tree. Pure. */
import type { Evidence } from '../fixtures/exchange.ts';
import type { Finding } from '../fixtures/finding.ts';
import { SUITE_BROKE } from '../fixtures/scope.ts';
import type { Leaf, RanTest, Word } from './allure-model.ts';
import { leaf } from './allure-leaf.ts';
import { evidenceIn } from './evidence.ts';
import type { Report, RequirementResult } from './report.ts';

/** Exchanges that a leaf made from the report alone shows at most. */
const SHOWN = 4;

/**
 * One leaf for each requirement or open question that a test looked at, and one for each verdict of the report that no
 * test of the requirement tells: what others found, what nobody could test.
 */
export function allureLeaves(report: Report, ran: readonly RanTest[]): Leaf[] {
  const told = ran.flatMap((test) => [...ofRequirements(report, test), ...ofSilences(report, test)]);
  const words = new Map<string, Word[]>();
  for (const { subject, word } of told) words.set(subject, [...(words.get(subject) ?? []), word]);
  const untold = report.requirements.filter(({ id, verdict }) => !(words.get(id) ?? []).some((word) => tells(word, verdict)));
  return [...told.map((each) => each.leaf), ...untold.map((result) => ofReport(report, result))];
}

interface Told {
  subject: string;
  word: Word;
  leaf: Leaf;
}

function ofRequirements(report: Report, test: RanTest): Told[] {
  return test.requirements.flatMap((id) => {
    const result = report.requirements.find((each) => each.id === id);
    if (result === undefined) return [];
    const finding = test.found?.findings.find(({ requirement }) => requirement === id);
    const word = wordOf(result, test, finding);
    const told = { ...result, reason: finding?.reason ?? test.message, ...finding?.flaw, replay: finding?.replay ?? null, evidence: [...(finding?.flaw?.evidence ?? [])] };
    return [{ subject: id, word, leaf: leaf(report, word, told, { test, exchanges: chosen(told, test.found?.exchanges ?? []) }) }];
  });
}

function wordOf({ level }: RequirementResult, test: RanTest, finding: Finding | undefined): Word {
  if (finding === undefined) return test.passed ? 'pass' : 'suite-error';
  if (finding.verdict === 'fail') return level === 'must' ? 'fail' : 'warn';
  if (finding.verdict === 'left-out') return 'not-applicable';
  return finding.reason?.startsWith(SUITE_BROKE) === true ? 'suite-error' : finding.verdict;
}

function ofSilences(report: Report, test: RanTest): Told[] {
  return test.silences.flatMap((id) => {
    const observation = report.observations.find((each) => each.id === id);
    if (observation === undefined) return [];
    const word = test.passed ? 'observed' : 'not-applicable';
    return [{ subject: id, word, leaf: leaf(report, word, observation, { test, exchanges: [] }) }];
  });
}

function ofReport(report: Report, result: RequirementResult): Leaf {
  return leaf(report, result.verdict, result, { test: null, exchanges: evidenceIn(report)({ evidence: result.expected === null ? [] : result.evidence.slice(0, SHOWN) }) });
}

function tells(word: Word, verdict: RequirementResult['verdict']): boolean {
  return word === verdict || (word === 'suite-error' && verdict === 'inconclusive');
}

function chosen({ evidence }: { evidence: readonly string[] }, exchanges: readonly Evidence[]): Evidence[] {
  return exchanges.filter(({ id }) => evidence.includes(id));
}
