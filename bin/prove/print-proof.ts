/** Prints the results of a proof. */
import { findFirstFailures, sumQuickRuns } from '../../reports/proof/quick.ts';
import type { KillMatrix, VariantOutcome } from '../../reports/proof/kill-matrix.ts';

const out = (text: string) => void process.stdout.write(`${text}\n`);

/** Prints one outcome, if only some variants are judged. */
export function printProof(outcome: VariantOutcome): void {
  const { kind, id, base, roundTrip, milliseconds, requests, wrongAnswers, verdicts } = outcome;
  const wrong = wrongAnswers === undefined ? '' : `, ${wrongAnswers} wrong answers`;
  const said = verdicts.map((each) => `\n    ${each.verdict} ${each.id}: ${each.why}`).join('');
  out(
    `${kind} ${id} on ${base}, ${roundTrip} ms away (${milliseconds} ms, ${requests} requests${wrong}): ${said || 'all passed'}`,
  );
}

/**
 * Prints results that are not problems. A masked fault gave no wrong answer on its base. Distances are round trips to the
 * service.
 */
export function printMatrix({ faults, pairs, hard, distances, firstCauses }: KillMatrix): void {
  for (const { fault, base, breaks, first } of firstCauses.others)
    out(`the report on fault ${fault} on ${base} names ${first} first, not ${breaks}`);
  for (const { id, base } of faults.filter(({ masked }) => masked)) out(`fault ${id} is masked on ${base}`);
  for (const { id, base, named, unnamed } of distances.faults)
    out(`fault ${id} on ${base} is named at ${named.join(', ')} ms, not at ${unnamed.join(', ')} ms`);
  if (pairs.judged > 0 && pairs.seed !== null)
    out(`${pairs.judged} pairs of freedoms, drawn by --pair-seed ${pairs.seed}`);
  for (const { what, runs, shown, caught, missed } of hard.results)
    out(
      `${caught} of ${shown} runs (of ${runs}) named what they were shown: ${what}, drawn by --hard-seed ${hard.seed}${missed.map((each) => `\n    missed ${each}`).join('')}`,
    );
}

/**
 * Prints the share of faults that quick runs find, and after how many requests whole runs fail.
 * @param usual the round trip of most runs, in milliseconds; runs at other distances do not count
 * @returns false if a quick run flagged a freedom
 */
export function printQuick(
  described: Parameters<typeof sumQuickRuns>[0],
  outcomes: readonly VariantOutcome[],
  usual: number,
): boolean {
  const inWords = (curve: readonly { requests: number; share: number }[]) =>
    curve.map(({ requests, share }) => `${requests}: ${(100 * share).toFixed(1)} %`).join(', ');
  const { curve, median } = findFirstFailures(described.faults, outcomes, usual);
  out(
    `first failed must of whole runs, kinds of faults by requests: ${inWords(curve)}; median ${median ?? 'none'}`,
  );
  const quick = sumQuickRuns(described, outcomes);
  if (quick === null) return true;
  out(
    `quick runs on ${quick.faults} faults of ${quick.kinds} kinds that are held back, ${quick.requests} requests at most: ${inWords(quick.curve)}`,
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
  const warns = new Map(freedoms.map((each) => [each.id, each.warns ?? []]));
  const flagged = outcomes
    .map(({ id, verdicts }) => ({
      id,
      odd: verdicts.filter(
        (each) => each.verdict === 'fail' || (each.verdict === 'warn' && !warns.get(id)?.includes(each.id)),
      ),
    }))
    .filter(({ odd }) => odd.length > 0);
  for (const { id, odd } of flagged)
    out(
      `freedom ${id} was flagged: ${odd.map((each) => `${each.verdict} ${each.id} (${each.why})`).join('; ')}`,
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
