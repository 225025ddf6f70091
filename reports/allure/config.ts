import type { Word } from './model.ts';
import { WORD } from './leaf.ts';
import type { Report } from '../document/report.ts';
import { subjectInFull } from '../words/subject.ts';
import { headline, lasted } from '../words/verdict-words.ts';

const CATEGORIES: [word: Word, name: string][] = [
  ['fail', 'Violates the interface'],
  ['warn', 'Warning'],
  ['inconclusive', 'Undecided'],
  ['suite-error', 'Suite error'],
];

/** What is behind a failure that another leaf shows is skipped, and in no category. */
const COUNTED = ['failed', 'broken', 'unknown'];

/** How one report is made. */
export interface AllureConfig {
  name: string;
  /** Absolute; null keeps no history. */
  historyFile: string | null;
  /** Whether this run is entered there: one that is not new is there already. */
  isNew: boolean;
  categories: readonly object[];
  groupBy: readonly string[];
}

/** The configuration for one report. */
export function allureConfig(report: Report, historyFile: string | null, isNew: boolean): AllureConfig {
  return {
    name: `${headline(report)}: ${report.target.baseUrl}`,
    historyFile,
    isNew,
    categories: CATEGORIES.map(([word, name]) => ({
      name,
      matchers: { statuses: COUNTED, labels: { [WORD]: `^${word}$` } },
      groupBy: [{ label: 'epic' }],
      groupByMessage: false,
    })),
    groupBy: ['epic', 'feature'],
  };
}

/** The file `environment.properties` among the results: what was judged, by what, and how. */
export function allureEnvironment({ target, suite, specification, run, reason, ...report }: Report): string {
  const facts: Record<string, string> = {
    Target: target.baseUrl + (target.embedded ? ' (the embedded reference)' : ''),
    ...(target.subject != null && { Subject: subjectInFull(target.subject) }),
    ...(target.environment !== null && { Environment: target.environment }),
    Verdict: report.verdict,
    Reason: reason,
    Suite: `${suite.name} ${suite.version}`,
    Specification: specification.version,
    Mode: run.mode + (run.strict ? ', strict' : ''),
    Seed: String(run.seed),
    Run: `${run.id}, ${run.startedAt}, ${lasted(run.durationMs)}`,
    'Requests sent': String(run.requests),
    'Animals added': String(run.animalsCreated),
  };
  return Object.entries(facts)
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}\n`)
    .join('');
}

/** Java's properties know every UTF-16 unit by its number. */
function escaped(text: string): string {
  return text.replace(/[^\w.,/-]/g, (unit) =>
    unit
      .split('')
      .map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
