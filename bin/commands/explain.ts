import { command } from '../command-line/command.ts';

/** `explain`: one entry of the catalogue. */
export const program = command(
  'explain',
  'Prints all that the project knows of a requirement or an open question: statement, tests, requests that they send, faults and freedoms.',
  {
    examples: ['list-pets.default-limit', 'list-pets.limit-zero'],
    exits: ['printed', '', 'there is none of that id'],
  },
)
  .summary('all about one of them')
  .argument('<id>', 'as `list` names it')
  .option('--json', 'as JSON');
