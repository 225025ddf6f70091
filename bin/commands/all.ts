/**
 * All commands by name, in the order of the overview. A description tells options, arguments and help of a command; it is
 * loaded only when it is needed.
 */
import type { Command } from 'commander';
import { printText } from '../command-line/output/print.ts';

type Loaded = Promise<{ program: Command }>;

/** Loads the description of each command, by group. */
const GROUPS: Record<string, Record<string, () => Loaded>> = {
  'Judge a service': {
    run: async () => {
      const { describeRun } = await import('../command-line/options.ts');
      return { program: describeRun(printText) };
    },
    list: () => import('./list.ts'),
    explain: () => import('./explain.ts'),
    compare: () => import('./compare.ts'),
    judge: () => import('./judge.ts'),
    report: () => import('./report.ts'),
    reference: () => import('./reference.ts'),
  },
  Certificates: {
    certify: () => import('./certify.ts'),
    verify: () => import('./verify.ts'),
    revoke: () => import('./revoke.ts'),
    keygen: () => import('./keygen.ts'),
  },
  'Many vendors': {
    targets: () => import('./targets.ts'),
    matrix: () => import('./matrix.ts'),
  },
};

/** The names of all commands. */
export const COMMAND_NAMES: readonly string[] = Object.values(GROUPS).flatMap((each) => Object.keys(each));

/** Returns the descriptions of all commands, by group. */
export async function loadCommands(): Promise<[group: string, commands: Command[]][]> {
  return Promise.all(
    Object.entries(GROUPS).map(async ([group, each]): Promise<[string, Command[]]> => [
      group,
      (await Promise.all(Object.values(each).map((load) => load()))).map(({ program }) => program),
    ]),
  );
}

/** Returns the description of the command with this name. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  const load = Object.values(GROUPS).find((each) => Object.hasOwn(each, name))?.[name];
  return load === undefined ? undefined : (await load()).program;
}
