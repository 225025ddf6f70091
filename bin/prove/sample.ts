/** The sample of `npm test` has one of this many variants of each group; `npm run test:full` judges all. */
const ONE_OF = { fault: 400, freedom: 150 } as const;

/** The number of pairs of freedoms in the sample. */
export const SAMPLED_PAIRS = 1;

/**
 * Returns the sample: equal at each call, evenly spread over the catalogue, with at least one variant of each
 * group.
 * @param stratum names the group of a variant
 */
export function drawSample<T>(
  all: readonly T[],
  kind: 'fault' | 'freedom',
  stratum: (each: T) => string,
): T[] {
  return [...grouped(all, stratum).values()].flatMap((some) =>
    some.filter((_, index) => index % ONE_OF[kind] === 0),
  );
}

function grouped<T>(all: readonly T[], stratum: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(stratum(each), [...(groups.get(stratum(each)) ?? []), each]);
  return groups;
}
