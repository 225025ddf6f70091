/**
 * Makes an option of every variable of the suite: `--max-rps 5` is MAX_RPS=5. API_KEY has no option, because every user of the
 * machine can see the options of a process.
 */
import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { ignoreErrors } from './files/own-file.ts';
import { VARIABLES, type Variable, type VariableName } from '../../fixtures/settings/variables.ts';

/** The group of variables that only self-tests read. They have no option. */
const SELF_TEST_GROUP = 'Tests of the suite itself';
/** This word in place of a file means standard input. */
const STANDARD_INPUT = '-';

/** In the help, a flag takes FLAG_COLUMNS columns and a line LINE_COLUMNS columns. */
const FLAG_COLUMNS = 34;
const LINE_COLUMNS = 100;

/** The variables that have an option. */
const OFFERED = VARIABLES.filter(({ name, group }) => group !== SELF_TEST_GROUP && name !== 'API_KEY');

export function spellFlag({ name }: Pick<Variable, 'name'>): string {
  return `--${name.toLowerCase().replaceAll('_', '-')}`;
}

/**
 * Adds an option for each variable, unless the command already has an option of this name.
 * @param used the variables that the help of the command lists, e.g. `['REPORT_DIR']`; empty: all
 */
export function addVariables(command: Command, used: readonly VariableName[] = []): Command {
  const taken = new Set(command.options.map(({ long }) => long));
  const added = OFFERED.filter((each) => !taken.has(spellFlag(each)));
  for (const each of added) command.addOption(makeOption(each));
  const shown = added.filter(({ name }) => used.length === 0 || used.includes(name));
  const help = Object.assign(command.createHelp(), { helpWidth: LINE_COLUMNS });
  const writeLine = (each: Variable) =>
    help.formatItem(makeOption(each).flags, FLAG_COLUMNS, describeVariable(each), help);
  return command.addHelpText(
    'after',
    `\nVariables, as options (--max-rps 5 is MAX_RPS=5, and wins over it; docs/configuration.md explains them):\n${shown.map(writeLine).join('\n')}`,
  );
}

/**
 * Writes the given options to the environment, as variables.
 * @param readInput reads standard input, for `--api-key-file -`
 * @returns mistakes, one line each
 */
export function setVariables(
  command: Command,
  env: NodeJS.ProcessEnv = process.env,
  readInput = readStandardInput,
): string[] {
  const given = command.opts<Record<string, unknown>>();
  const mistakes: string[] = [];
  for (const each of OFFERED) {
    const flag = spellFlag(each);
    const option = command.options.find(({ long }) => long === flag);
    const value = option === undefined ? undefined : given[option.attributeName()];
    if (typeof value !== 'string') continue;
    // `writeOnly` marks variables that may hold a secret. An address such as `http://user:password@proxy` does.
    if (each.writeOnly === true && value.includes('@'))
      mistakes.push(
        `${flag} must not hold credentials, because everybody on the machine would see them: set ${each.name} in the environment.`,
      );
    else env[each.name] = value;
  }
  return [...mistakes, ...takeKeyFromInput(env, readInput)];
}

/** Replaces `API_KEY_FILE=-` by API_KEY with the text of standard input. */
function takeKeyFromInput(env: NodeJS.ProcessEnv, readInput: () => string | null): string[] {
  if (env.API_KEY_FILE !== STANDARD_INPUT) return [];
  if (env.API_KEY !== undefined) return ['API_KEY is set beside API_KEY_FILE: remove one of them.'];
  const key = readInput();
  if (key === null) return ['API_KEY_FILE is - (standard input), and nothing is piped into it.'];
  delete env.API_KEY_FILE;
  env.API_KEY = key.replace(/[\r\n]+$/, '');
  return [];
}

function readStandardInput(): string | null {
  return process.stdin.isTTY ? null : ignoreErrors(() => readFileSync(0, 'utf8'));
}

/** Returns the option without help: `addVariables` writes the help of these options itself. */
function makeOption(each: Variable): Option {
  const { enum: choices = [] } = each;
  const isSwitch = choices.includes('1');
  const option = new Option(
    `${spellFlag(each)} ${isSwitch ? '[0|1]' : `<${findKind(each)}>`}`,
    each.description,
  ).hideHelp();
  if (isSwitch) option.preset('1');
  // commander does not check these choices: the value is checked as a variable.
  else if (choices.length > 0) option.argChoices = [...choices];
  return option;
}

function findKind({ name, type, unit }: Variable): string {
  if (unit === 'seconds') return unit;
  if (name.endsWith('_FILE') || ['WAIVERS', 'PROFILE_LOCK', 'ALLURE_HISTORY'].includes(name)) return 'file';
  if (name === 'REPORT_DIR') return 'dir';
  return type === 'string' ? 'value' : 'number';
}

/** Returns the help of a variable: its meaning, its unit unless the flag names it, and its default. */
function describeVariable(each: Variable): string {
  const { description, unit, default: defaultValue } = each;
  const measure = unit === undefined || findKind(each) === unit ? '' : ` In ${unit}.`;
  return `${description}${measure}${defaultValue === undefined ? '' : ` Default: ${defaultValue}.`}`;
}
