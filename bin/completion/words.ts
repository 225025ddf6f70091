/** Finds the words that may follow on a command line, from the descriptions of the commands. */
import type { Argument, Command, Option } from 'commander';

/** The values that a shell offers for an option or argument: words, or files. Null: nothing is offered. */
export type Values = readonly string[] | 'files' | null;

/** One command, with everything that a shell completes. */
export interface Words {
  /** The name of the command; for a subcommand, both names. */
  path: readonly string[];
  summary: string;
  /** `takes`: the values of the option; `nothing`: it has no value. */
  options: { flag: string; what: string; takes: Values | 'nothing' }[];
  /** The values of its arguments. */
  argument: Values;
}

/** Names of values that are files or folders: `--out <dir>`. */
const FILES = new Set(['file', 'dir', 'before', 'after', 'attestation', 'dir...', 'after...', 'footprint']);

/**
 * Returns the words of all commands and subcommands.
 * @param known further values, by the name of the option or argument: ids of requirements
 */
export function listWords(
  commands: readonly Command[],
  known: Readonly<Record<string, readonly string[]>>,
): Words[] {
  return commands.flatMap((each) => [
    listWordsOf(each, [each.name()], known),
    ...each.commands.map((inner) => listWordsOf(inner, [each.name(), inner.name()], known)),
  ]);
}

function listWordsOf(
  command: Command,
  path: readonly string[],
  known: Readonly<Record<string, readonly string[]>>,
): Words {
  const options = [
    ...command.options,
    ...command
      .createHelp()
      .visibleOptions(command)
      .filter(({ long }) => long === '--help'),
  ];
  const inner = command.commands.map((each) => each.name());
  const [first] = command.registeredArguments;
  return {
    path,
    summary: command.summary() || command.description(),
    options: options.map((each) => ({
      flag: each.long ?? '',
      what: each.description,
      takes: listValues(each, known),
    })),
    argument: inner.length > 0 ? inner : listKnownValues(first, known),
  };
}

/** Returns the values of an option: its choices, the known values, or files, by the placeholder in its flags. */
function listValues(option: Option, known: Readonly<Record<string, readonly string[]>>): Values | 'nothing' {
  if (!option.required && !option.optional) return 'nothing';
  if (option.argChoices !== undefined) return option.argChoices;
  const kind = /[<[](.*)[>\]]/.exec(option.flags)?.[1] ?? '';
  return known[option.attributeName()] ?? (FILES.has(kind) ? 'files' : null);
}

function listKnownValues(
  argument: Argument | undefined,
  known: Readonly<Record<string, readonly string[]>>,
): Values {
  if (argument === undefined) return null;
  return argument.argChoices ?? known[argument.name()] ?? (FILES.has(argument.name()) ? 'files' : null);
}
