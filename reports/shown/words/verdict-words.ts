/** Words, symbols and counts for verdicts. Every report uses them. Pure. */
import { DOCUMENTED_OPERATIONS } from '../../../fixtures/exchange/exchange.ts';
import {
  VERDICTS,
  type Report,
  type RequirementResult,
  type Verdict,
} from '../../document/report-document.ts';

/** Symbols of verdicts, for places where colour is not enough. */
export const SYMBOLS: Record<Verdict, string> = {
  fail: '✗',
  warn: '!',
  inconclusive: '?',
  pass: '✓',
  'not-applicable': '–',
  excused: '○',
};

/** Words for verdicts. They fit after a number too: `2 undecided`. */
export const VERDICT_WORDS: Record<Verdict, string> = {
  fail: 'fail',
  warn: 'warning',
  inconclusive: 'undecided',
  pass: 'pass',
  'not-applicable': 'not applicable',
  excused: 'untestable',
};

/** Returns the verdict on the target as the head of a report, with its limits: `Conforming as far as read-only asks`. */
export function writeHeadline(report: Report): string {
  if (report.verdict === 'no-failure-found')
    return report.exitCode === 0 ? 'No failure found (quick)' : 'No failure found (quick), yet the run fails';
  const word = report.verdict[0]?.toUpperCase() + report.verdict.slice(1);
  if (report.verdict === 'conforming' && report.exitCode === 0 && report.run.mode === 'read-only')
    return `${word} as far as read-only asks`;
  if (report.verdict === 'conforming' && report.exitCode !== 0) return `${word}, yet the run fails`;
  if (!isWaived(report)) return word;
  return report.staleWaivers === undefined ? `${word}, waived` : `${word}, waived, but a waiver is stale`;
}

/** True if there are failures and all of them are waived. */
export function isWaived(report: Report): boolean {
  const failures = filterByVerdict(report, 'fail');
  return failures.length > 0 && failures.every(({ waiver }) => waiver !== null);
}

/**
 * Returns the verdict whose colour the head of a report has. It is `warn` if the exit code does not fit: a conforming target
 * whose run fails, or a nonconforming target whose run passes.
 */
export function chooseTone({ verdict, exitCode }: Report): Verdict {
  if (verdict === 'conforming' || verdict === 'no-failure-found') return exitCode === 0 ? 'pass' : 'warn';
  if (verdict === 'nonconforming') return exitCode === 0 ? 'warn' : 'fail';
  return 'inconclusive';
}

/** The meaning of each exit code for a build. */
const EXIT_CODES: Record<Report['exitCode'], string> = {
  0: 'passes',
  1: 'fails',
  2: 'not possible as configured',
  3: 'undecided',
};

/** Returns the exit code with its meaning: `exit code 1 (fails)`. */
export function describeExitCode({ exitCode }: Pick<Report, 'exitCode'>): string {
  return `exit code ${exitCode} (${EXIT_CODES[exitCode]})`;
}

export function chooseSymbol(report: Report): string {
  return SYMBOLS[chooseTone(report)];
}

/** Counts these results by verdict: `7 pass, 1 untestable`. */
export function countByVerdict(results: readonly RequirementResult[]): string {
  return joinCounts((verdict) => results.filter((each) => each.verdict === verdict).length);
}

/** Returns the counts of one level in a line: `97 pass (3 in part), 8 untestable`. */
export function writeCounts({ counts }: Report, level: 'must' | 'should'): string {
  // Reports of version 1 lack `inPart`.
  const { inPart = 0, ...own } = counts[level];
  return joinCounts((verdict) => own[verdict], inPart) || 'none';
}

/** Joins the counts of the verdicts that occur: `2 broken, 97 pass (3 in part)`. The word is not `fail`: one failure may break several. */
function joinCounts(countOf: (verdict: Verdict) => number, inPart = 0): string {
  const write = (verdict: Verdict) => {
    if (verdict === 'warn') return countNoun(countOf(verdict), VERDICT_WORDS.warn);
    const word = verdict === 'fail' ? 'broken' : VERDICT_WORDS[verdict];
    return `${countOf(verdict)} ${word}${verdict === 'pass' && inPart > 0 ? ` (${inPart} in part)` : ''}`;
  };
  return VERDICTS.filter((verdict) => countOf(verdict) > 0)
    .map(write)
    .join(', ');
}

/** Explains the words of the counts that occur. */
export function writeLegend({ counts, requirements }: Report): string {
  const occurs = (verdict: Verdict) => counts.must[verdict] + counts.should[verdict] > 0;
  const inPart = (counts.must.inPart ?? 0) + (counts.should.inPart ?? 0) > 0;
  return [
    'must: the document states it',
    'should: a standard behind it does',
    ...(occurs('fail') ? ['broken: not kept (one failure may break several)'] : []),
    ...(occurs('inconclusive') ? ['undecided: the run could not find out'] : []),
    ...(inPart ? ['in part: some cases were left out'] : []),
    ...(occurs('not-applicable') ? [`not applicable: ${explainInapplicable(requirements)}`] : []),
    ...(occurs('excused') ? ['untestable: nobody can test it from outside'] : []),
  ].join('; ');
}

/** Says why promises do not apply. A quick or read-only run leaves some out. */
function explainInapplicable(requirements: readonly RequirementResult[]): string {
  const isLeftOut = ({ verdict, cause }: RequirementResult) =>
    verdict === 'not-applicable' && cause?.kind === 'mode';
  const unasked = requirements.some(isLeftOut) ? 'this kind of run does not ask it, or ' : '';
  return `${unasked}the situation does not exist here`;
}

export function filterByVerdict(report: Report, verdict: Verdict): RequirementResult[] {
  return report.requirements.filter((each) => each.verdict === verdict);
}

/** Returns a number with its noun: `1 failure`, `2,310 requests`. */
export function countNoun(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}

/** Returns a duration in words: `840 ms`, `12.4 s`, `3 min 20 s`. */
export function writeDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const NAMES = new RegExp(`^(${DOCUMENTED_OPERATIONS.join('|')})\\b`);

/** Writes the first letter as a capital, unless the text begins with the name of an operation, e.g. `getPet`. */
export function capitalize(text: string): string {
  return NAMES.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Says how many connections ended without an answer and how many requests the target put off; null if none. */
export function describePutOff({ putOff }: Report['run']): string | null {
  if (putOff === undefined) return null;
  const { answers, waitedMs, resent = 0, awayMs = 0, limited = 0, mostRps } = putOff;
  const parts = [
    resent > 0 &&
      `${countNoun(resent, 'connection')} ended without an answer, and what was asked was asked again`,
    answers > 0 &&
      `${countNoun(answers, 'answer')} said to come back later (429 or 503), ${writeDuration(waitedMs)} waited`,
    awayMs > 0 && `out of service for ${writeDuration(awayMs)}: 503 each time`,
    limited > 0 &&
      `${countNoun(limited, 'request')} got 503 without Retry-After, and another answer when asked alone: the target limits what comes fast${mostRps == null ? '' : `; MAX_RPS=${mostRps} asks more slowly`}`,
  ];
  return parts.filter(Boolean).join('; ') || null;
}
