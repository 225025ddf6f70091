/** What changed between two reports. Pure. */
import type { Operation } from '../../fixtures/exchange/exchange.ts';
import type { Report, Verdict } from '../document/report.ts';
import { judgedDifferently } from '../document/versions.ts';

/** One thing that is not the same in both runs; null where a run does not know it. */
export interface Change<T> {
  id: string;
  before: T | null;
  after: T | null;
}

/** What names a run in a comparison. */
export interface Run {
  target: string;
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

/** What changed between two runs. */
export interface Comparison {
  before: Run;
  after: Run;
  /** Verdicts and behaviour profile are the same; latency alone makes no difference. */
  equal: boolean;
  /** Why verdicts can differ though the target does not: the suite itself was another. Null where it was not. */
  note: string | null;
  /** Requirements with another verdict; with a null, one of the suites does not have the requirement. */
  verdicts: (Change<Verdict> & { statement: string })[];
  /** Open questions with another answer. */
  profile: (Change<string> & { question: string })[];
  /** Error codes that only one of the runs has seen. */
  codes: { gone: string[]; added: string[] };
  /** Every operation that either run has timed. */
  latency: (Change<Latency> & { id: Operation })[];
}

/** Compares two reports, of one target at two times or of two targets. */
export function compare(before: Report, after: Report): Comparison {
  const verdicts = changes(before.requirements, after.requirements, ({ verdict }) => verdict).map(
    (change) => ({
      ...change,
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
  return {
    before: run(before),
    after: run(after),
    note: judgedDifferently([before, after]),
    equal: before.verdict === after.verdict && verdicts.length === 0 && profile.length === 0,
    verdicts,
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

/** From the best to the worst; what does not apply and what is excused is neither. */
const RANKS: readonly Verdict[] = ['pass', 'warn', 'inconclusive', 'fail'];

/** A requirement that was better off before. */
export function isWorse(change: Change<Verdict>): boolean {
  return step(change) > 0;
}

/** A requirement that was worse off before. */
export function isBetter(change: Change<Verdict>): boolean {
  return step(change) < 0;
}

function step({ before, after }: Change<Verdict>): number {
  const [from, to] = [before, after].map((each) => (each === null ? -1 : RANKS.indexOf(each)));
  return from === undefined || to === undefined || from < 0 || to < 0 ? 0 : to - from;
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
