import { Command } from 'commander';

// a reader that has seen enough (`| head -1`) takes nothing from a command: it goes on, and ends with its own exit code
process.stdout.on('error', () => undefined);

/** A command with --help and -h, whose mistakes are one line and exit code 2. */
export function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .allowExcessArguments(false)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
}
