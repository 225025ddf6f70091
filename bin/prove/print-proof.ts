/**
 * Prints the results of a proof. A variant is a fault or a freedom. It is put on a base: a service built in a certain way. A hard
 * variant is a fault that is hard to see, e.g. in 1 % of the answers.
 */
import { sumQuickRuns } from '../../reports/shown/proof/quick.ts';
import type { KillMatrix, VariantOutcome } from '../../reports/shown/proof/kill-matrix.ts';

const out = (text: string) => void process.stdout.write(`${text}\n`);

/** Prints the outcome of one variant: the promises that did not pass, and why. */
export function printProof(outcome: VariantOutcome): void {
  const { kind, id, base, roundTrip, milliseconds, requests, wrongAnswers, verdicts } = outcome;
  const wrong = wrongAnswers === undefined ? '' : `, ${wrongAnswers} wrong answers`;
  const notPassed = verdicts.map((each) => `\n    ${each.verdict} ${each.id}: ${each.why}`).join('');
  out(
    `${kind} ${id} on ${base}, ${roundTrip} ms away (${milliseconds} ms, ${requests} requests${wrong}): ${notPassed || 'all passed'}`,
  );
}

/**
 * Prints results that are not problems. `firstCauses.others`: faults whose report begins with another promise than the broken one.
 * A masked fault gave no wrong answer on its base. `distances`: a fault may be named at a round trip of 0 ms and not at 1200 ms.
 */
export function printMatrix({ faults, pairs, hard, distances, firstCauses }: KillMatrix): void {
  for (const { fault, base, breaks, first } of firstCauses.others)
    out(`the report on fault ${fault} on ${base} names ${first} first, not ${breaks}`);
  for (const { id, base } of faults.filter(({ masked }) => masked)) out(`fault ${id} is masked on ${base}`);
  for (const { id, base, named, unnamed } of distances.faults)
    out(`fault ${id} on ${base} is named at ${named.join(', ')} ms, not at ${unnamed.join(', ')} ms`);
  if (pairs.judged > 0 && pairs.seed !== null)
    out(`${pairs.judged} pairs of freedoms, drawn by --pair-seed ${pairs.seed}`);
  // `shown` counts the runs that got a wrong answer, or may have got a wrong answer. Only these runs could name the fault.
  for (const { what, runs, shown, caught, missed } of hard.results) {
    out(
      `${caught} of ${shown} runs (of ${runs}) named what they were shown: ${what}, drawn by --hard-seed ${hard.seed}`,
    );
    for (const each of missed) out(`    missed ${each}`);
  }
}

/**
 * Prints the share of faults that quick runs find. A kind is all faults of one promise. Faults are held back if `bin/order.ts` did
 * not use them when it chose the cases of quick runs.
 * @returns false if a quick run flagged a freedom
 */
export function printQuick(
  catalogue: Parameters<typeof sumQuickRuns>[0],
  outcomes: readonly VariantOutcome[],
): boolean {
  const quick = sumQuickRuns(catalogue, outcomes);
  if (quick === null) return true;
  out(
    `quick runs on ${quick.faults} faults of ${quick.kinds} kinds that are held back, ${quick.requests} requests at most: ${(100 * quick.share).toFixed(1)} % found`,
  );
  for (const { id, base, by } of quick.flagged)
    out(`${id} on ${base} was flagged by a quick run: ${by.join(', ')}`);
  return quick.flagged.length === 0;
}

/**
 * Prints the results of `--seeds`: only tests with generated input ran, on every freedom, with many seeds.
 * @returns true if no freedom was flagged
 */
export function printSeeded(
  freedoms: readonly { id: string; warns?: readonly string[] }[],
  outcomes: readonly VariantOutcome[],
  { seeds, seconds }: { seeds: number; seconds: number },
): boolean {
  // A freedom may break a should (`warns`). Then its warnings are right. A failure is never right.
  const allowedWarnings = new Map(freedoms.map((each) => [each.id, each.warns ?? []]));
  const findUnexpected = ({ id, verdicts }: VariantOutcome) => {
    const allowed = allowedWarnings.get(id) ?? [];
    return verdicts.filter(
      (each) => each.verdict === 'fail' || (each.verdict === 'warn' && !allowed.includes(each.id)),
    );
  };
  const flagged = outcomes
    .map((outcome) => ({ id: outcome.id, unexpected: findUnexpected(outcome) }))
    .filter(({ unexpected }) => unexpected.length > 0);
  for (const { id, unexpected } of flagged)
    out(
      `freedom ${id} was flagged: ${unexpected.map((each) => `${each.verdict} ${each.id} (${each.why})`).join('; ')}`,
    );
  out(
    JSON.stringify({
      freedoms: freedoms.length,
      seeds,
      runs: outcomes.length,
      flagged: flagged.length,
      seconds,
    }),
  );
  return flagged.length === 0;
}
