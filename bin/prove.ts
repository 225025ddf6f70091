#!/usr/bin/env node
/**
 * `npm run prove`: runs the suite on every variant of the reference service. A fault breaks one promise, and a run must name it. A freedom
 * is a permitted oddity, and no run may flag it. A base is one way to build the service: each variant is put on one. Two freedoms in one
 * service are a pair. A hard variant is a fault that is hard to see, e.g. in 1 % of the answers. A quick run sends few requests.
 */
import { Option } from 'commander';
import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SILENCES, TESTED } from '../fixtures/interface/requirements.ts';
import { makeKillMatrix, type KillMatrix, type VariantOutcome } from '../reports/shown/proof/kill-matrix.ts';
import type { Problem } from '../reports/shown/proof/kill-matrix.ts';
import { makeCommand } from './command-line/make-command.ts';
import { ProofBaseline } from './prove/baseline.ts';
import { readSurvivors, type PlanOptions, type ProofScope } from './prove/choose-variants.ts';
import { proveCommand } from './prove/command-proof.ts';
import { sumHardResults } from './prove/harder.ts';
import { attackAll } from './prove/hostile/attack.ts';
import { judgeOthers } from './prove/others/judge-all.ts';
import { ProofProgress } from './prove/progress.ts';
import { isWholeProof, planProof, requireProvable } from './prove/plan-proof.ts';
import { judgeAll } from './prove/pool.ts';
import { printMatrix, printProof, printQuick, printSeeded } from './prove/print-proof.ts';
import { calibrate } from './prove/wire/calibrate.ts';
import { CONDITIONS } from './prove/wire/conditions.ts';
import { takeShard } from './vendors/targets-file.ts';

const options = makeCommand('prove', 'Proves the suite on its faults and freedoms.')
  .option('--only <part>', 'judge only variants whose id contains this; then nothing is proved, only shown')
  .option('--base <name>', 'judge all on this base, if it suits them, not each on the one that is drawn')
  .option('--whole', 'judge every fault to the end, not only some')
  .option('--seeds <count>', 'run the properties alone on every freedom, with so many seeds', Number)
  .option('--full', 'judge two thousand pairs of freedoms and many hard variants, drawn anew, not a sample')
  .option('--pairs <count>', 'judge so many pairs of freedoms', Number)
  .option('--pair-seed <seed>', 'draw them by this seed', Number)
  .option('--pair <a+b>', 'judge this pair alone; then nothing is proved, only shown')
  .option(
    '--hard <battery>',
    'judge hard variants of this battery alone (held, mixed, absent, triggered, history, rare, many), or one by its id; then nothing is proved, only shown',
  )
  .option('--hard-seed <seed>', 'draw hard variants by this seed', Number)
  .option('--sample', 'judge a sample, the same each time, with a fault of each part of the document')
  .option('--seed <seed>', 'judge in worlds and with generated input of this seed', Number)
  .option(
    '--round-trip <milliseconds>',
    'judge services that are so far away; a tenth is judged at 0, 50, 150 and 1200 too',
    Number,
  )
  .addOption(
    new Option('--wire <condition>', 'judge over a wire in this condition').choices(Object.keys(CONDITIONS)),
  )
  .option(
    '--calibrate [seed]',
    'judge a twentieth of the variants, drawn anew or by this seed, over real sockets too; nothing else is proved',
  )
  .option('--evidence <folder>', 'leave the evidence of each variant there, a file each')
  .option(
    '--shard <i/n>',
    'judge the share of one of n machines; nothing is proved until --resume joins all shares',
  )
  .option(
    '--resume',
    'take what an earlier proof, or its shards, have judged already from proof.jsonl in REPORT_DIR',
  )
  .option(
    '--baseline <file>',
    'write what each variant came to, or compare it with a file that an earlier proof wrote',
  )
  .option('--hostile', 'then run the command against every hostile target')
  .option('--others', 'then run it against services of other make with known defects')
  .parse()
  .opts<
    PlanOptions & {
      hostile?: boolean;
      others?: boolean;
      calibrate?: string | true;
      baseline?: string;
    }
  >();

const out = (text: string) => void process.stdout.write(`${text}\n`);
/** Returns the result of `make`. If it throws, an option is wrong: prints the message and ends with exit code 2. */
function refuseIfThrown<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return process.exit(2);
  }
}

if (options.calibrate !== undefined) {
  const seed = options.calibrate === true ? randomInt(2 ** 31) : Number(options.calibrate);
  process.exit((await calibrate(seed, out)) === 0 ? 0 : 1);
}

const begun = Date.now();
const plan = refuseIfThrown(() => planProof(options));
const { scope } = plan;
/** True if all variants are judged, here or by all shards together: then outcomes and result are written to files. */
const isProof = isWholeProof(plan, options);
const tasks = refuseIfThrown(() => {
  requireProvable(plan, options);
  if (options.resume === true && options.baseline !== undefined)
    throw new Error('--baseline compares the outcomes of one proof; leave --resume out');
  return takeShard(plan.tasks, options.shard);
});
if (options.evidence !== undefined) mkdirSync(resolve(options.evidence), { recursive: true });

/** The progress is printed after each 200 variants. */
const SHOWN_EVERY = 200;
/** By scope: kinds of problems that are not printed, because a proof of so few variants always has them. `named`: options name the variants. */
const UNPROVABLE: Record<ProofScope, readonly Problem['kind'][]> = {
  all: [],
  sample: ['requirement'],
  named: ['requirement', 'reference', 'hard'],
};
const folder = resolve(process.env.REPORT_DIR ?? 'reports/out');
const progress = ProofProgress.open(isProof ? folder : null, { resume: options.resume === true });
const baselineFile = options.baseline;
const baseline =
  baselineFile === undefined ? null : refuseIfThrown(() => new ProofBaseline(resolve(baselineFile)));
// With --resume, `known` has the outcomes that an earlier proof has left in proof.jsonl. Only the tasks in `left` are judged.
const { judged: known, left } = progress.findKnown(tasks);
const outcomes: VariantOutcome[] = [...known];
/** Errors of variants that could not be judged. */
const unjudged = await judgeAll(left, (task, outcome) => {
  outcomes.push(outcome);
  progress.keep(task, outcome);
  baseline?.add(task, outcome);
  if (outcomes.length % SHOWN_EVERY === 0) out(`${outcomes.length} of ${tasks.length} variants judged`);
  if (scope === 'named') printProof(outcome);
});
for (const failure of unjudged) process.stderr.write(`${failure}\n`);
for (const line of baseline?.conclude() ?? []) out(line);
// With one decimal: 12,345 ms are 12.3 s.
const seconds = Math.round((Date.now() - begun) / 100) / 10;
if (options.seeds !== undefined) {
  const isClean = printSeeded(plan.freedoms, outcomes, { seeds: options.seeds, seconds });
  process.exitCode = isClean ? 0 : 1;
} else if (options.shard !== undefined) {
  out(
    `Put the lines of all shards into one proof.jsonl; --resume then says what they prove. These are in ${join(folder, 'proof.jsonl')}.`,
  );
  out(JSON.stringify({ shard: options.shard, judged: outcomes.length, of: plan.tasks.length, seconds }));
} else await printResult();
if (unjudged.length > 0) process.exitCode = 1;

/** Joins all outcomes into the result of the proof, which says which faults were found and lists all problems. */
function makeMatrix(): KillMatrix {
  const reference = outcomes.find(({ kind, id }) => kind === 'base' && id === 'reference');
  if (reference === undefined) throw new Error('the reference was not judged');
  const { hard } = plan;
  const { base } = options;
  return makeKillMatrix(
    {
      ...plan,
      hard: { seed: hard.seed, results: sumHardResults(outcomes) },
      survivors: readSurvivors().filter((each) => base === undefined || each.base === base),
      requirements: TESTED,
      silences: Object.keys(SILENCES).length,
    },
    outcomes,
    reference,
    seconds,
  );
}

/** Prints the result. If all variants were judged, writes kill-matrix.json. Then `--hostile` and `--others` run the command. */
async function printResult(): Promise<void> {
  const proof = makeMatrix();
  printMatrix(proof);
  const problems = proof.problems.filter(({ kind }) => !UNPROVABLE[scope].includes(kind));
  if (scope !== 'named' && !printQuick(plan, outcomes)) process.exitCode = 1;
  for (const { text } of problems) out(text);
  if (scope !== 'named' && problems.length > 0) process.exitCode = 1;
  if (isProof) writeFileSync(join(folder, 'kill-matrix.json'), `${JSON.stringify(proof, null, 2)}\n`);
  if (options.hostile) await proveCommand(attackAll, options.only);
  if (options.others) await proveCommand(judgeOthers, options.only);
  out(JSON.stringify(proof.figures));
}
