import { Option } from 'commander';
import { command } from '../command-line/command.ts';

/** `init`: files to begin with. */
export const program = command(
  'init',
  'Writes what a project needs to be judged: a commented .env with every variable and, on request, a workflow for CI. A file that is there is left as it is.',
  {
    examples: ['', '--ci github', '--ci gitlab'],
    exits: ['written, or there already', '', 'a file could not be written'],
  },
)
  .summary('write a commented .env and a CI workflow')
  .addOption(
    new Option('--ci <system>', 'write a workflow too: github or gitlab').choices(['github', 'gitlab']),
  );
