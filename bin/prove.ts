#!/usr/bin/env node
/** `npm run prove`: runs the whole suite on every fault and freedom, and says whether it told them apart. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { JUDGED_BY_HISTORY } from '../fixtures/client/eventually.ts';
import { FAULTS } from '../fixtures/implementations/faults/index.ts';
import { FREEDOMS } from '../fixtures/implementations/freedoms/index.ts';
import { REQUIREMENTS, SILENCES, TESTED } from '../fixtures/interface/requirements.ts';
import { killMatrix, type Outcome } from '../reports/proof/kill-matrix.ts';
import { killMatrixPage } from '../reports/proof/kill-matrix-page.ts';
import { command } from './command-line/command.ts';
import { hardVariants, resultsOf } from './prove/harder.ts';
import { attackAll } from './prove/hostile.ts';
import { fileName, NEAR, type Task } from './prove/judge-task.ts';
import { Progress } from './prove/progress.ts';
import { pairsOf, type PairOptions } from './prove/pairs.ts';
import { readSurvivors } from './prove/survivors.ts';
import { judgeAll } from './prove/pool.ts';
import { sampled, SAMPLED_PAIRS } from './prove/sample.ts';
import { collectSuite } from './selection/suite.ts';

const options = command('prove', 'Proves the suite on its faults and freedoms.')
  .option('--only <part>', 'judge only variants whose id contains this; then nothing is proved, only shown')
  .option('--whole', 'judge every fault to the end, not only some')
  .option('--seeds <count>', 'run the properties alone on every freedom, with so many seeds', Number)
  .option('--full', 'judge a thousand pairs of freedoms instead of a sample, drawn anew')
  .option('--pairs <count>', 'judge so many pairs of freedoms', Number)
  .option('--pair-seed <seed>', 'draw them by this seed', Number)
  .option('--pair <a+b>', 'judge this pair alone; then nothing is proved, only shown')
  .option(
    '--hard <battery>',
    'judge hard variants of this battery alone (held, mixed, rare, presence, many), or one by its id; then nothing is proved, only shown',
  )
  .option('--hard-seed <seed>', 'draw hard variants by this seed', Number)
  .option('--sample', 'judge a sample, the same each time, with a fault of each requirement')
  .option('--seed <seed>', 'judge in worlds and with generated input of this seed', Number)
  .option('--round-trip <milliseconds>', 'judge services that are so far away', Number)
  .option('--evidence <folder>', 'leave the evidence of each variant there, a file each')
  .option('--resume', 'take what an earlier proof has judged already from REPORT_DIR')
  .option('--hostile', 'then run the command against every hostile target')
  .parse()
  .opts<
    PairOptions & {
      seeds?: number;
      whole?: boolean;
      hostile?: boolean;
      sample?: boolean;
      hard?: string;
      hardSeed?: number;
      seed?: number;
      roundTrip?: number;
      evidence?: string;
      resume?: boolean;
    }
  >();

const out = (text: string) => void process.stdout.write(`${text}\n`);
/** What is not known is told in one line. */
function orRefused<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return process.exit(2);
  }
}

const begun = Date.now();
/** Whether all variants are judged; else what comes out is only shown. */
const isWhole = options.only === undefined && options.pair === undefined && options.hard === undefined;
const wanted = ({ id }: { id: string }) =>
  isWhole || (options.only !== undefined && id.includes(options.only));
const isSample = options.sample === true;
const stemOf = ({ id }: { id: string }) => id.split('.')[0] ?? id;
const [faults, freedoms] = isSample
  ? [sampled(FAULTS, 'fault', stemOf), sampled(FREEDOMS, 'freedom', stemOf)]
  : [FAULTS.filter(wanted), FREEDOMS.filter(wanted)];
/** Slow freedoms are judged with few seeds only. */
const SLOW_SEEDS = 5;

/** Every so many-th fault is judged to the end, so that what fails beside the broken promise is seen; the others until their promise has failed. */
const WHOLE_EVERY = 24;

/** Faults of a should must cost nothing else, so they are judged to the end. */
const described = faults.map((fault) => ({
  ...fault,
  onlyShould: REQUIREMENTS[fault.breaks]?.level === 'should',
}));

/** What is asked of the pairs; where only some variants are judged, no pair is, unless one is named. */
const pairOptions = isWhole ? options : { ...options, only: options.only ?? '' };
const pairs = pairsOf(isSample ? { pairs: SAMPLED_PAIRS } : pairOptions);
/** How many hard variants are drawn; null: only those that are named. */
function hardExtent(): Parameters<typeof hardVariants>[0]['extent'] {
  if (!isWhole) return null;
  if (isSample) return 'sample';
  return options.full ? 'full' : 'whole';
}
const hard = orRefused(() =>
  hardVariants({
    extent: hardExtent(),
    ...(options.hard === undefined ? {} : { named: options.hard }),
    ...(options.hardSeed === undefined ? {} : { seed: options.hardSeed }),
  }),
);
/** What is the same for all variants. */
const everywhere = {
  roundTrip: options.roundTrip ?? NEAR,
  evidence: options.evidence === undefined ? null : resolve(options.evidence),
};
if (everywhere.evidence !== null) mkdirSync(everywhere.evidence, { recursive: true });
const task =
  (kind: Task['kind'], whole: boolean) =>
  ({ id }: { id: string }): Task => ({
    ...everywhere,
    kind,
    id,
    seed: options.seed ?? 1,
    propertiesOnly: false,
    whole: whole || options.whole === true || !isWhole,
  });
const tasksOfAll = [
  task('freedom', true)({ id: 'reference' }),
  ...described.map((fault, index) => task('fault', fault.onlyShould || index % WHOLE_EVERY === 0)(fault)),
  ...freedoms.map(task('freedom', true)),
  ...hard.variants.map(task('hard', true)),
  ...pairs.judged.map(task('pair', true)),
];
const seeded = freedoms.flatMap(({ id, slow }) =>
  Array.from({ length: Math.min(options.seeds ?? 0, slow ? SLOW_SEEDS : Infinity) }, (_, index): Task => ({
    ...everywhere,
    kind: 'freedom',
    id,
    seed: index + 1,
    propertiesOnly: true,
    whole: false,
  })),
);
const tasks = options.seeds === undefined ? tasksOfAll : seeded;

if (!isWhole && faults.length + freedoms.length + hard.variants.length + pairs.judged.length === 0) {
  process.stderr.write(
    'No fault, freedom, pair or hard variant has this in its id; kill-matrix.html and `npm run explain -- <id>` name them.\n',
  );
  process.exit(2);
}

const TOLD_EVERY = 200;
const folder = resolve(process.env.REPORT_DIR ?? 'reports/out');
const progress = Progress.open(isWhole && !isSample ? folder : null, tasks, {
  resume: options.resume === true,
});
const outcomes: Outcome[] = [...progress.judged];
const unjudged = await judgeAll(progress.left, (task, outcome) => {
  outcomes.push(outcome);
  progress.keep(task, outcome);
  if (outcomes.length % TOLD_EVERY === 0) out(`${outcomes.length} of ${tasks.length} variants judged`);
  if (!isWhole)
    out(
      `${outcome.kind} ${outcome.id} (${outcome.milliseconds} ms, ${outcome.requests} requests${outcome.wrongAnswers === undefined ? '' : `, ${outcome.wrongAnswers} wrong answers`}): ${outcome.verdicts.map(({ id, verdict, why }) => `\n    ${verdict} ${id}: ${why}`).join('') || 'all passed'}`,
    );
});
for (const failure of unjudged) process.stderr.write(`${failure}\n`);
const seconds = Math.round((Date.now() - begun) / 100) / 10;

if (options.seeds !== undefined) {
  const flagged = outcomes
    .map(({ id, verdicts }) => ({
      id,
      odd: verdicts.filter(
        (each) =>
          each.verdict === 'fail' ||
          (each.verdict === 'warn' &&
            !freedoms.some(
              (freedom) => freedom.id === id && freedom.warns?.some((warned) => warned === each.id),
            )),
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
      seeds: options.seeds,
      runs: outcomes.length,
      flagged: flagged.length,
      seconds,
    }),
  );
  process.exitCode = flagged.length === 0 ? 0 : 1;
} else {
  const suite = await collectSuite();
  const verifyingTests = suite
    .filter(({ declared }) => declared.verifies.some((id) => !JUDGED_BY_HISTORY.has(id)))
    .map(({ place }) => `${fileName(place.file)} › ${place.title}`);
  const baseline = outcomes.find(({ id }) => id === 'reference');
  if (baseline === undefined) throw new Error('the reference was not judged');
  const proof = killMatrix(
    {
      faults: described,
      freedoms,
      pairs,
      hard: { seed: hard.seed, results: resultsOf(outcomes) },
      survivors: readSurvivors(),
      requirements: TESTED,
      silences: Object.keys(SILENCES).length,
      verifyingTests,
    },
    outcomes,
    baseline,
    seconds,
  );
  if (pairs.judged.length > 0 && pairs.seed !== null)
    out(`${pairs.judged.length} pairs of freedoms, drawn by --pair-seed ${pairs.seed}`);
  for (const { what, runs, shown, caught, missed } of proof.hard.results)
    out(
      `${caught} of ${shown} runs (of ${runs}) named what they were shown: ${what}, drawn by --hard-seed ${hard.seed}${missed.map((each) => `\n    missed ${each}`).join('')}`,
    );
  if (!isWhole)
    for (const problem of proof.problems.filter((each) => /^(fault|freedom|pair) /.test(each))) out(problem);
  if (isSample) {
    // what only the whole proof can tell is left to it
    const problems = proof.problems.filter(
      (each) => !/ has never failed on any fault$|^requirement \S+ has no fault$/.test(each),
    );
    for (const problem of problems) out(problem);
    process.exitCode = problems.length === 0 ? 0 : 1;
  } else if (isWhole) {
    writeFileSync(join(folder, 'kill-matrix.json'), `${JSON.stringify(proof, null, 2)}\n`);
    writeFileSync(join(folder, 'kill-matrix.html'), killMatrixPage(proof));
    for (const problem of proof.problems) out(problem);
    process.exitCode = proof.problems.length === 0 ? 0 : 1;
  }
  if (options.hostile) {
    const battery = await attackAll(options.only ?? '', out);
    out(JSON.stringify(battery));
    if (battery.failed.length > 0) process.exitCode = 1;
  }
  out(JSON.stringify(proof.figures));
}
if (unjudged.length > 0) process.exitCode = 1;
