/** Makes the leaves of the Allure tree from the report: one for each requirement, and one for all open questions. Pure. */
import type { Leaf, Word } from './leaf-model.ts';
import { makeLeaf, makeQuestionsLeaf } from './leaf.ts';
import { isBlocked } from '../words/blocked.ts';
import { isQuestionAsked } from '../words/profile-words.ts';
import { findFailures, findWarnings, type Cause } from '../../document/causes.ts';
import type { Report, RequirementResult } from '../../document/report-document.ts';

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

/** Returns the leaves, the worst first. One leaf of each cause fails; the others of this cause are skipped. */
export function makeLeaves(report: Report): Leaf[] {
  const causes = [...findFailures(report), ...findWarnings(report)];
  const leaves = report.requirements.map((about) => {
    const isBroken = about.verdict === 'inconclusive' && about.cause?.kind === 'suite-broke';
    const word: Word = isBroken ? 'suite-error' : about.verdict;
    const behind = describeCauseElsewhere(report, about, causes);
    return { word, behind, leaf: makeLeaf(report, about, { word, behind }) };
  });
  // A leaf that another leaf's failure explains (`behind`) comes after the undecided ones: its rank is a little higher than theirs.
  const rank = ({ word, behind }: { word: Word; behind: string | null }) =>
    behind === null ? rankWord(word) : rankWord('inconclusive') + (rankWord(word) + 1) / 10;
  const sorted = leaves.toSorted((one, other) => rank(one) - rank(other)).map((each) => each.leaf);
  const questions = report.observations.filter(isQuestionAsked);
  return questions.length === 0 ? sorted : [...sorted, makeQuestionsLeaf(report, questions)];
}

function rankWord(word: Word): number {
  return WORST_FIRST.indexOf(word);
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
