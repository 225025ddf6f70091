/**
 * Says how many faults quick runs find. A fault is a service that breaks one promise; faults of one promise are one kind. A freedom is a
 * permitted oddity. A base is the service, without a fault, on which a fault or freedom is put. Pure.
 */
import { filterByVerdicts, type Described, type VariantOutcome } from './outcome.ts';

/** Returns the results of quick runs; null: none was made. */
export function sumQuickRuns(
  { faults, freedoms }: { faults: readonly Described[]; freedoms: readonly Described[] },
  outcomes: readonly VariantOutcome[],
) {
  const quick = outcomes.filter(({ kind }) => kind === 'quick');
  if (quick.length === 0) return null;
  // The id of a quick run begins with the kind of the variant, e.g. `fault list-pets.one-more`.
  const runsOn = (kind: string, { id }: Described) => quick.filter((each) => each.id === `${kind} ${id}`);
  // By the promise that faults of one kind break: the quick runs on these faults.
  const byPromise = new Map<string, VariantOutcome[]>();
  for (const { breaks = '', ...fault } of faults) {
    const ownRuns = runsOn('fault', fault);
    if (ownRuns.length > 0) byPromise.set(breaks, [...(byPromise.get(breaks) ?? []), ...ownRuns]);
  }
  const runs = [...byPromise.values()].flat();
  return {
    /** The number of faults, and of their kinds. */
    faults: runs.length,
    kinds: byPromise.size,
    /** The share of the kinds that quick runs find, from 0 to 1. */
    share: computeShare([...byPromise.values()]),
    /** The requests of the longest run. */
    requests: Math.max(0, ...runs.map(({ requests }) => requests)),
    /** Runs on freedoms in which a must failed. `by`: these musts, or words for a failure that no verdict names. */
    flagged: freedoms.flatMap((freedom) =>
      runsOn('freedom', freedom).flatMap((run) => {
        const by = listWrongFailures(freedom, run);
        return by.length === 0 ? [] : [{ id: run.id, base: run.base, by }];
      }),
    ),
  };
}

/** Returns the requirements that failed and must not; or, if none failed, after which request `--fail-fast` ended the run for nothing. */
function listWrongFailures({ mayFail = [] }: Described, run: VariantOutcome): string[] {
  const failed = filterByVerdicts(run, 'fail');
  const isEndedForNothing = failed.length === 0 && typeof run.firstFailure === 'number';
  return isEndedForNothing
    ? [`none, but --fail-fast ends after request ${run.firstFailure}`]
    : failed.filter((id) => !mayFail.includes(id));
}

/** Returns the share of the kinds that are found. A kind of four faults, of which one is found, counts as a quarter. */
function computeShare(kinds: readonly (readonly VariantOutcome[])[]): number {
  const isFound = ({ firstFailure }: VariantOutcome) => typeof firstFailure === 'number';
  const shares = kinds.map((runs) => runs.filter(isFound).length / runs.length);
  return shares.reduce((all, each) => all + each, 0) / Math.max(1, kinds.length);
}
