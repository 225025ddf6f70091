/**
 * Says each mistake on the command line in one line. A line names flags and never shows values: a value may be the key, and
 * CI logs are kept.
 */
import type { Command, CommanderError } from 'commander';
import { findNearest } from '../../fixtures/settings/nearest-name.ts';

/** Users try to give the key with these flags. The suite has no option for the key: it reads API_KEY or API_KEY_FILE. */
const KEYS = ['--key', '--api-key', '--apikey', '--token', '--bearer'];

/** A sentence for each error code of commander, whose message quotes words of the command line. */
const SENTENCES: Readonly<Record<string, (message: string, command: Command) => string>> = {
  // Only the text before `=` is taken from commander's message: the text after it may be the key.
  'commander.unknownOption': (message, command) =>
    explainUnknown(command, /'([^'=]*)/.exec(message)?.[1] ?? ''),
  'commander.optionMissingArgument': (message) =>
    `${findFlag(message)} needs a value behind it; --help says which.`,
  'commander.missingMandatoryOptionValue': (message, command) => {
    // If the user misspells a required option, commander says that the option is missing.
    const words = process.argv.slice(2).map((word) => word.split('=')[0] ?? '');
    const strange = words.find((word) => word.startsWith('--') && !listFlags(command).includes(word));
    return strange === undefined
      ? `${findFlag(message)} is needed; --help says what for.`
      : explainUnknown(command, strange);
  },
  'commander.missingArgument': (message) =>
    `The ${/'([\w-]+)'/.exec(message)?.[1] ?? 'argument'} is missing; --help says what is expected.`,
  'commander.invalidArgument': (message) =>
    `${findFlag(message)} does not take this value; --help says what it takes.`,
};

/** Says what is wrong, and which option was probably meant. */
export function describeMistake(
  command: Command,
  { code, message }: Pick<CommanderError, 'code' | 'message'>,
): string {
  const sentence = SENTENCES[code];
  if (sentence !== undefined) return sentence(message, command);
  const commands = command.commands.map((each) => each.name());
  if (commands.length > 0) return `A command is expected: ${commands.join(', ')}; --help says more.`;
  // Any other error is commander's `excessArguments`.
  return 'There is a word too many; --help says what is expected.';
}

/** Returns the long flags of a command. `visibleOptions` adds --help, and `command.options` the hidden options. */
function listFlags(command: Command): string[] {
  const options = [...command.createHelp().visibleOptions(command), ...command.options];
  return options.flatMap(({ long }) => long ?? []);
}

function findFlag(message: string): string {
  return /--[a-z-]+/.exec(message)?.[0] ?? 'An option';
}

function explainUnknown(command: Command, flag: string): string {
  if (!/^--?[\w-]{1,60}$/.test(flag)) return 'There is an option that is not known; --help lists all.';
  if (KEYS.includes(flag))
    return `${flag} is not an option, because everybody on the machine would see the key: set API_KEY or API_KEY_FILE, or pipe the key to --api-key-file -.`;
  const meant = findNearest(flag, listFlags(command));
  return `${flag} is not known; ${meant === undefined ? '--help lists all options' : `did you mean ${meant}?`}`;
}
