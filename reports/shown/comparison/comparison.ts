/** Compares two reports: of one target at two times, or of two targets. Writes the changes for a terminal, and in Markdown. */
import { findFailures } from '../../document/causes.ts';
import { joinSome } from '../../document/join-some.ts';
import { listBlockers } from '../words/blocked.ts';
import { escapeMarkdown, writeMarkdownCode, escapeTerminal } from '../words/escape.ts';
import { describeObservation } from '../words/profile-words.ts';
import { writeSubjectInFull } from '../words/subject-words.ts';
import { VERDICT_WORDS } from '../words/verdict-words.ts';
import type { Report, Verdict } from '../../document/report-document.ts';
import type { Subject } from '../../../fixtures/settings/subject.ts';

/** A value that differs between two runs; null in a run without it. */
export interface Change<T> {
  id: string;
  before: T | null;
  after: T | null;
}

/** The facts about a run that a comparison shows. */
interface ComparedRun {
  target: string;
  /** The judged implementation; null if the run does not name it. */
  subject: Subject | null;
  startedAt: string;
  suite: string;
  verdict: Report['verdict'];
  /** True if the run asked the whole suite and every test ran to its end. */
  complete: boolean;
}

/** A requirement with another verdict. A verdict is null if the suite of that run does not have the requirement. */
interface VerdictChange extends Change<Verdict> {
  statement: string;
  /** The broken promises that keep it undecided now; empty if something else does too. */
  because: readonly string[];
  /** True if the later run left out some or all cases of the requirement. */
  isInPart: boolean;
}

/**
 * The result of a comparison.
 * - `worse`: something is worse.
 * - `better`: something is better, and nothing is worse.
 * - `different`: nothing is known to be worse or better, e.g. a requirement failed, and the later run asked it only in part.
 */
type Course = 'equal' | 'better' | 'worse' | 'different';

/** All changes between two runs. */
export interface Comparison {
  before: ComparedRun;
  after: ComparedRun;
  /** `--json` prints this name. */
  change: Course;
  /** Says that the suites differ, so verdicts may differ for the same target. Null if the suites have the same promises. */
  note: string | null;
  /** Requirements that fail now come first, in the order of their causes. */
  verdicts: VerdictChange[];
  /** Open questions with another answer. */
  profile: (Change<string> & { question: string })[];
}

/** Compares two reports about one target at two times, or about two targets. */
export function compare(before: Report, after: Report): Comparison {
  const order = findFailures(after).flatMap((cause) => cause.map(({ id }) => id));
  // Requirements that do not fail now come after all causes.
  const place = ({ id }: { id: string }) => (order.includes(id) ? order.indexOf(id) : order.length);
  const verdicts = findChanges(before.requirements, after.requirements, ({ verdict }) => verdict).map(
    ({ latest, ...change }) => ({
      ...change,
      because: change.after === null ? [] : listBlockers(after, latest),
      // `tact`: the run sent nothing, to spare the store.
      isInPart: change.after !== null && (latest.partial != null || latest.cause?.kind === 'tact'),
      statement: latest.statement,
    }),
  );
  const profile = findChanges(before.observations, after.observations, ({ observed }) => observed).map(
    ({ latest, ...change }) => ({ ...change, question: latest.question }),
  );
  const isEqual = before.verdict === after.verdict && verdicts.length === 0 && profile.length === 0;
  return {
    before: summarizeRun(before),
    after: summarizeRun(after),
    note: warnOfVersions(before.suite.version, after.suite.version),
    change: isEqual ? 'equal' : chooseCourse(verdicts, before, after),
    verdicts: verdicts.toSorted((left, right) => place(left) - place(right)),
    profile,
  };
}

function chooseCourse(verdicts: readonly VerdictChange[], before: Report, after: Report): Course {
  const fallOfTarget = countRanksFallen(TARGET_RANKS, before.verdict, after.verdict);
  if (fallOfTarget > 0 || verdicts.some(isWorse)) return 'worse';
  // A failed requirement that the later run asked in part, or not at all, may still fail.
  if (verdicts.some((each) => each.before === 'fail' && each.isInPart)) return 'different';
  return fallOfTarget < 0 || verdicts.some(isBetter) ? 'better' : 'different';
}

/** Groups changes by their meaning for a reader, the worst first. */
function groupChanges(verdicts: readonly VerdictChange[]): { title: string; changes: VerdictChange[] }[] {
  const titleOf = (each: VerdictChange) => {
    if (isBetter(each) && !each.isInPart) return TITLES.better;
    if (!isWorse(each)) return TITLES.other;
    if (each.after === 'fail') return TITLES.fails;
    if (each.after === 'warn') return TITLES.warns;
    return each.because.length > 0 ? TITLES.blocked : TITLES.undecided;
  };
  return Object.values(TITLES)
    .map((title) => ({ title, changes: verdicts.filter((each) => titleOf(each) === title) }))
    .filter(({ changes }) => changes.length > 0);
}

/** Groups are shown in this order. */
const TITLES = {
  fails: 'Fails now',
  blocked: 'Undecided because of what fails',
  warns: 'Warns now',
  undecided: 'Undecided now',
  better: 'Better than before',
  other: 'Other verdicts',
} as const;

/** From the best to the worst. `not-applicable` and `excused` have no rank. */
const VERDICT_RANKS: readonly Verdict[] = ['pass', 'warn', 'inconclusive', 'fail'];
/** Verdicts on a target, from the best to the worst. `no-failure-found`, of a quick run, has no rank. */
const TARGET_RANKS: readonly Report['verdict'][] = ['conforming', 'inconclusive', 'nonconforming'];

/** True if the verdict of the requirement became worse, e.g. `pass` and then `inconclusive`. */
function isWorse({ before, after }: Change<Verdict>): boolean {
  return countRanksFallen(VERDICT_RANKS, before, after) > 0;
}

function isBetter({ before, after }: Change<Verdict>): boolean {
  return countRanksFallen(VERDICT_RANKS, before, after) < 0;
}

/**
 * Returns by how many ranks a verdict fell, e.g. 2 from `pass` to `inconclusive`; negative if it rose, 0 if one of the two has no rank. A
 * rise to `inconclusive` counts as 0: nobody knows that it is better.
 */
function countRanksFallen<T>(ranks: readonly T[], before: T | null, after: T | null): number {
  const [from, to] = [before, after].map((each) => (each === null ? -1 : ranks.indexOf(each)));
  if (from === undefined || to === undefined || from < 0 || to < 0) return 0;
  return to < from && after === 'inconclusive' ? 0 : to - from;
}

/**
 * Returns the items whose value differs between two lists, in the order of the later list; items that only the earlier list has come
 * last. `latest` is the whole item: of the later list, if that has it, else of the earlier one.
 */
export function findChanges<T extends { id: string }, V>(
  before: readonly T[],
  after: readonly T[],
  valueOf: (item: T) => V,
): (Change<V> & { latest: T })[] {
  const former = new Map(before.map((each) => [each.id, valueOf(each)]));
  const latter = new Map(after.map((each) => [each.id, valueOf(each)]));
  // A Map keeps the first place of an id, and the last item that it gets. So the later list comes first for the order, and again last.
  const all = new Map([...after, ...before, ...after].map((each) => [each.id, each]));
  return [...all]
    .map(([id, latest]) => ({ id, before: former.get(id) ?? null, after: latter.get(id) ?? null, latest }))
    .filter((change) => change.before !== change.after);
}

function summarizeRun({ target, run: { startedAt, complete, only }, suite, verdict }: Report): ComparedRun {
  return {
    target: target.baseUrl,
    subject: target.subject ?? null,
    startedAt,
    suite: `${suite.name} ${suite.version}`,
    verdict,
    complete: complete && only.length === 0,
  };
}

/** Warns if the major versions differ: a new or stricter `must` raises the major version. */
function warnOfVersions(one: string, other: string): string | null {
  // `1` of 1.4.2, but `0.3` of 0.3.7: before 1.0 the second number is the one that counts.
  const readMajor = (version: string) => /^(?:0\.)?\d+/.exec(version)?.[0];
  if (readMajor(one) === readMajor(other)) return null;
  return `The suite had different major versions (${one}, ${other}): promises may be new or stricter, so a worse verdict need not be the doing of the target.`;
}

/** The first line of the comparison. */
const COURSES: Readonly<Record<Course, string>> = {
  equal: 'Equal: the same verdicts, the same profile',
  better: 'Better: nothing is worse than before',
  worse: 'Worse than before',
  different: 'Different: nothing is worse, and not all is known to be better',
};

/** The most changes that a line names. */
const MOST_NAMED = 5;

/** The formats, text for a terminal and Markdown for a job page: how to escape words and values, and what begins headings and lines. */
const FORMATS = {
  text: { words: escapeTerminal, value: escapeTerminal, mark: '', bullet: '  ' },
  markdown: { words: escapeMarkdown, value: writeMarkdownCode, mark: '#', bullet: '- ' },
};

export function renderComparison(comparison: Comparison, format: keyof typeof FORMATS): string {
  const { words, value, mark, bullet } = FORMATS[format];
  const writeHeading = (text: string, level: number) => `${mark.repeat(level)} ${text}`.trimStart();
  const { before, after, verdicts, profile } = comparison;
  const writePart = (title: string, lines: string[]) =>
    lines.length === 0 ? [] : [writeHeading(title, 2), lines.map((line) => bullet + line).join('\n')];
  const writeChange = <T>({ before: former, after: latter }: Change<T>, inWords: (each: T) => string) =>
    [former, latter].map((each) => value(each === null ? 'unknown' : inWords(each))).join(' → ');
  const writeRun = ({ target, subject, startedAt, suite, verdict }: ComparedRun) =>
    `${value(target)}, ${subject === null ? '' : `${value(writeSubjectInFull(subject))}, `}${words(startedAt)}, ${words(suite)}: ${verdict}`;
  const writeVerdict = (each: VerdictChange) =>
    `${value(each.id)} ${writeChange(each, (verdict) => VERDICT_WORDS[verdict])} ${words(each.statement)}`;
  const answers = profile.map(
    (each) =>
      `${value(each.id)} ${writeChange(each, (observed) => describeObservation({ observed }))} ${words(each.question)}`,
  );
  return [
    writeHeading(COURSES[comparison.change], 1),
    `${bullet}before: ${writeRun(before)}\n${bullet}after: ${writeRun(after)}`,
    ...nameIncomplete(comparison).map(
      (which) => `${bullet}${which} whole: what it did not ask may look like a change.`,
    ),
    ...(comparison.note === null ? [] : [`${bullet}${words(comparison.note)}`]),
    ...groupChanges(verdicts).flatMap(({ title, changes }) => {
      const ids = changes.map(({ id }) => value(id));
      const folded = [`${ids.length}: ${joinSome(ids, MOST_NAMED)}`];
      return writePart(title, title === TITLES.blocked ? folded : changes.map(writeVerdict));
    }),
    ...writePart('Behaviour profile', answers),
    '',
  ].join('\n\n');
}

/** Returns the beginning of a sentence about the run that did not ask everything; empty if both runs did. */
function nameIncomplete({ before, after }: Comparison): string[] {
  if (before.complete && after.complete) return [];
  if (before.complete) return ['The later run was not'];
  return [after.complete ? 'The earlier run was not' : 'Neither run was'];
}
