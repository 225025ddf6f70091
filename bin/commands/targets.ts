import { makeCommand } from '../command-line/make-command.ts';

/** Describes `targets`, which judges many vendors. `runCommand` describes its `targets run`. */
export const program = makeCommand(
  'targets',
  'Judges many vendors, each with its own key and folder. `targets run --help` says how.',
  {
    examples: ['run targets.json', 'run targets.json --parallel 4', '--github-matrix 4'],
    exits: {
      0: 'all conform',
      1: 'at least one does not',
      2: 'not possible as configured',
      3: 'at least one could not be decided',
    },
  },
)
  .summary('judge many vendors')
  .option('--github-matrix <n>', 'print the matrix of n shards for a GitHub workflow, and do nothing else');

/** Describes `targets run`. */
export const runCommand = program
  .command('run')
  .description(
    'Judges the targets of a file. Variables of the suite apply to every target, except the address, the key and what else belongs to one target.',
  )
  .argument('<file>', 'targets.json')
  .option('--out <dir>', 'folder of the folders of the vendors', 'reports/out/vendors')
  .option('--parallel <n>', 'vendors that are judged together', '2')
  .option('--time-limit <seconds>', 'time of one vendor', '900')
  .option('--shard <i/n>', 'judge only this share of the vendors')
  .option('--json', 'print how each ended as JSON, in the end')
  .allowExcessArguments(false);
