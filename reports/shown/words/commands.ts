/** Writes commands that start the suite again, to be pasted into a shell: `BASE_URL=http://h/v1 npm run conformance -- --only list-pets`. */
import { quoteShell } from './escape.ts';
import type { Report, RequirementResult } from '../../document/report-document.ts';

/** The way to start the suite again. */
export interface Start {
  /** The start of the command line, e.g. `npx animal-store-conformance`. */
  command: string;
  /** Variables with which a run asks the same target the same again. */
  variables: Record<string, string>;
  /** Options with the paths of the key and of the reports. */
  options?: Record<string, string>;
}

/** The command that judges in a clone. */
export const IN_A_CLONE = 'npm run conformance --';
/**
 * Matches a command that starts an installed package, or the program by its path: `npx animal-store-conformance`, `node
 * dist/bin/animal-store-conformance.js`. The path does not begin with `-`: else it would be an option of Node.
 */
const STARTS =
  /^(?:(?:npx )?animal-store-conformance|node (?!-)[\w@%+=:,./-]*animal-store-conformance\.js|node '(?!-)[^'\p{C}]*animal-store-conformance\.js')$/u;

/** Variables that a command may set. A report may come from anybody, so a command of it that a reader pastes sets and starts nothing else. */
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

/** Options that a command may have: the paths of the key and of the reports. */
const PATHS = ['--api-key-file', '--report-dir'] as const;

/** Returns the way to start the run of this report again. The key is never part of it: it stays in API_KEY or in its file. */
export function findStart({ suite, run, target }: Pick<Report, 'suite' | 'run' | 'target'>): Start {
  const variables = run.variables ?? (target.embedded ? {} : { BASE_URL: target.baseUrl });
  const { command = IN_A_CLONE } = suite;
  return {
    command: STARTS.test(command) ? command : IN_A_CLONE,
    variables: pickValues(REPEATED, variables),
    options: pickValues(PATHS, run.options ?? {}),
  };
}

/** Returns the values that have one of these names, in the order of the names. */
export function pickValues(
  names: readonly string[],
  values: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const valueOf = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
  return Object.fromEntries(
    names.flatMap((name) => (valueOf(name) === undefined ? [] : [[name, valueOf(name) ?? '']])),
  );
}

/** Returns another command of the suite, e.g. `list`, started in the same way: `npm run list`, `npx animal-store-conformance list`. */
export function spellOther(start: string, name: string, words = ''): string {
  if (start !== IN_A_CLONE) return `${start} ${name} ${words}`.trimEnd();
  return `npm run ${name === 'run' ? 'conformance' : name}${words === '' ? '' : ` -- ${words}`}`;
}

/** Returns the command that judges everything again. */
export function spellWholeCommand(start: Start): string {
  // npm needs `--` only before options.
  return spellRun(start).replace(/ --$/, '');
}

/** Returns the command that judges only these requirements again. */
export function spellOnlyCommand(start: Start, ...ids: string[]): string {
  return spellRun(start, ...ids.map((id): Option => ['--only', id]));
}

/** Returns the commands that judge these requirements again, by their labels: whole requirements, and the first counterexample. */
export function spellCommands(
  start: Start,
  ...results: readonly Pick<RequirementResult, 'id' | 'replay'>[]
): Record<string, string> {
  const [token] = results.flatMap(({ replay }) => replay ?? []);
  return {
    'run its tests again': spellOnlyCommand(start, ...results.map(({ id }) => id)),
    ...(token !== undefined && { 'send its input again': spellRun(start, ['--replay', token]) }),
  };
}

type Option = readonly [flag: string, value?: string];

/** Returns the POSIX command of a run: variables, command, the asked options, and last the options with paths. */
export function spellRun({ command, variables, options = {} }: Start, ...asked: Option[]): string {
  const set = Object.entries(variables).map(([name, value]) => `${name}=${quoteShell(value)}`);
  const words = [...asked, ...Object.entries(options)].flatMap(([flag, value]) =>
    value === undefined ? [flag] : [flag, quoteShell(value)],
  );
  return [...set, command, ...words].join(' ');
}
