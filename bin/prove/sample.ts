/** `npm run test:commands` judges one of 400 faults and one of 150 freedoms, and at least one of each group. `npm run test:full` judges all. */
const ONE_OF = { fault: 400, freedom: 150 } as const;

/** The number of pairs of freedoms in the sample. */
export const SAMPLED_PAIRS = 1;

/**
 * Returns every 400th fault (every 150th freedom) of each group, beginning with the first of the group. The sample is the
 * same at each call.
 * @param stratum returns the group of a variant, e.g. `list-pets`
 */
export function drawSample<T>(
  all: readonly T[],
  kind: 'fault' | 'freedom',
  stratum: (each: T) => string,
): T[] {
  return [...groupBy(all, stratum).values()].flatMap((group) =>
    group.filter((_, index) => index % ONE_OF[kind] === 0),
  );
}

function groupBy<T>(all: readonly T[], stratum: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(stratum(each), [...(groups.get(stratum(each)) ?? []), each]);
  return groups;
}
