import { makeCommand } from '../command-line/make-command.ts';

/** Describes `merge`, which makes one report of several machines. */
export const program = makeCommand(
  'merge',
  'Makes one report of what the machines of a shared run (`run --shard=i/n`) have left. A shard that is lost makes it inconclusive.',
  {
    examples: ['shard-1 shard-2 shard-3', 'shards --out reports/out'],
    exits: {
      0: 'conforming',
      1: 'nonconforming',
      2: 'the folders are not of one run',
      3: 'inconclusive: a shard is lost, or a promise is undecided',
    },
  },
)
  .summary('make one report of several machines')
  .argument('<dir...>', 'REPORT_DIR of each machine, or a folder of such folders')
  .option('--out <dir>', 'the folder to write to; default: REPORT_DIR, or reports/out')
  .option('--json', 'print verdict, exit code and reason as JSON');
