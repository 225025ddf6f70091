import { makeCommand } from '../command-line/make-command.ts';

/** Describes `list`, which prints the catalogue. */
export const program = makeCommand(
  'list',
  'Lists requirements with their statement, their level and the number of faults that prove their tests; then open questions, whose answers are observed and held to standards alone.',
  {
    examples: ['', 'list-pets', '--sections', 'errors --json'],
    exits: { 0: 'listed', 2: 'an unknown option, or nothing of that name' },
  },
)
  .summary('requirements and open questions')
  .argument('[part]', 'only those whose id or section contains this')
  .option(
    '--sections',
    'every sentence of the document, in a few words, with its promises, or why there is nothing to test',
  )
  .option('--json', 'as JSON');
