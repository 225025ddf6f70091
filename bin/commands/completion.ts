import { Argument } from 'commander';
import { makeCommand } from '../command-line/make-command.ts';

/** Shells that have a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** Describes `completion`, which prints a script for a shell. */
export const program = makeCommand(
  'completion',
  'Prints a script by which a shell completes commands, options, their choices and ids of requirements.',
  {
    examples: [
      'bash > ~/.local/share/bash-completion/completions/animal-store-conformance',
      'zsh > ~/.zfunc/_animal-store-conformance',
      'fish > ~/.config/fish/completions/animal-store-conformance.fish',
      'powershell >> $PROFILE',
    ],
    exits: { 0: 'printed', 2: 'there is no script for this shell' },
  },
)
  .summary('print a completion script for bash, zsh, fish or PowerShell')
  .addArgument(new Argument('<shell>', 'bash, zsh, fish or powershell').choices(SHELLS));
