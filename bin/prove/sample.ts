/** Of so many variants of a stratum one is in the sample of `npm test`, whose runs are whole; `npm run test:full` judges all. */
const ONE_OF = { fault: 120, freedom: 60 } as const;

/** How many pairs of freedoms are in the sample. */
export const SAMPLED_PAIRS = 2;

/** The same ones at each call, evenly over the order of the catalogue; of each stratum one at least. */
export function sampled<T>(all: readonly T[], kind: 'fault' | 'freedom', stratum: (each: T) => string): T[] {
  return [...grouped(all, stratum).values()].flatMap((some) =>
    some.filter((_, index) => index % ONE_OF[kind] === 0),
  );
}

function grouped<T>(all: readonly T[], stratum: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(stratum(each), [...(groups.get(stratum(each)) ?? []), each]);
  return groups;
}
