/** How much quick runs find, and how soon whole runs fail: by the kinds of faults, which are the promises that they break. Pure. */
import type { Described, VariantOutcome } from './outcome.ts';

/** Requests at which the curves are told. */
const TOLD = [50, 100, 150, 300, 600, 1_600] as const;

/** The share of the kinds of faults that have failed a must within so many requests. */
interface Point {
  requests: number;
  share: number;
}

/** The results of quick runs. */
interface QuickRuns {
  /** Faults that are held back, of how many kinds. */
  faults: number;
  kinds: number;
  /** The share of the kinds that they find, and the requests of the longest run. */
  share: number;
  requests: number;
  curve: Point[];
  /** Freedoms for which a must failed. */
  flagged: { id: string; base: string; by: string[] }[];
}

/** Returns the results of quick runs; null: none was made. */
export function sumQuickRuns(
  { faults, freedoms }: { faults: readonly Described[]; freedoms: readonly Described[] },
  outcomes: readonly VariantOutcome[],
): QuickRuns | null {
  const quick = outcomes.filter(({ kind }) => kind === 'quick');
  if (quick.length === 0) return null;
  const of = (kind: string, { id }: Described) => quick.filter((each) => each.id === `${kind} ${id}`);
  const byKind = grouped(faults, (fault) => of('fault', fault));
  const runs = [...byKind.values()].flat();
  return {
    faults: runs.length,
    kinds: byKind.size,
    share: shareWithin(byKind, Infinity),
    requests: Math.max(0, ...runs.map(({ requests }) => requests)),
    curve: curve(byKind),
    flagged: freedoms.flatMap((freedom) =>
      of('freedom', freedom).flatMap(({ id, base, verdicts }) => {
        const failed = verdicts.filter(({ verdict }) => verdict === 'fail').map((each) => each.id);
        const by = failed.filter((each) => freedom.mayFail?.includes(each) !== true);
        return by.length === 0 ? [] : [{ id, base, by }];
      }),
    ),
  };
}

/** How soon default runs fail a must, and after how many requests half of them have. */
export function findFirstFailures(
  faults: readonly Described[],
  outcomes: readonly VariantOutcome[],
  usual: number,
): { curve: Point[]; median: number | null } {
  const near = outcomes.filter(({ kind, roundTrip }) => kind === 'fault' && roundTrip === usual);
  const byKind = grouped(
    faults.filter(({ onlyShould }) => onlyShould !== true),
    ({ id }) => near.filter((each) => each.id === id),
  );
  const first = [...byKind.values()].flat().map(({ firstFailure }) => firstFailure ?? Infinity);
  const median = first.toSorted((one, other) => one - other)[Math.floor(first.length / 2)] ?? Infinity;
  return { curve: curve(byKind), median: Number.isFinite(median) ? median : null };
}

function curve(byKind: ReadonlyMap<string, readonly VariantOutcome[]>): Point[] {
  return TOLD.map((requests) => ({ requests, share: shareWithin(byKind, requests) }));
}

/** A kind counts once: as the share of its faults that are found. */
function shareWithin(byKind: ReadonlyMap<string, readonly VariantOutcome[]>, most: number): number {
  const shares = [...byKind.values()].map((runs) => {
    const found = runs.filter(({ firstFailure }) => (firstFailure ?? Infinity) <= most);
    return found.length / runs.length;
  });
  const sum = shares.reduce((all, each) => all + each, 0);
  return shares.length === 0 ? 0 : Math.round((sum / shares.length) * 1_000) / 1_000;
}

function grouped(
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
