#!/usr/bin/env node
/**
 * `npm run bench`: measures time, CPU and memory of runs on this machine, and prints a table. With `--against COMMIT` it also
 * measures that commit. It exits with 1 if a median of time or CPU is a tenth above the median of the commit.
 */
import { availableParallelism, loadavg } from 'node:os';
import type { Traits } from './bench/bench-target.ts';
import { measureRun, serveTraits, type MeasuredRun } from './bench/measure.ts';
import { checkOut, CLONE } from './bench/work-tree.ts';
import { makeCommand } from './command-line/make-command.ts';

/**
 * `--only` takes the name of a row. With `traits`, a run judges a target in another process: `{ delay: 50 }` answers 50 ms late,
 * `{ others: 5_000 }` holds 5,000 animals of others, `{ violations: 60 }` has 60 faults, and `{}` is the reference. Without `traits`, the
 * run judges the embedded reference.
 */
const ROWS: Record<string, { traits?: Traits; options?: readonly string[] }> = {
  reference: {},
  'away-50': { traits: { delay: 50 } },
  'away-150': { traits: { delay: 150 } },
  others: { traits: { others: 5_000 } },
  broken: { traits: { violations: 60 } },
  quick: { traits: {}, options: ['--quick'] },
  'quick-broken': { traits: { violations: 60 }, options: ['--quick'] },
  part: { options: ['--only', 'list-pets.limit'] },
};
/** The measured figures, with the decimals that the table shows. */
const FIGURES = { seconds: 1, cpu: 1, memory: 0, requests: 0, animals: 0 } as const;
type Figure = keyof typeof FIGURES;
/** The command fails if a median of time or CPU is more than the median of the commit times this factor. */
const MOST_RATIO = 1.1;

const {
  only = Object.keys(ROWS),
  against,
  pairs,
} = makeCommand('bench', `Measures. Rows: ${Object.keys(ROWS).join(', ')}.`)
  .option('--only <row>', 'measure this row alone; repeatable', (row: string, before: string[] = []) => [
    ...before,
    row,
  ])
  .option('--against <commit>', 'measure this commit side by side, in a work tree of its own')
  .option('--pairs <number>', 'how often each row is measured; the medians are shown', '5')
  .parse()
  .opts<{ only?: string[]; against?: string; pairs: string }>();

const mistakes = [
  ...only
    .filter((row) => !(row in ROWS))
    .map((row) => `There is no row ${row}: take ${Object.keys(ROWS).join(', ')}.`),
  ...(/^[1-9]\d?$/.test(pairs) ? [] : ['--pairs is a number from 1 to 99.']),
];
if (mistakes.length > 0) refuse(mistakes);
const otherTree = against === undefined ? null : checkOut(against);
if (otherTree !== null && 'problem' in otherTree) refuse([otherTree.problem]);
try {
  await measureRows(otherTree?.folder ?? null);
} finally {
  otherTree?.remove();
}

function refuse(lines: readonly string[]): never {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exit(2);
}

/** @param otherClone the clone to compare with; null: none */
async function measureRows(otherClone: string | null): Promise<void> {
  const out = (text: string) => void process.stdout.write(`${text}\n`);
  const load = (loadavg()[0] ?? 0).toFixed(1);
  out(`Node ${process.versions.node}, ${availableParallelism()} cores, load ${load} at the beginning\n`);
  out(`| row | figure | median | ${against ?? 'before'} | ratio |\n|---|---|---|---|---|`);
  for (const name of only) {
    const [ownRuns, otherRuns] = await measureRow(ROWS[name] ?? {}, otherClone);
    for (const [figure, decimals] of Object.entries(FIGURES) as [Figure, number][]) {
      const [own, other] = [findMedian(ownRuns, figure), findMedian(otherRuns, figure)];
      const ratio = own / other;
      const comparison = Number.isNaN(other) ? ['', ''] : [other.toFixed(decimals), ratio.toFixed(2)];
      out(`| ${[name, figure, own.toFixed(decimals), ...comparison].join(' | ')} |`);
      if (['seconds', 'cpu'].includes(figure) && ratio > MOST_RATIO) process.exitCode = 1;
    }
  }
}

/**
 * Measures a row `--pairs` times on this clone, and as often on the other clone if there is one.
 * @returns the runs of this clone, then the runs of the other clone
 */
async function measureRow(
  { traits, options = [] }: { traits?: Traits; options?: readonly string[] },
  otherClone: string | null,
): Promise<[MeasuredRun[], MeasuredRun[]]> {
  const own = { clone: CLONE, runs: [] as MeasuredRun[] };
  const other = { clone: otherClone, runs: [] as MeasuredRun[] };
  for (let pair = 0; pair < Number(pairs); pair += 1) {
    // This clone runs first in pairs 0, 2, 4 and so on, and second in pairs 1, 3, 5.
    for (const { clone, runs } of pair % 2 === 0 ? [own, other] : [other, own]) {
      if (clone === null) continue;
      // Each run has a target of its own, because a run leaves animals in the store.
      const run =
        traits === undefined
          ? await measureRun(clone, null, options)
          : await serveTraits(traits, (target) => measureRun(clone, target, options));
      runs.push(run);
    }
  }
  return [own.runs, other.runs];
}

/** Returns the median of a figure; NaN if there are no runs. */
function findMedian(runs: readonly MeasuredRun[], figure: Figure): number {
  const values = runs.map((run) => run[figure]).toSorted((one, other) => one - other);
  return values[Math.floor(values.length / 2)] ?? NaN;
}
