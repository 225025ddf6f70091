import suite from '../../package.json' with { type: 'json' };
import { loadCommands } from './all.ts';

/** Returns the help of the whole suite: all commands on one screen. */
export async function writeOverview(): Promise<string> {
  const groups = await loadCommands();
  const width = Math.max(...groups.flatMap(([, commands]) => commands.map((each) => each.name().length)));
  const lines = groups.flatMap(([group, commands]) => [
    '',
    `${group}:`,
    ...commands.map((each) => `  ${each.name().padEnd(width)}  ${each.summary()}`),
  ]);
  return `${[
    `Usage: ${suite.name} [command] [options]`,
    '',
    'Judges an implementation of the animal store interface over HTTP, requirement by requirement.',
    ...lines,
    '',
    'Examples:',
    `  ${suite.name} --base-url https://staging.example.org/v1 --api-key-file key.txt`,
    `  ${suite.name} explain list-pets.default-limit`,
    '',
    'Without a command it judges. `help <command>` and `<command> --help` explain one; --version prints the version.',
  ].join('\n')}\n`;
}
