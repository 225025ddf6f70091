/**
 * Makes commands in one style. A command is an object of the library commander that describes options and arguments.
 * Parsing, help and the overview of all commands use this description.
 */
import { Command, type CommanderError } from 'commander';
import suite from '../../package.json' with { type: 'json' };
import { printError } from './output/print.ts';
import { describeMistake } from './mistakes.ts';

// If the reader of the output ends early (`| head -1`), the command goes on and ends with its own exit code.
process.stdout.on('error', () => undefined);

type ExitCodes = Readonly<Record<number, string>>;

/** The parts of a command's help that follow its options. */
interface MoreHelp {
  /** Examples, without the name of the command: `--only list-pets`. */
  examples?: readonly string[];
  /** The meaning of each exit code. */
  exits?: ExitCodes;
}

/** The width of a help text, in columns. */
const WIDTH = 100;

/** Makes a command with -h and --help. A mistake is printed in one line and ends with exit code 2. */
export function makeCommand(
  name: string,
  description: string,
  { examples = [], exits = {} }: MoreHelp = {},
): Command {
  const made: Command = new Command(name)
    .description(description)
    .helpOption('-h, --help', 'print this')
    .allowExcessArguments(false)
    .configureOutput({
      // commander's own words about a mistake are dropped: `endAfter` prints one line.
      writeErr: () => undefined,
      getOutHelpWidth: () => WIDTH,
      getOutHasColors: () => false,
    })
    .configureHelp({ commandUsage: (each) => `${spellCall(each)} ${each.usage()}`.trim() })
    .exitOverride((error) => endAfter(made, error));
  return made.addHelpText('after', writeFooter(name, examples, exits));
}

/** Returns the words that call the command, e.g. `animal-store-conformance targets run`. */
function spellCall(each: Command): string {
  const above = each.parent === null ? suite.name : spellCall(each.parent);
  return each.name() === suite.name ? suite.name : `${above} ${each.name()}`;
}

function writeFooter(name: string, examples: readonly string[], exits: ExitCodes): string {
  const codes = Object.entries(exits).map(([code, meaning]) => `  ${code}  ${meaning}`);
  const shown = examples.map((each) => `  ${suite.name} ${name} ${each}`.trimEnd());
  return [
    ...(shown.length === 0 ? [] : ['', 'Examples:', ...shown]),
    ...(codes.length === 0 ? [] : ['', 'Exit codes:', ...codes]),
  ].join('\n');
}

/** Ends the process when commander would: after --help (exit code 0), or after a mistake, which is printed (2). */
function endAfter(made: Command, error: CommanderError): never {
  if (error.exitCode === 0) process.exit(0);
  printError(`${describeMistake(made, error)}\n`);
  process.exit(2);
}
