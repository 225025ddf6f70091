/** Finds the words that may follow on a command line, from the descriptions of the commands. */
import type { Argument, Command, Option } from 'commander';

/** Values of an option or argument: words, or files. Null if they are unknown. */
export type Values = readonly string[] | 'files' | null;

/** One command for completion. */
export interface Words {
  /** The name of the command; for a subcommand, both names. */
  path: readonly string[];
  summary: string;
  options: { flag: string; what: string; takes: Values | 'nothing' }[];
  /** Values of its arguments. */
  argument: Values;
}

const FILES = new Set(['file', 'dir', 'before', 'after', 'attestation', 'dir...', 'after...', 'footprint']);

/**
 * Returns the words of all commands.
 * @param known values of options that are neither files nor choices of the description
 */
export function listWords(
  commands: readonly Command[],
  known: Readonly<Record<string, readonly string[]>>,
): Words[] {
  return commands.flatMap((each) => [
    one(each, [each.name()], known),
    ...each.commands.map((inner) => one(inner, [each.name(), inner.name()], known)),
  ]);
}

function one(
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
      takes: takenBy(each, known),
    })),
    argument: inner.length > 0 ? inner : valuesOf(first, known),
  };
}

function takenBy(option: Option, known: Readonly<Record<string, readonly string[]>>): Values | 'nothing' {
  if (!option.required && !option.optional) return 'nothing';
  if (option.argChoices !== undefined) return option.argChoices;
  const kind = /[<[](.*)[>\]]/.exec(option.flags)?.[1] ?? '';
  return known[option.attributeName()] ?? (FILES.has(kind) ? 'files' : null);
}

function valuesOf(
  argument: Argument | undefined,
  known: Readonly<Record<string, readonly string[]>>,
): Values {
  if (argument === undefined) return null;
  return argument.argChoices ?? known[argument.name()] ?? (FILES.has(argument.name()) ? 'files' : null);
}
