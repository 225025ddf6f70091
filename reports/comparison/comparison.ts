/** What changed between two reports. Pure. */
import type { Operation } from '../../fixtures/exchange/exchange.ts';
import { failuresOf } from '../document/causes.ts';
import { blockersOn } from '../words/blocked.ts';
import type { EarlierRun, Report, Verdict } from '../document/report.ts';
import type { Subject } from '../../fixtures/settings/subject.ts';
import { judgedDifferently } from '../document/versions.ts';

/** One thing that is not the same in both runs; null if a run does not know it. */
export interface Change<T> {
  id: string;
  before: T | null;
  after: T | null;
}

/** What names a run in a comparison. */
export interface Run {
  target: string;
  /** What was judged, or null. */
  subject: Subject | null;
  startedAt: string;
  suite: string;
  verdict: Report['verdict'];
  /** Every test of the suite ran to its end. */
  complete: boolean;
}

/** Median and 95th percentile in milliseconds. */
export interface Latency {
  p50: number;
  p95: number;
}

/** A requirement with another verdict; with a null, one of the suites does not have it. `because`: the broken promises that alone keep it undecided now. */
interface VerdictChange extends Change<Verdict> {
  statement: string;
  because: readonly string[];
  /** The later run left out some of its cases, or all. */
  isInPart: boolean;
}

/** Verdicts of earlier runs that are shown. */
const LAST = 10;

/**
 * What a comparison comes to: `worse` if anything is worse, `better` if something is better and nothing worse; `different` if
 * only the profile changed, or verdicts that are neither.
 */
export type Course = 'equal' | 'better' | 'worse' | 'different';

/** What changed between two runs. */
export interface Comparison {
  before: Run;
  after: Run;
  /** Verdicts and behaviour profile are the same; latency alone makes no difference. */
  equal: boolean;
  change: Course;
  /** Why verdicts can differ though the target does not: the suite itself was another. Null if it was not. */
  note: string | null;
  /** What fails now comes first, in the order of its causes. */
  verdicts: VerdictChange[];
  /** The last verdicts on the target, in time, as far as reports are given. */
  history: EarlierRun[];
  /** Open questions with another answer. */
  profile: (Change<string> & { question: string })[];
  /** Error codes that only one of the runs has seen. */
  codes: { gone: string[]; added: string[] };
  /** Every operation that either run has timed. */
  latency: (Change<Latency> & { id: Operation })[];
}

/** Compares two reports, of one target at two times or of two targets. */
export function compare(before: Report, after: Report, all: readonly Report[] = []): Comparison {
  const order = failuresOf(after).flatMap((cause) => cause.map(({ id }) => id));
  const place = ({ id }: { id: string }) => (order.includes(id) ? order.indexOf(id) : order.length);
  const verdicts = changes(before.requirements, after.requirements, ({ verdict }) => verdict).map(
    (change) => ({
      ...change,
      because: becauseOf(after, change.id),
      isInPart: leavesOut(after, change.id),
      statement: textOf(
        [...after.requirements, ...before.requirements],
        change.id,
        ({ statement }) => statement,
      ),
    }),
  );
  const profile = changes(before.observations, after.observations, ({ observed }) => observed).map(
    (change) => ({
      ...change,
      question: textOf(
        [...after.observations, ...before.observations],
        change.id,
        ({ question }) => question,
      ),
    }),
  );
  const operations = [
    ...new Set([...Object.keys(before.timings), ...Object.keys(after.timings)]),
  ] as Operation[];
  const equal = before.verdict === after.verdict && verdicts.length === 0 && profile.length === 0;
  return {
    before: run(before),
    after: run(after),
    note: judgedDifferently([before, after]),
    equal,
    change: equal ? 'equal' : courseOf(verdicts, before, after),
    verdicts: verdicts.toSorted((left, right) => place(left) - place(right)),
    history: historyOf(all),
    profile,
    codes: {
      gone: missing(codesOf(before), codesOf(after)),
      added: missing(codesOf(after), codesOf(before)),
    },
    latency: operations.map((id) => ({
      id,
      before: before.timings[id] ?? null,
      after: after.timings[id] ?? null,
    })),
  };
}

function courseOf(verdicts: readonly VerdictChange[], before: Report, after: Report): Course {
  const whole = stepOf(WHOLE, before.verdict, after.verdict);
  if (whole > 0 || verdicts.some(isWorse)) return 'worse';
  // what failed and was not asked again, or not in full, is no better for it
  if (verdicts.some((each) => each.before === 'fail' && each.isInPart)) return 'different';
  return whole < 0 || verdicts.some(isBetter) ? 'better' : 'different';
}

/** Each run once, with what the reports say of the runs before them. */
function historyOf(reports: readonly Report[]): EarlierRun[] {
  const runs = reports.flatMap(({ run: { earlier = [], startedAt }, verdict }) => [
    ...earlier,
    { startedAt, verdict },
  ]);
  return [...new Map(runs.map((each) => [each.startedAt, each])).values()]
    .toSorted((one, other) => one.startedAt.localeCompare(other.startedAt))
    .slice(-LAST);
}

function becauseOf(report: Report, id: string): readonly string[] {
  const result = report.requirements.find((each) => each.id === id);
  return result === undefined ? [] : blockersOn(report, result);
}

function leavesOut({ requirements }: Report, id: string): boolean {
  return requirements.some((each) => each.id === id && (each.partial != null || each.cause?.kind === 'tact'));
}

/** Changes by what they mean to a reader, the worst first. */
export function groupsOf(
  verdicts: readonly VerdictChange[],
): { title: string; isFolded: boolean; changes: VerdictChange[] }[] {
  const titleOf = (each: VerdictChange) => {
    if (isBetter(each) && !each.isInPart) return TITLES.better;
    if (!isWorse(each)) return TITLES.other;
    if (each.after === 'fail') return TITLES.fails;
    if (each.after === 'warn') return TITLES.warns;
    return each.because.length > 0 ? TITLES.blocked : TITLES.undecided;
  };
  return Object.values(TITLES)
    .map((title) => ({
      title,
      isFolded: title === TITLES.blocked,
      changes: verdicts.filter((each) => titleOf(each) === title),
    }))
    .filter(({ changes: some }) => some.length > 0);
}

/** In this order. */
const TITLES = {
  fails: 'Fails now',
  blocked: 'Undecided because of what fails',
  warns: 'Warns now',
  undecided: 'Undecided now',
  better: 'Better than before',
  other: 'Other verdicts',
} as const;

/** From the best to the worst; what does not apply and what is excused is neither. */
const RANKS: readonly Verdict[] = ['pass', 'warn', 'inconclusive', 'fail'];
/** Verdicts on a target, from the best to the worst; any other is neither. */
const WHOLE: readonly Report['verdict'][] = ['conforming', 'inconclusive', 'nonconforming'];

/** A requirement that was better off before. */
export function isWorse({ before, after }: Change<Verdict>): boolean {
  return stepOf(RANKS, before, after) > 0;
}

/** A requirement that was worse off before. */
export function isBetter({ before, after }: Change<Verdict>): boolean {
  return stepOf(RANKS, before, after) < 0;
}

/** How far it went down; 0 if that cannot be said. What is not decided any more is no better than what failed. */
function stepOf<T>(ranks: readonly T[], before: T | null, after: T | null): number {
  const [from, to] = [before, after].map((each) => (each === null ? -1 : ranks.indexOf(each)));
  if (from === undefined || to === undefined || from < 0 || to < 0) return 0;
  return to < from && after === 'inconclusive' ? 0 : to - from;
}

/** What differs between two lists of results, in the order of the later one; what only the former one has comes last. */
export function changes<T extends { id: string }, V>(
  before: readonly T[],
  after: readonly T[],
  valueOf: (item: T) => V,
): Change<V>[] {
  const former = new Map(before.map((each) => [each.id, valueOf(each)]));
  const latter = new Map(after.map((each) => [each.id, valueOf(each)]));
  return [...new Set([...latter.keys(), ...former.keys()])]
    .map((id) => ({ id, before: former.get(id) ?? null, after: latter.get(id) ?? null }))
    .filter((change) => change.before !== change.after);
}

function run({ target, run: { startedAt, complete, only }, suite, verdict }: Report): Run {
  return {
    target: target.baseUrl,
    subject: target.subject ?? null,
    startedAt,
    suite: `${suite.name} ${suite.version}`,
    verdict,
    complete: complete && only.length === 0,
  };
}

function textOf<T extends { id: string }>(
  items: readonly T[],
  id: string,
  text: (item: T) => string,
): string {
  const item = items.find((each) => each.id === id);
  return item === undefined ? '' : text(item);
}

function codesOf({ observations }: Report): string[] {
  return (observations.find(({ id }) => id === 'errors.codes')?.observed ?? '')
    .split(/[,\s]+/)
    .filter((code) => code !== '');
}

function missing(from: readonly string[], other: readonly string[]): string[] {
  return from.filter((code) => !other.includes(code));
}
