import { InvalidArgumentError, Option } from 'commander';
import { makeCommand } from '../command-line/make-command.ts';

/** Describes `init`, which writes files for a new project. */
export const program = makeCommand(
  'init',
  'Writes what a project needs to be judged: a commented .env with every variable and, on request, a workflow for CI. A file that is there is left as it is.',
  {
    examples: ['', '--ci github', '--ci gitlab --package ./vendor/animal-store-conformance-0.1.0.tgz'],
    exits: { 0: 'written, or there already', 2: 'a file could not be written' },
  },
)
  .summary('write a commented .env and a CI workflow')
  .addOption(
    new Option('--ci <system>', 'write a workflow too: github or gitlab').choices(['github', 'gitlab']),
  )
  .addOption(
    new Option(
      '--package <what>',
      'what npx runs there: a package with its version, or a file that `npm pack` made; the default is this version',
    ).argParser(readPackage),
  );

/** @throws InvalidArgumentError if the text is not one word of a shell in YAML */
function readPackage(what: string): string {
  if (/^[\w@.][\w@./-]*$/.test(what)) return what;
  throw new InvalidArgumentError('');
}
