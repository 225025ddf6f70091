/** Mistakes on the command line, in one line each. No line shows a value: it may be the key. */
import type { Command, CommanderError, Option } from 'commander';
import { nearestName } from '../../fixtures/settings/nearest-name.ts';
import { VARIABLES } from '../../fixtures/settings/variables.ts';

/** What a mistake is put into words from. */
interface Mistake {
  command: Command;
  /** Of commander: it quotes what was given. */
  message: string;
  /** The words that were given. */
  argv: readonly string[];
}

/** What people call the key. */
const KEYS = ['--key', '--api-key', '--apikey', '--token', '--bearer'];

/** The sentence for each code of commander. */
const SENTENCES: Readonly<Record<string, (mistake: Mistake) => string>> = {
  // nothing behind the =: it may be the key
  'commander.unknownOption': ({ command, message }) =>
    unknownOption(command, /'([^'=]*)/.exec(message)?.[1] ?? ''),
  'commander.optionMissingArgument': ({ message }) =>
    `${flagIn(message)} needs a value behind it; --help says which.`,
  'commander.missingMandatoryOptionValue': missingOption,
  'commander.missingArgument': ({ message }) =>
    `The ${/'([\w-]+)'/.exec(message)?.[1] ?? 'argument'} is missing; --help says what is expected.`,
  'commander.invalidArgument': ({ command, message }) => unfit(command, message),
};

/** What is wrong, and what was meant. `argv`: the words that were given. */
export function inWords(
  command: Command,
  { code, message }: Pick<CommanderError, 'code' | 'message'>,
  argv: readonly string[] = process.argv.slice(2),
): string {
  const sentence = SENTENCES[code];
  if (sentence !== undefined) return sentence({ command, message, argv });
  const commands = command.commands.map((each) => each.name());
  if (commands.length > 0) return `A command is expected: ${commands.join(', ')}; --help says more.`;
  return 'There is a word too many; --help says what is expected.';
}

/** What an option or an argument takes, as far as it is a choice. */
function unfit(command: Command, message: string): string {
  const flag = /--[a-z-]+/.exec(message)?.[0];
  const option = command.options.find(({ long }) => long === flag);
  const [argument] = command.registeredArguments;
  const choices = (flag === undefined ? argument?.argChoices : option?.argChoices) ?? [];
  const what = flag ?? argument?.name() ?? 'An option';
  if (choices.length === 0) return `${what} does not take this value; --help says what it takes.`;
  return `${what} takes ${choices.join(', ')}, and nothing else.`;
}

/** The long flags of a command. */
function flagsOf(command: Command): string[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .concat(command.options)
    .flatMap(({ long }: Option) => long ?? []);
}

function flagIn(message: string): string {
  return /--[a-z-]+/.exec(message)?.[0] ?? 'An option';
}

/** Where a needed option is misspelt, it is missing too. */
function missingOption({ command, message, argv }: Mistake): string {
  const strange = argv
    .map((word) => word.split('=')[0] ?? '')
    .find((word) => word.startsWith('--') && !flagsOf(command).includes(word));
  return strange === undefined
    ? `${flagIn(message)} is needed; --help says what for.`
    : unknownOption(command, strange);
}

function unknownOption(command: Command, flag: string): string {
  if (!/^--?[\w-]{1,60}$/.test(flag)) return 'There is an option that is not known; --help lists all.';
  if (KEYS.includes(flag))
    return `${flag} is not an option, because everybody on the machine would see the key: set API_KEY or API_KEY_FILE, or pipe the key to --api-key-file -.`;
  const variable = flag.slice(2).toUpperCase().replaceAll('-', '_');
  if (command.name() === 'certify' && VARIABLES.some(({ name }) => name === variable))
    return `${flag} is not an option of certify: set the variable ${variable}.`;
  const meant = nearestName(flag, flagsOf(command));
  return `${flag} is not known; ${meant === undefined ? '--help lists all options' : `did you mean ${meant}?`}`;
}
