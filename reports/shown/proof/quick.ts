/**
 * Says how many faults quick runs find, and after how many requests whole runs fail. A fault is a service that breaks one promise;
 * faults of one promise are one kind, and each kind counts once. A freedom is a permitted oddity. Pure.
 */
import { filterByVerdicts, type Described, type VariantOutcome } from './outcome.ts';

/** The numbers of requests at which a curve has a point. */
const POINTS = [50, 100, 150, 300, 600, 1_600] as const;

/** The share of the kinds of faults that have failed a must within this many requests. */
interface Point {
  requests: number;
  share: number;
}

/** The results of quick runs. */
interface QuickRuns {
  /** The number of faults, and of their kinds. */
  faults: number;
  kinds: number;
  /** The share of the kinds that they find, and the requests of the longest run. */
  share: number;
  requests: number;
  curve: Point[];
  /** Freedoms for which a must failed: its requirements, or words for a failure that no verdict names. */
  flagged: { id: string; base: string; by: string[] }[];
}

/** Returns the results of quick runs; null: none was made. */
export function sumQuickRuns(
  { faults, freedoms }: { faults: readonly Described[]; freedoms: readonly Described[] },
  outcomes: readonly VariantOutcome[],
): QuickRuns | null {
  const quick = outcomes.filter(({ kind }) => kind === 'quick');
  if (quick.length === 0) return null;
  // The outcome of a quick run has the kind of the variant in its id, e.g. `fault list-pets.one-more`.
  const runsOn = (kind: string, { id }: Described) => quick.filter((each) => each.id === `${kind} ${id}`);
  const byKind = groupByKind(faults, (fault) => runsOn('fault', fault));
  const runs = [...byKind.values()].flat();
  return {
    faults: runs.length,
    kinds: byKind.size,
    share: computeShare(byKind, Infinity),
    requests: Math.max(0, ...runs.map(({ requests }) => requests)),
    curve: computeCurve(byKind),
    flagged: freedoms.flatMap((freedom) =>
      runsOn('freedom', freedom).flatMap((run) => {
        const by = findFailures(freedom, run);
        return by.length === 0 ? [] : [{ id: run.id, base: run.base, by }];
      }),
    ),
  };
}

/** Returns the requirements that failed, though the freedom permits the oddity; or when `--fail-fast` ends, though none failed. */
function findFailures({ mayFail = [] }: Described, run: VariantOutcome): string[] {
  const failed = filterByVerdicts(run, 'fail');
  const isEndedForNothing = failed.length === 0 && typeof run.firstFailure === 'number';
  return isEndedForNothing
    ? [`none, but --fail-fast ends after request ${run.firstFailure}`]
    : failed.filter((id) => !mayFail.includes(id));
}

/**
 * Returns how soon default runs fail a must: the curve, and the number of requests after which half of the runs have failed.
 * @param usual the distance of a near service: a round trip in milliseconds
 */
export function findFirstFailures(
  faults: readonly Described[],
  outcomes: readonly VariantOutcome[],
  usual: number,
): { curve: Point[]; median: number | null } {
  const near = outcomes.filter(({ kind, roundTrip }) => kind === 'fault' && roundTrip === usual);
  const byKind = groupByKind(
    faults.filter(({ onlyShould }) => onlyShould !== true),
    ({ id }) => near.filter((each) => each.id === id),
  );
  const first = [...byKind.values()].flat().map(({ firstFailure }) => firstFailure ?? Infinity);
  const median = first.toSorted((one, other) => one - other)[Math.floor(first.length / 2)] ?? Infinity;
  return { curve: computeCurve(byKind), median: Number.isFinite(median) ? median : null };
}

function computeCurve(byKind: ReadonlyMap<string, readonly VariantOutcome[]>): Point[] {
  return POINTS.map((requests) => ({ requests, share: computeShare(byKind, requests) }));
}

/**
 * Returns the share of the kinds that are found with at most `most` requests. A kind counts as the share of its faults that are
 * found, so that a kind with many faults counts no more than others.
 */
function computeShare(byKind: ReadonlyMap<string, readonly VariantOutcome[]>, most: number): number {
  const shares = [...byKind.values()].map((runs) => {
    const found = runs.filter(({ firstFailure }) => (firstFailure ?? Infinity) <= most);
    return found.length / runs.length;
  });
  const sum = shares.reduce((all, each) => all + each, 0);
  return shares.length === 0 ? 0 : Math.round((sum / shares.length) * 1_000) / 1_000;
}

/** Groups the runs on faults by the promise that the fault breaks. */
function groupByKind(
  faults: readonly Described[],
  runsOf: (fault: Described) => readonly VariantOutcome[],
): Map<string, VariantOutcome[]> {
  const groups = new Map<string, VariantOutcome[]>();
  for (const fault of faults) {
    const runs = runsOf(fault);
    const { breaks = '' } = fault;
    if (runs.length > 0) groups.set(breaks, [...(groups.get(breaks) ?? []), ...runs]);
  }
  return groups;
}
