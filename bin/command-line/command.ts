/** How every command of the suite is described: from it come its parsing, its help, the completion of shells and the overview. */
import { Command, type CommanderError } from 'commander';
import suite from '../../package.json' with { type: 'json' };
import { err } from '../output/print.ts';
import { inWords } from './mistakes.ts';

// a reader that has seen enough (`| head -1`) takes nothing from a command: it goes on, and ends with its own exit code
process.stdout.on('error', () => undefined);

/** What the help of a command says besides its options. */
interface MoreHelp {
  /** Words behind the name of the command, as people type them. */
  examples?: readonly string[];
  /** What each exit code means, from 0 on; an empty text is left out. */
  exits?: readonly string[];
}

/** Columns of a help text. */
const WIDTH = 100;

/** A command with -h and --help, whose mistakes are one line and exit code 2. */
export function command(
  name: string,
  description: string,
  { examples = [], exits = [] }: MoreHelp = {},
): Command {
  const made: Command = new Command(name)
    .description(description)
    .helpOption('-h, --help', 'print this')
    .allowExcessArguments(false)
    .configureOutput({
      writeErr: () => undefined,
      getOutHelpWidth: () => WIDTH,
      getOutHasColors: () => false,
    })
    .configureHelp({ commandUsage: (each) => `${called(each)} ${each.usage()}`.trim() })
    .exitOverride((error) => ended(made, error));
  return made.addHelpText('after', footer(name, examples, exits));
}

/** The words by which a command is called. */
function called(each: Command): string {
  const above = each.parent === null ? suite.name : called(each.parent);
  return each.name() === suite.name ? suite.name : `${above} ${each.name()}`;
}

function footer(name: string, examples: readonly string[], exits: readonly string[]): string {
  const codes = exits.flatMap((text, code) => (text === '' ? [] : [`  ${code}  ${text}`]));
  const shown = examples.map((each) => `  ${suite.name} ${name} ${each}`.trimEnd());
  return [
    ...(shown.length === 0 ? [] : ['', 'Examples:', ...shown]),
    ...(codes.length === 0 ? [] : ['', 'Exit codes:', ...codes]),
  ].join('\n');
}

function ended(made: Command, error: CommanderError): never {
  if (error.exitCode === 0) process.exit(0);
  err(`${inWords(made, error)}\n`);
  process.exit(2);
}
