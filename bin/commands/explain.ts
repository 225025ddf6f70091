import { makeCommand } from '../command-line/make-command.ts';

/** Describes `explain`, which prints one entry of the catalogue. */
export const program = makeCommand(
  'explain',
  'Prints all that the project knows of a requirement or an open question: statement, tests and rules with their files, requests that are sent, faults and freedoms.',
  {
    examples: [
      'list-pets.default-limit',
      'list-pets.limit-zero',
      'list-pets.limit --all',
      'list-pets.limit --markdown',
    ],
    exits: { 0: 'printed', 2: 'there is none of that id, or it did not fail' },
  },
)
  .summary('all about one of them')
  .argument('<id>', 'as `list` names it')
  .option('--all', 'every line of each part; only the first six otherwise')
  .option('--json', 'as JSON')
  .option(
    '--markdown [folder]',
    'its failure in the last run as a bug report, of the report.json in the folder (otherwise REPORT_DIR)',
  );
