import type { Report, RequirementResult, Verdict } from './report.ts';

/** Verdicts in the order in which reports count them. */
export const VERDICTS: readonly Verdict[] = ['fail', 'warn', 'inconclusive', 'pass', 'not-applicable', 'excused'];

/** How a verdict is shown where colour cannot be relied on. */
export const SYMBOLS: Record<Verdict, string> = {
  fail: '✗',
  warn: '!',
  inconclusive: '?',
  pass: '✓',
  'not-applicable': '–',
  excused: '○',
};

/** Verdicts as words, right beside a number too. */
export const WORDS: Record<Verdict, string> = {
  fail: 'fail',
  warn: 'warning',
  inconclusive: 'inconclusive',
  pass: 'pass',
  'not-applicable': 'not applicable',
  excused: 'excused',
};

/** The verdict on the target as reports head it; what narrows it down is part of it. */
export function headline(report: Report): string {
  const word = report.verdict[0]?.toUpperCase() + report.verdict.slice(1);
  if (report.verdict === 'conforming' && report.run.mode === 'read-only') return `${word} as far as read-only asks`;
  const failures = withVerdict(report, 'fail');
  return failures.length > 0 && failures.every(({ waiver }) => waiver !== null) ? `${word}, waived` : word;
}

/** The symbol of the verdict on the target. */
export function headSymbol(report: Report): string {
  return SYMBOLS[report.verdict === 'conforming' ? 'pass' : report.verdict === 'nonconforming' ? 'fail' : 'inconclusive'];
}

/** How many of these results have which verdict, in words: `7 pass, 1 excused`. */
export function tally(results: readonly RequirementResult[]): string {
  const count = (verdict: Verdict) => results.filter((each) => each.verdict === verdict).length;
  return VERDICTS.filter((verdict) => count(verdict) > 0).map((verdict) => `${count(verdict)} ${WORDS[verdict]}`).join(', ');
}

/** The requirements that got this verdict, in the order of the report. */
export function withVerdict(report: Report, verdict: Verdict): RequirementResult[] {
  return report.requirements.filter((each) => each.verdict === verdict);
}

/** A number with its noun: `1 failure`, `2,310 requests`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}

/** A duration as people say it: `840 ms`, `12.4 s`, `3 min 20 s`. */
export function lasted(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
