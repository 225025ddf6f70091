import { powerShellWord, shellWord } from './escape.ts';
import type { Report, RequirementResult } from '../document/report.ts';

/** How the suite is started: the command up to its options, the variables that make it ask the same of the same target, and the options that say where the key and the reports are. */
export interface Start {
  command: string;
  variables: Record<string, string>;
  options?: Record<string, string>;
}

/** In a clone, with whatever variables are set there. */
export const IN_A_CLONE: Start = { command: 'npm run conformance --', variables: {} };

/** The same if the suite is installed. */
export const INSTALLED = 'npx animal-store-conformance';

/** The variables that a command may set. A report is a file of somebody: a command that is pasted takes only values from it. */
export const REPEATED = [
  'BASE_URL',
  'TARGET_ENV',
  'CATEGORY_IDS',
  'MODE',
  'ALLOW_WRITES',
  'SEED',
  'PROPERTY_RUNS',
  'AS_OF',
  'STRICT',
  'MAX_ANIMALS',
] as const;

/** The options that a command may name besides: where the key and the reports are. */
const PATHS = ['--api-key-file', '--report-dir'] as const;

/** How the run of this report is started again. The key is never part of it: it stays where it was, in API_KEY or in a file. */
export function startOf({ suite, run, target }: Pick<Report, 'suite' | 'run' | 'target'>): Start {
  const variables = run.variables ?? (target.embedded ? {} : { BASE_URL: target.baseUrl });
  const command = suite.command === INSTALLED ? INSTALLED : IN_A_CLONE.command;
  return { command, variables: valuesOf(REPEATED, variables), options: valuesOf(PATHS, run.options ?? {}) };
}

/** The file that the run had its key from, if it was one. */
export function keyFileOf({ run }: Pick<Report, 'run'>): string | undefined {
  return run.options?.['--api-key-file'];
}

function valuesOf(
  names: readonly string[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name] ?? '']] : [])),
  );
}

/** The command that judges everything again. */
export function wholeCommand(start: Start): string {
  return started(start, '').replace(/ -- $| $/, '');
}

/** The command that judges just these requirements again. */
export function onlyCommand(start: Start, ...ids: string[]): string {
  return started(start, optionsIn(onlyOf(ids), shellWord));
}

/** The command that judges what failed last, again and again. */
export function watchCommand(start: Start): string {
  return started(start, '--watch');
}

/** The command that replays a counterexample. */
export function replayCommand(start: Start, token: string): string {
  return started(start, optionsIn([['--replay', token]], shellWord));
}

/** A command that asks again: whole requirements, or one counterexample. `powerShell`: the same for PowerShell. */
interface Again {
  what: 'requirement' | 'counterexample';
  command: string;
  powerShell: string;
}

type Flag = readonly [flag: string, value: string];

/** Every command that runs these requirements again, the narrowest last. */
export function commandsFor(
  start: Start,
  ...results: readonly Pick<RequirementResult, 'id' | 'replay'>[]
): Again[] {
  const tokens = new Set(results.flatMap(({ replay }) => replay ?? []));
  return [
    {
      what: 'requirement',
      command: onlyCommand(start, ...results.map(({ id }) => id)),
      powerShell: inPowerShell(start, onlyOf(results.map(({ id }) => id))),
    },
    ...[...tokens].map((token): Again => ({
      what: 'counterexample',
      command: replayCommand(start, token),
      powerShell: inPowerShell(start, [['--replay', token]]),
    })),
  ];
}

function onlyOf(ids: readonly string[]): Flag[] {
  return ids.map((id) => ['--only', id]);
}

function optionsIn(flags: readonly Flag[], word: (text: string) => string): string {
  return flags.map(([flag, value]) => `${flag} ${word(value)}`).join(' ');
}

/** The variables are options here: PowerShell cannot set a variable for one command. npm gets its `--` only in quotation marks. */
function inPowerShell({ command, variables, options = {} }: Start, flags: readonly Flag[]): string {
  const set = Object.entries(variables).map(([name, value]): Flag => [
    `--${name.toLowerCase().replaceAll('_', '-')}`,
    value,
  ]);
  const all = [...set, ...flags, ...Object.entries(options)];
  return `${command.replace(/ --$/, " '--'")} ${optionsIn(all, powerShellWord)}`;
}

function started({ command, variables, options = {} }: Start, words: string): string {
  const set = Object.entries(variables).map(([name, value]) => `${name}=${shellWord(value)} `);
  const paths = Object.entries(options).map(([flag, value]) => `${flag} ${shellWord(value)}`);
  return `${set.join('')}${command} ${[words, ...paths].filter(Boolean).join(' ')}`;
}
