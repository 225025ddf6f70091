/**
 * Finds options that npm took for itself. `npm run conformance --base-url=X` lacks a `--` before the option:
 * npm keeps it and sets `npm_config_base_url`. The command gets no word. Without this check it would judge the
 * embedded reference and overwrite the reports.
 */
import type { Command, Option } from 'commander';
import requirements from '../../schemas/requirements.json' with { type: 'json' };
import silences from '../../schemas/silences.json' with { type: 'json' };
import { spellCommand } from '../output/rerun-command.ts';

/** An option of the suite, with the text that npm has for it. */
interface Taken {
  option: Option;
  value: string;
}

const PREFIX = 'npm_config_';
const IDS = [...Object.keys(requirements), ...Object.keys(silences)];
const ASKED = new Set(IDS.flatMap((id) => [id, id.split('.')[0] ?? '']));
/**
 * Options that npm has too. The function is true if the value was meant for the suite; without a function the
 * option always belongs to npm.
 */
const SHARED: Readonly<Record<string, (value: string, isAlone: boolean) => boolean>> = {
  // npm knows the value `production` only.
  only: (value) => value.split(/\s+/).some((each) => ASKED.has(each)),
  // `npm run` does not use it, and a run that was meant to be dry must send nothing.
  'dry-run': (value) => value === 'true',
  // An outer `npm run x --json` passes it on to all its child processes.
  json: (value, isAlone) => value === 'true' && isAlone,
};
/** Options of npm 11, as `npm config ls -l` lists them. */
const OF_NPM = ['only', 'dry-run', 'json', 'version', 'https-proxy', 'package'];
/** A value that cannot be a secret: a number, a share, or an address without credentials and query. */
const PLAIN = /^(?:\d{1,9}(?:[./]\d{1,9})?|https?:\/\/[\w.:-]+(?:\/[\w./-]*)?)$/i;

/**
 * Names the options of a command that npm took, and the right command, in one line; null if it took none.
 * @param words the words that the command got
 */
export function nameOptionsOfNpm(
  command: Command,
  words: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): string | null {
  if (env.npm_lifecycle_event === undefined) return null;
  const isRun = (env.npm_command ?? 'run').startsWith('run');
  const options = new Map(
    [command, ...command.commands].flatMap((each) => each.options).map((each) => [each.long?.slice(2), each]),
  );
  const taken = Object.entries(env).flatMap(([name, value = '']): Taken[] => {
    if (!name.toLowerCase().startsWith(PREFIX)) return [];
    const flag = name.slice(PREFIX.length).toLowerCase().replaceAll('_', '-');
    const option = options.get(flag);
    const isOurs = !OF_NPM.includes(flag) || (isRun && SHARED[flag]?.(value, words.length === 0) === true);
    return option === undefined || !isOurs || isGiven(words, flag) ? [] : [{ option, value }];
  });
  return taken.length === 0 ? null : inWords(command, taken, words, env);
}

function isGiven(words: readonly string[], flag: string): boolean {
  return words.some((word) => word === `--${flag}` || word.startsWith(`--${flag}=`));
}

function inWords(
  command: Command,
  taken: readonly Taken[],
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): string {
  const flags = taken.map(({ option }) => option.long);
  // `--base-url X` without `=`: npm sets the option to true and passes X on as a word.
  const values = words.filter((word) => !word.startsWith('-'));
  const isClear = values.length === 1 && taken.filter(isBare).length === 1;
  const valueOf = (each: Taken) => (isBare(each) && isClear ? (values[0] ?? '') : each.value);
  const inner = command.commands.map((each) => each.name()).filter((name) => words.includes(name));
  const right = [...inner, ...taken.map((each) => spellOption(each.option, valueOf(each)))].join(' ');
  const { npm_lifecycle_event: script = '', npm_command: by = 'run' } = env;
  const isScript = by.startsWith('run') && /^[\w:.-]{1,60}$/.test(script);
  return `npm took ${flags.join(', ')} for itself, because there is no -- in front; nothing was sent. Write: ${isScript ? `npm run ${script} -- ${right}` : spellCommand(command.name(), right)}`;
}

/** True if the option needs a value and npm has none. */
function isBare({ option, value }: Taken): boolean {
  return option.required && value === 'true';
}

/** Writes an option as a user types it. A value that may be a secret is replaced by its kind. */
function spellOption(option: Option, value: string): string {
  const flag = option.long ?? '';
  if (!option.required && !option.optional) return flag;
  if (value === 'true' && option.optional) return flag;
  const isShown = PLAIN.test(value) || ASKED.has(value) || option.argChoices?.includes(value) === true;
  return `${flag}=${isShown ? value : (/<.*>|\[.*\]/.exec(option.flags)?.[0] ?? '<value>')}`;
}
